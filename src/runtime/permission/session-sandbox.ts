/**
 * The sandbox of a session, as its settings ask for one: where each command runs, and what the permission engine has to know.
 * The part that makes sandboxes is loaded with the first command.
 */
import type { ParseScript } from '../../permissions/bash/syntax/parse-command.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { listAllCommandWords, type SandboxState } from '../../permissions/sandbox-use.js'
import { isAbsolute, isInside } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { isVariableOn } from '../../platform/switch.js'
import type { SandboxSettings } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { isExcludedFromSandbox, sandboxPolicy } from '../../sandbox/choose-engine.js'
import type { Sandbox } from '../../sandbox/sandbox-request.js'
import { findViolations, isIgnoredViolation } from '../../sandbox/violations.js'
import type { BashSandbox } from '../../tools/bash/sandbox-port.js'
import type { DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { LiveSettings } from '../live-settings.js'
import { findSandboxGuardedFiles } from './guarded-files.js'

export type SandboxPorts = {
  permissions(): Pick<Permissions, 'directories' | 'deniedFiles'>
  /** Folders of ours that commands may look into. */
  readable(): readonly string[]
  stderr(text: string): void
}

export interface SessionSandbox {
  readonly bash: BashSandbox
  /** For the permission engine; right once Bash has prepared the sandbox, which it does before it asks. */
  state(): SandboxState
  /** When nothing of the session runs any more. */
  close(): Promise<void>
}

const TEMPORARY = '/tmp'
const KEPT_TEMPORARY = '/var/tmp'

/** Undefined when the settings do not turn it on. */
export function createSessionSandbox(
  settings: SessionLocation & Pick<DiscoveredConfiguration, 'sandbox'>,
  live: LiveSettings,
  platform: Pick<Platform, 'files' | 'identity' | 'processes'>,
  ports: SandboxPorts,
): SessionSandbox | undefined {
  const directories = () => ports.permissions().directories()
  const wanted: SandboxSettings = settings.sandbox ?? {}
  const policy = sandboxPolicy(wanted)
  if (!policy.enabled) return undefined
  let parse: ParseScript | undefined
  let opened: Promise<Sandbox> | undefined
  let tried: { problem?: string } | undefined
  let preparing: Promise<void> | undefined
  const told = new Set<string>()

  const open = async (): Promise<Sandbox> => {
    const { openSandbox } = await import('../../sandbox/open-sandbox.js')
    const { home } = settings
    const { env } = live
    const parent = temporaryFolder({ env, sandbox: settings.sandbox }, platform)
    return openSandbox({ os: platform.identity.os, env, home, parent, processes: platform.processes })
  }
  const openOnce = () => {
    opened ??= open()
    return opened
  }
  const prepare = async () => {
    parse = await (await import('../../permissions/shell.js')).loadShellParser()
    try {
      const probe = await (await openOnce()).probe(directories(), wanted)
      tried = probe.ok ? {} : { problem: probe.error }
    } catch (error) {
      tried = { problem: `The sandbox can't be set up: ${messageOf(error)}` }
    }
  }
  const isOutside = (line: string) =>
    parse !== undefined && isExcludedFromSandbox(listAllCommandWords(line, parse), wanted)
  const { hosts, limits } = describe(wanted)

  const bash: BashSandbox = {
    prepare() {
      preparing ??= prepare()
      return preparing
    },
    placeOf({ command, dangerouslyDisableSandbox }) {
      if (!tried) return { where: 'nowhere', error: 'Nobody knows yet whether the sandbox works.' }
      if (isOutside(command)) return { where: 'outside', why: 'excluded' }
      if (dangerouslyDisableSandbox && policy.allowUnsandboxed) return { where: 'outside', why: 'asked' }
      const { problem } = tried
      if (problem === undefined) return { where: 'inside' }
      return policy.allowUnsandboxed ? { where: 'outside', why: 'broken' } : { where: 'nowhere', error: problem }
    },
    async wrap({ line, ...start }) {
      const sandbox = await openOnce()
      const { home, configDir } = settings
      const request = {
        ...start,
        directories: directories(),
        ...(await findSandboxGuardedFiles(
          { home, configDir, env: live.env },
          directories(),
          ports.permissions().deniedFiles,
        )),
        shownPaths: ports.readable(),
        keepSecrets: isVariableOn(live.env['KEDGE_PASS_SECRETS']),
      }
      const wrapped = await sandbox.wrap(request, wanted)
      if (!wrapped.ok) return { ok: false, error: wrapped.mayAsk ? `${wrapped.error} ${WAY_OUT}` : wrapped.error }
      for (const note of wrapped.notes.filter((text) => !told.has(text))) {
        told.add(note)
        ports.stderr(`Warning: ${note}\n`)
      }
      const { command, args, env } = wrapped
      return {
        ok: true,
        command,
        args,
        env,
        finish: async () =>
          (await wrapped.finish()).filter((remark) => !isIgnoredViolation(line, 'file', remark, wanted)),
        explain(output) {
          const kinds = findViolations(line, output, wanted)
          if (kinds.length === 0) return []
          const why = kinds.map((kind) => limits[kind]).join('; ')
          const way = policy.allowUnsandboxed ? ` ${WAY_OUT}` : ''
          return [`It ran in a sandbox, which may be why it failed: ${why}.${way}`]
        },
      }
    },
    rules: {
      hosts,
      writable: wanted.filesystem?.allowWrite ?? [],
      excluded: wanted.excludedCommands ?? [],
      mayLeave: policy.allowUnsandboxed,
    },
  }

  return {
    bash,
    state: () => ({
      enabled: true,
      autoAllow: policy.autoAllow,
      available: tried !== undefined && tried.problem === undefined,
      ...(tried?.problem === undefined ? {} : { problem: tried.problem }),
      isExcluded: (commands) => isExcludedFromSandbox(commands, wanted),
    }),
    async close() {
      await preparing
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}

/**
 * Where the session puts temporary files. Commands in the sandbox have a /tmp of their own; that it can be the same for all of
 * them, and they can read what we put elsewhere, needs another place for our files.
 */
export function temporaryFolder(
  { env, sandbox }: Pick<SessionLocation, 'env'> & Pick<DiscoveredConfiguration, 'sandbox'>,
  { files }: Pick<Platform, 'files'>,
): string {
  const { TMPDIR = '' } = env
  // A relative one would mean another place for every program that reads it.
  const usual = isAbsolute(TMPDIR) ? TMPDIR : TEMPORARY
  const isReplaced = sandboxPolicy(sandbox).enabled && isInside(usual, TEMPORARY)
  return isReplaced && files.existsSync(KEPT_TEMPORARY) ? KEPT_TEMPORARY : usual
}

const WAY_OUT = 'To have the user decide about running it without the sandbox, set dangerouslyDisableSandbox.'

function describe({ network = {} }: SandboxSettings) {
  const { allowedDomains = [], httpProxyPort, socksProxyPort } = network
  const isProxied = httpProxyPort !== undefined || socksProxyPort !== undefined
  const hosts = allowedDomains.length > 0 ? allowedDomains : isProxied ? ['those the proxy lets through'] : undefined
  const limits = {
    file: 'commands can write only to the working directories and $TMPDIR, some files there are protected, and credentials are hidden',
    network: hosts ? `of the network only these hosts can be reached: ${hosts.join(', ')}` : 'there is no network',
  }
  return { hosts, limits }
}
