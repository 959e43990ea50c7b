/** Hooks that are commands of settings files and plugins: which are run, what becomes of each, and those nobody waits for. */
import type { ProcessRunner } from '../platform/processes/processes.js'
import type { HookEvent } from '../protocol/hooks.js'
import { type CommandHook, commandHookName } from './command-hook.js'
import type { HookOutcome } from './hook-outcome.js'
import { createListeners } from './listeners.js'
import { matcherApplies } from './match.js'
import { createObserver, type HookObservation, type HookObserver } from './observation.js'
import { type HookEventOccurrence, timeoutSeconds } from './occurrence.js'
import { type CommandHookResult, createUnstartedHookResult, readCommandResult } from './read-command.js'
import { type HookRunEnd, type RunningHookCommand, runHookCommand } from './run-command-hook.js'

export type CommandHookPorts = {
  commands(): readonly CommandHook[]
  processes: Pick<ProcessRunner, 'start'>
  /** The session's environment, without our own secrets, and what hooks of this event get beside it. */
  environment(event: HookEvent): Readonly<Record<string, string | undefined>>
  /** Told to commands as CLAUDE_PROJECT_DIR. */
  projectDir: string
  after(ms: number, callback: () => void): () => void
  uuid(): string
  /** For people: a hook failed. */
  report(text: string): void
  observe(observation: HookObservation): void
  /** A hook that nobody waited for has ended. */
  onLate(outcome: HookOutcome): void
}

/** Seconds for a command that continued in the background and did not say how long it needs. */
const ASYNC_TIMEOUT = 15

export function createCommandHooks(ports: CommandHookPorts) {
  /** Hooks nobody waits for. */
  const background = createListeners()
  /** Hooks that are to be run once, and were. */
  const used = new Set<string>()
  /** Hooks that can't be run, of which people know. */
  const known = new Set<string>()

  const runOne = (hook: CommandHook, occurrence: HookEventOccurrence): Promise<HookOutcome> => {
    const about = { from: 'command' as const, id: ports.uuid(), name: occurrence.name, event: hook.event }
    const observer = createObserver(about, ports.observe)
    if (hook.once) used.add(keyOf(hook))
    const { input, isLast, onAbort } = occurrence
    return new Promise((resolve) => {
      let isLate = false
      const leaveRunning = () => {
        isLate = true
        resolve({ name: commandHookName(hook), output: { async: true } })
      }
      const running: RunningHookCommand = runHookCommand(
        {
          command: hook.command,
          input,
          cwd: input.cwd,
          env: environmentFor(hook),
          seconds: timeoutSeconds(hook.timeout, occurrence),
          onCancel: hook.async || isLast ? background.subscribe : onAbort,
        },
        {
          processes: ports.processes,
          after: ports.after,
          onProgress: observer.progress,
          onAsync(ms) {
            if (isLate) return
            running.letGo(ms === undefined ? ASYNC_TIMEOUT : ms / 1000, background.subscribe)
            leaveRunning()
          },
        },
      )
      if (hook.async) leaveRunning()
      void running.ended.then((end) => {
        const outcome = settle(hook, occurrence, end, observer)
        if (isLate) ports.onLate(outcome)
        else resolve(outcome)
      })
    })
  }

  const settle = (
    hook: CommandHook,
    occurrence: HookEventOccurrence,
    end: HookRunEnd,
    observer: HookObserver,
  ): HookOutcome => {
    const reading = read(hook, occurrence, end)
    observeEnd(observer, end, reading)
    report(hook, occurrence, reading)
    // One that did not work has not had its turn: otherwise a guard would be gone by failing.
    if ('failure' in reading.outcome) used.delete(keyOf(hook))
    return reading.outcome
  }

  const report = (hook: CommandHook, { name }: HookEventOccurrence, { note, missing }: CommandHookResult) => {
    if (note === undefined || (missing && known.has(keyOf(hook)))) return
    if (missing) known.add(keyOf(hook))
    ports.report(`Hook ${name} ${commandHookName(hook)} of ${hook.source}: ${note}`)
  }

  const environmentFor = ({ event, pluginRoot }: CommandHook) => ({
    ...ports.environment(event),
    CLAUDE_PROJECT_DIR: ports.projectDir,
    ...(pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
  })

  return {
    has: (event: HookEvent) => ports.commands().some((hook) => hook.event === event),
    run(occurrence: HookEventOccurrence): Promise<HookOutcome>[] {
      const wanted = ports
        .commands()
        .filter((hook) => hook.event === occurrence.input.hook_event_name && !(hook.once && used.has(keyOf(hook))))
        .filter(({ matcher }) => matcherApplies(matcher, occurrence.subjects))
      return withoutTwins(wanted).map((hook) => runOne(hook, occurrence))
    },
    /** Ends the hooks that nobody waits for. */
    close: background.tell,
  }
}

/** The same command is run once, whichever files name it. */
function withoutTwins(hooks: readonly CommandHook[]): CommandHook[] {
  const seen = new Set<string>()
  return hooks.filter(({ command, pluginRoot, async, onFailure }) => {
    const key = JSON.stringify([command, pluginRoot, async === true, onFailure === 'block'])
    return !seen.has(key) && seen.add(key)
  })
}

function keyOf({ event, matcher, command, source }: CommandHook): string {
  return JSON.stringify([event, matcher, command, source])
}

function read(hook: CommandHook, occurrence: HookEventOccurrence, end: HookRunEnd): CommandHookResult {
  // Canceled from outside: nothing went wrong with the hook.
  if ('canceled' in end) return { outcome: { name: commandHookName(hook), failure: 'cancelled' } }
  return 'unstarted' in end ? createUnstartedHookResult(hook, end.unstarted) : readCommandResult(hook, occurrence, end)
}

function observeEnd(observer: HookObserver, end: HookRunEnd, { outcome }: CommandHookResult): void {
  if ('canceled' in end) observer.response('cancelled', {})
  else if ('unstarted' in end) observer.response('error', { stderr: end.unstarted })
  else {
    const isWell = end.exitCode === 0 && !('failure' in outcome)
    const how = end.timedOutAfter !== undefined ? 'cancelled' : isWell ? 'success' : 'error'
    observer.response(how, end, end.exitCode ?? undefined)
  }
}
