/** Runs one command hook: the event as JSON on stdin, a limit on its time, and a way to continue without it. */
import { createBoundedOutput } from '../platform/processes/bounded-output.js'
import type { ProcessRunner, RunningProcess } from '../platform/processes/processes.js'
import type { HookInput } from '../protocol/hooks.js'
import { messageOf } from '../protocol/thrown.js'
import { createAsyncHookDetector } from './async-hook-detector.js'
import type { Subscribe } from './listeners.js'
import type { HookCommandEnd, ServiceHookEnd } from './read-hook-end.js'

export type CommandRunPorts = {
  processes: Pick<ProcessRunner, 'start'>
  after(ms: number, callback: () => void): () => void
  /** It said `{"async": true}`, perhaps how many ms it wants. What it prints from then on is its answer. */
  onAsync(ms: number | undefined): void
  /** Now and then, while it prints: all of it so far. */
  onProgress(stdout: string, stderr: string): void
}

export type HookCommandRun = {
  /** A command line for bash; with `args` a program. */
  command: string
  args?: readonly string[]
  input: HookInput
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  seconds: number
  /** What ends it early. */
  onCancel: Subscribe
}

export type HookRunEnd = HookCommandEnd | ServiceHookEnd | { canceled: true } | { unstarted: string }

export type RunningHook = {
  /** Never rejects. */
  ended: Promise<HookRunEnd>
  /** From now on it has this much time, and only this ends it early. */
  letGo(seconds: number, onCancel: Subscribe): void
}

/** Bytes kept of each output, half from its start and half from its end. */
const MAX_OUTPUT = 16 * 1024 * 1024
const PROGRESS_EVERY_MS = 1000

const collector = () => createBoundedOutput(MAX_OUTPUT / 2, MAX_OUTPUT / 2)

export function runHookCommand(run: HookCommandRun, ports: CommandRunPorts): RunningHook {
  let stdout = collector()
  const stderr = collector()
  const asyncLine = createAsyncHookDetector()
  const unwanted = new AbortController()
  let running: RunningProcess | undefined
  let ending: { timedOutAfter: number } | 'canceled' | undefined
  let release = () => {}
  let stopProgress: (() => void) | undefined
  let giveUp: (end: { canceled: true }) => void = () => {}
  const canceled = new Promise<{ canceled: true }>((resolve) => {
    giveUp = resolve
  })

  const cancel = () => {
    ending = 'canceled'
    unwanted.abort()
    running?.end('at once')
    // The caller doesn't wait for the end of the process, which comes all the same.
    giveUp({ canceled: true })
  }
  const letGo = (seconds: number, onCancel: Subscribe) => {
    release()
    const stopTimer = ports.after(seconds * 1000, () => {
      ending ??= { timedOutAfter: seconds }
      running?.end('politely')
    })
    const unsubscribe = onCancel(cancel)
    release = () => {
      stopTimer()
      unsubscribe()
    }
  }
  const noteProgress = () => {
    stopProgress ??= ports.after(PROGRESS_EVERY_MS, () => {
      stopProgress = undefined
      ports.onProgress(stdout.text(), stderr.text())
    })
  }

  const play = async (): Promise<HookRunEnd> => {
    try {
      running = await ports.processes.start({
        ...(run.args
          ? { command: run.command, args: [...run.args] }
          : { command: 'bash', args: ['-c', run.command], scriptAt: 1 }),
        cwd: run.cwd,
        env: run.env,
        input: `${JSON.stringify(run.input)}\n`,
        // What a hook leaves running, such as a sound or a server, may run on until the session ends.
        leftovers: 'keep',
        unless: unwanted.signal,
        onOutput(chunk) {
          const said = asyncLine(chunk)
          if (said) stdout = collector()
          stdout.push(said?.rest ?? chunk)
          if (said) ports.onAsync(said.ms)
          noteProgress()
        },
        onErrorOutput(chunk) {
          stderr.push(chunk)
          noteProgress()
        },
      })
    } catch (error) {
      return { unstarted: messageOf(error) }
    }
    if (ending) running.end(ending === 'canceled' ? 'at once' : 'politely')
    const { exitCode, signal } = await running.ended
    const late = typeof ending === 'object' ? ending : {}
    return { exitCode, signal, stdout: stdout.text(), stderr: stderr.text(), isCut: stdout.dropped > 0, ...late }
  }

  letGo(run.seconds, run.onCancel)
  const ended = Promise.race([canceled, play()]).finally(() => {
    release()
    stopProgress?.()
  })
  return { ended, letGo }
}
