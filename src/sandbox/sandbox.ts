/** The sandbox of one session: turns a command into one that runs inside, or refuses. Nothing runs outside instead. */
import type { SandboxSettings } from '../protocol/options.js'
import { messageOf } from '../protocol/thrown.js'
import { createBubblewrapEngine } from './bubblewrap/bubblewrap-engine.js'
import { chooseSandboxEngine, type SandboxEngineName, sandboxPolicy } from './choose-engine.js'
import { createSandboxRuntimeEngine } from './runtime/runtime-engine.js'
import type {
  Sandbox,
  SandboxEngine,
  SandboxFailure,
  SandboxMachineFacts,
  SandboxProbeResult,
} from './sandbox-request.js'

export function createSandbox(machine: SandboxMachineFacts): Sandbox {
  const engines = new Map<SandboxEngineName, SandboxEngine>()
  const choose = (settings: SandboxSettings) => {
    const choice = chooseSandboxEngine(settings, { os: machine.os, hasRuntime: machine.loadRuntime !== undefined })
    if (!choice.ok) return choice
    const create = choice.engine === 'bubblewrap' ? createBubblewrapEngine : createSandboxRuntimeEngine
    const engine = engines.get(choice.engine) ?? create(machine)
    engines.set(choice.engine, engine)
    return { ok: true as const, engine }
  }

  return {
    async probe(directories, settings = {}): Promise<SandboxProbeResult> {
      const choice = choose(settings)
      return choice.ok ? choice.engine.probe(directories, settings).catch(cantBeSetUp) : choice
    },
    async wrap(request, settings = {}) {
      const choice = choose(settings)
      if (!choice.ok) return choice
      const { engine } = choice
      const probed = await engine.probe(request.directories, settings).catch(cantBeSetUp)
      const wrapped = probed.ok ? await engine.wrap(request, settings).catch(cantBeSetUp) : probed
      return wrapped.ok ? wrapped : { ...wrapped, mayAsk: sandboxPolicy(settings).allowUnsandboxed }
    },
    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close()))
    },
  }
}

/** A full disk, a folder that vanished: whatever it is, the command does not run. */
function cantBeSetUp(error: unknown): SandboxFailure {
  const reason = messageOf(error)
  return { ok: false, error: `The sandbox can't be set up: ${reason}` }
}
