/** What the settings ask for: which engine can hold it, and what the permission engine needs to know of them. */
import type { SandboxSettings } from '../protocol/options.js'
import type { SandboxRefusal } from './sandbox-request.js'

export type SandboxEngineName = 'bubblewrap' | 'sandbox-runtime'

export const SANDBOX_RUNTIME_PACKAGE = '@anthropic-ai/sandbox-runtime'

/** The settings as the permission engine reads them, with the documented defaults. */
export function sandboxPolicy(settings: SandboxSettings | undefined): {
  enabled: boolean
  /** Commands that run in the sandbox need no further approval. */
  autoAllow: boolean
  /** A command may ask to run outside the sandbox. */
  allowUnsandboxed: boolean
} {
  return {
    enabled: settings?.enabled === true,
    autoAllow: settings?.autoAllowBashIfSandboxed !== false,
    allowUnsandboxed: settings?.allowUnsandboxedCommands !== false,
  }
}

/**
 * Should this command line run outside the sandbox (and be asked about)? `commands`: the words of every simple command in it
 * at every depth, undefined when it is not fully understood. One that is not excluded keeps all of it in the sandbox.
 */
export function isExcludedFromSandbox(
  commands: readonly (readonly string[])[] | undefined,
  settings: SandboxSettings | undefined,
): boolean {
  const patterns = (settings?.excludedCommands ?? [])
    .map((pattern) => pattern.replace(/(?::\*|\s\*)$/, '').match(/\S+/g) ?? [])
    .filter((words) => words.length > 0)
  if (!commands || commands.length === 0) return false
  return commands.every((words) => patterns.some((pattern) => pattern.every((word, i) => word === words[i])))
}

/**
 * Bubblewrap knows only network or none, and Linux; the runtime has proxies and macOS. `hasRuntime`: is the optional package
 * installed?
 */
export function chooseSandboxEngine(
  settings: SandboxSettings | undefined,
  machine: { os: string; hasRuntime: boolean },
): { ok: true; engine: SandboxEngineName } | SandboxRefusal {
  const refuse = (error: string): SandboxRefusal => ({
    ok: false,
    error,
    mayAsk: sandboxPolicy(settings).allowUnsandboxed,
  })
  const reason = runtimeReason(settings, machine.os)
  if (reason === undefined) return { ok: true, engine: 'bubblewrap' }
  if (machine.os !== 'linux' && machine.os !== 'darwin') {
    return refuse(
      `There is no sandbox for ${machine.os}. Turn it off (sandbox.enabled: false), or run in WSL 2 or a container.`,
    )
  }
  if (!machine.hasRuntime) {
    const without = machine.os === 'linux' ? ', or remove that setting to run without any network' : ''
    return refuse(
      `${reason} needs the optional package ${SANDBOX_RUNTIME_PACKAGE}: npm install ${SANDBOX_RUNTIME_PACKAGE}${without}.`,
    )
  }
  return { ok: true, engine: 'sandbox-runtime' }
}

/** Why bubblewrap alone is not enough. */
function runtimeReason(settings: SandboxSettings | undefined, os: string): string | undefined {
  if (os !== 'linux') return `The sandbox on ${os === 'darwin' ? 'macOS' : os}`
  const network = settings?.network
  if (network?.allowedDomains?.length) return 'A list of allowed domains (sandbox.network.allowedDomains)'
  if (network?.httpProxyPort !== undefined) return 'A proxy (sandbox.network.httpProxyPort)'
  if (network?.socksProxyPort !== undefined) return 'A proxy (sandbox.network.socksProxyPort)'
  return undefined
}
