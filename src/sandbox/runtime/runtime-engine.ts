/**
 * `@anthropic-ai/sandbox-runtime` as the engine: for lists of domains, proxies, and macOS. On Linux it sees to the network only;
 * inside it, bubblewrap sees to everything else as it does without.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from '../../platform/paths.js'
import type { SandboxSettings } from '../../protocol/options.js'
import { CANARY_CHECKS } from '../bubblewrap/bubblewrap-engine.js'
import { createBubblewrap } from '../bubblewrap/bubblewrap-session.js'
import { testSandboxWithCanary } from '../bubblewrap/canary.js'
import { createBubblewrapFailure } from '../bubblewrap/trouble.js'
import { SANDBOX_RUNTIME_PACKAGE } from '../choose-engine.js'
import type {
  SandboxEngine,
  SandboxedCommand,
  SandboxFailure,
  SandboxMachineFacts,
  SandboxProbeResult,
  SandboxRequest,
} from '../sandbox-request.js'
import { createSandboxRuntimeWrapper } from './runtime-files.js'
import { type SandboxRuntimeConfig, type SandboxRuntimeManager, toSandboxRuntimeManager } from './runtime-manager.js'

/** It starts several processes before the first command. */
const PROBE_TIMEOUT_MS = 20_000

export function createSandboxRuntimeEngine(machine: SandboxMachineFacts): SandboxEngine {
  const timeoutMs = machine.probeTimeoutMs ?? PROBE_TIMEOUT_MS
  const bubblewrap = machine.os === 'linux' ? createBubblewrap(machine, { ownNetwork: false, timeoutMs }) : undefined
  const files = createSandboxRuntimeWrapper(machine)
  let loaded: Promise<SandboxRuntimeManager | undefined> | undefined
  let own: SandboxRuntimeConfig | undefined
  let folder: string | undefined
  let probed: Promise<SandboxProbeResult> | undefined

  const load = () => {
    loaded ??= (machine.loadRuntime?.() ?? Promise.resolve(undefined)).then(toSandboxRuntimeManager)
    return loaded
  }

  /** The network of another session would be ours too, and ours theirs. */
  const claim = async (
    manager: SandboxRuntimeManager,
    settings: SandboxSettings,
  ): Promise<SandboxFailure | undefined> => {
    const config = runtimeConfig(settings)
    if (manager.getProxyPort() === undefined) await manager.initialize(config)
    const current = manager.getConfig()
    // Only now, because another session may have been faster, and then ours was passed over in silence.
    if (current === config) own = config
    if (JSON.stringify(current?.network) === JSON.stringify(config.network)) return undefined
    return createBubblewrapFailure(
      'another session of this process uses it with other settings for the network. Run one of them with isolation: "process"',
    )
  }

  const wrapInner = async (request: SandboxRequest, settings: SandboxSettings) => {
    if (!bubblewrap) return files.wrap(request, settings)
    const wrapped = await bubblewrap.wrap(request, settings)
    if (!wrapped.ok) return wrapped
    return { ...wrapped, filesystem: { allowWrite: [...wrapped.writable], denyWrite: [], denyRead: [] } }
  }

  const wrapWith = async (
    manager: SandboxRuntimeManager,
    request: SandboxRequest,
    settings: SandboxSettings,
  ): Promise<SandboxedCommand | SandboxFailure> => {
    const inner = await wrapInner(request, settings)
    if (!inner.ok) return inner
    return wrapCommand(manager, inner, request.cwd)
  }

  const probe = async (directories: readonly string[], settings: SandboxSettings): Promise<SandboxProbeResult> => {
    const manager = await load()
    if (!manager)
      return createBubblewrapFailure(
        `this ${SANDBOX_RUNTIME_PACKAGE} is another one than we know. Install version 0.0.78`,
      )
    const there = await bubblewrap?.check(directories)
    if (there?.ok === false) return there
    const claimed = await claim(manager, settings)
    if (claimed) return claimed
    folder ??= await mkdtemp(join(machine.privateParent, 'sandbox-'))
    const { filesystem: _, ...others } = settings
    const canary = await testSandboxWithCanary({
      run: machine.processes.run,
      env: { PATH: machine.env['PATH'] },
      bash: there?.bash ?? 'bash',
      folder,
      outside: machine.home === undefined ? [] : [machine.home],
      timeoutMs,
      wrap: (request) => wrapWith(manager, request, others),
      ...(bubblewrap && { closely: CANARY_CHECKS }),
    })
    return canary.ok ? { ok: true, version: SANDBOX_RUNTIME_PACKAGE } : canary
  }

  return {
    probe(directories, settings) {
      probed ??= probe(directories, settings)
      return probed
    },
    async wrap(request, settings) {
      const manager = await load()
      if (!manager) return createBubblewrapFailure(`${SANDBOX_RUNTIME_PACKAGE} could not be loaded. Install it anew`)
      // Another user of the manager might have ended, and its proxies with it.
      return (await claim(manager, settings)) ?? wrapWith(manager, request, settings)
    },
    async close() {
      await probed?.catch(() => undefined)
      const manager = await loaded?.catch(() => undefined)
      // Its servers would keep the process alive.
      if (manager && own !== undefined && manager.getConfig() === own) await manager.reset()
      await bubblewrap?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The command of `inner`, behind the proxies of the runtime. */
async function wrapCommand(
  manager: SandboxRuntimeManager,
  inner: SandboxedCommand & { filesystem: SandboxRuntimeConfig['filesystem'] },
  cwd: string,
): Promise<SandboxedCommand> {
  const line = ['exec', inner.command, ...inner.args].map(shellWord).join(' ')
  const { argv } = await manager
    .wrapWithSandboxArgv(line, 'bash', { filesystem: inner.filesystem }, undefined, cwd)
    .catch(async (error: unknown) => {
      await inner.finish()
      throw error
    })
  const [command, ...args] = argv
  if (command === undefined) throw new Error(`${SANDBOX_RUNTIME_PACKAGE} gave no command.`)
  const { env, notes } = inner
  let finished: Promise<string[]> | undefined
  return {
    ok: true,
    command,
    args,
    env,
    notes,
    finish() {
      finished ??= Promise.resolve().then(() => {
        manager.cleanupAfterCommand()
        return inner.finish()
      })
      return finished
    },
  }
}

function runtimeConfig({ network = {}, ...settings }: SandboxSettings): SandboxRuntimeConfig {
  const { allowedDomains = [], allowManagedDomainsOnly: _, ...others } = network
  return {
    network: { allowedDomains, deniedDomains: [], ...others },
    // Each command brings its own.
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
    ...(settings.ignoreViolations && { ignoreViolations: settings.ignoreViolations }),
    ...(settings.enableWeakerNestedSandbox && { enableWeakerNestedSandbox: true }),
    ...(settings.ripgrep && { ripgrep: settings.ripgrep }),
  }
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
