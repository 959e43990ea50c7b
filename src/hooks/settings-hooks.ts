/** Hooks of settings files and plugins: which are run, what becomes of each, and those the turn doesn't wait for. */
import type { ProcessRunner } from '../platform/processes/processes.js'
import type { HookEvent, HookInput } from '../protocol/hooks.js'
import { type HookOutcome, syncHookOutputOf } from './hook-outcome.js'
import { createListeners } from './listeners.js'
import { matcherApplies } from './match.js'
import { createObserver, type HookObservation, type HookObserver } from './observation.js'
import { type HookEventOccurrence, timeoutSeconds } from './occurrence.js'
import { createUnstartedHookResult, readHookEnd, type SettingsHookResult, unknownHookResult } from './read-hook-end.js'
import { type HookRunEnd, type RunningHook, runHookCommand } from './run-command-hook.js'
import { runServiceHook, type ServiceAnswer } from './run-service-hook.js'
import { type ServiceHook, type SettingsHook, settingsHookKey, settingsHookName } from './settings-hook.js'

export type SettingsHookPorts = {
  settingsHooks(): readonly SettingsHook[]
  processes: Pick<ProcessRunner, 'start'>
  /** Does what a hook asks for that isn't a program. Rejects if that fails. */
  runService(hook: ServiceHook, input: HookInput, signal: AbortSignal): Promise<ServiceAnswer>
  /** Whether a permission rule covers a tool call; true if that can't be decided, because the hook may be a guard. */
  ruleCovers(rule: string, call: { tool: string; input: unknown }): Promise<boolean>
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
  /** It objects, and the model is to hear of it now, even if no turn runs. */
  wake(text: string): void
}

/** Seconds for a command that continued in the background and did not say how long it needs. */
const ASYNC_TIMEOUT = 15

export function createSettingsHooks(ports: SettingsHookPorts) {
  /** Hooks nobody waits for. */
  const background = createListeners()
  /** Hooks that are to be run once, and were. */
  const used = new Set<string>()
  /** Hooks that can't be run, of which people know. */
  const known = new Set<string>()

  const start = (hook: KnownHook, occurrence: HookEventOccurrence, on: HookRunEvents): RunningHook => {
    const { input, isLast, onAbort } = occurrence
    const seconds = timeoutSeconds(hook.timeout ?? DEFAULT_SECONDS[hook.type], occurrence)
    const onCancel = isAsync(hook) || isLast ? background.subscribe : onAbort
    if (hook.type !== 'command') {
      const run = (signal: AbortSignal) => ports.runService(hook, input, signal)
      return runServiceHook({ run, seconds, onCancel, after: ports.after })
    }
    const folders = foldersOf(hook, ports.projectDir)
    return runHookCommand(
      {
        ...programOf(hook, folders),
        input,
        cwd: input.cwd,
        env: { ...ports.environment(hook.event), ...folders },
        seconds,
        onCancel,
      },
      { processes: ports.processes, after: ports.after, ...on },
    )
  }

  const runOne = async (hook: SettingsHook, occurrence: HookEventOccurrence): Promise<HookOutcome> => {
    const name = settingsHookName(hook)
    if (hook.if !== undefined) {
      const meant = await isMeant(hook.if, occurrence)
      if (meant === 'canceled') return { name, failure: 'cancelled' }
      // Another call may have run it while this one was looked at.
      if (!meant || (hook.once && used.has(settingsHookKey(hook)))) return { name, output: {} }
    }
    const about = {
      from: 'settings' as const,
      id: ports.uuid(),
      name: occurrence.name,
      event: hook.event,
      status: hook.statusMessage,
    }
    if (hook.type === 'unknown') return settle(hook, occurrence, unknownHookResult(hook))
    const observer = createObserver(about, ports.observe)
    if (hook.once) used.add(settingsHookKey(hook))
    return new Promise((resolve) => {
      let isLate = false
      const leaveRunning = () => {
        isLate = true
        resolve({ name, output: { async: true } })
      }
      const running = start(hook, occurrence, {
        onProgress: observer.progress,
        onAsync(ms) {
          if (isLate) return
          running.letGo(ms === undefined ? ASYNC_TIMEOUT : ms / 1000, background.subscribe)
          leaveRunning()
        },
      })
      if (isAsync(hook)) leaveRunning()
      void running.ended.then((end) => {
        const result = read(hook, occurrence, end)
        observeEnd(observer, end, result)
        const outcome = settle(hook, occurrence, result)
        if (isLate && hook.asyncRewake && 'byExitCode' in outcome) wake(occurrence, outcome)
        else if (isLate) ports.onLate(outcome)
        else resolve(outcome)
      })
    })
  }

  const wake = ({ name }: HookEventOccurrence, outcome: HookOutcome) => {
    const reason = syncHookOutputOf(outcome)?.reason ?? ''
    ports.wake(`A hook that ran beside the conversation (${name}) objects:\n${reason}`)
  }

  /** Whether the rule of `if` covers the call that the event is about. */
  const isMeant = async (rule: string, { input, onAbort }: HookEventOccurrence): Promise<boolean | 'canceled'> => {
    if (!('tool_name' in input)) return true
    let isOver = false
    const unsubscribe = onAbort(() => {
      isOver = true
    })
    const covers = await ports.ruleCovers(rule, { tool: input.tool_name, input: input.tool_input })
    unsubscribe()
    return isOver ? 'canceled' : covers
  }

  const settle = (hook: SettingsHook, { name }: HookEventOccurrence, result: SettingsHookResult): HookOutcome => {
    const { note, missing, outcome } = result
    const key = settingsHookKey(hook)
    if (note !== undefined && !(missing && known.has(key)))
      ports.report(`Hook ${name} ${settingsHookName(hook)} of ${hook.source}: ${note}`)
    if (missing) known.add(key)
    // One that did not work has not had its turn: otherwise a guard would be gone by failing.
    if ('failure' in outcome) used.delete(key)
    return outcome
  }

  return {
    has: (event: HookEvent) => ports.settingsHooks().some((hook) => hook.event === event),
    run(occurrence: HookEventOccurrence): Promise<HookOutcome>[] {
      const wanted = ports
        .settingsHooks()
        .filter((hook) => hook.event === occurrence.input.hook_event_name)
        .filter(({ agent }) => agent === undefined || agent === agentTypeOf(occurrence.input))
        .filter((hook) => !(hook.once && used.has(settingsHookKey(hook))))
        .filter(({ matcher }) => matcherApplies(matcher, occurrence.subjects))
      return withoutTwins(wanted).map((hook) => runOne(hook, occurrence))
    },
    /** Ends the hooks that nobody waits for. */
    close: background.tell,
  }
}

const isAsync = (hook: SettingsHook) => hook.async === true || hook.asyncRewake === true

const agentTypeOf = (input: HookInput) => ('agent_type' in input ? input.agent_type : undefined)

type KnownHook = Exclude<SettingsHook, { type: 'unknown' }>

type HookRunEvents = Pick<Parameters<typeof runHookCommand>[1], 'onProgress' | 'onAsync'>

/** Seconds for hooks that don't say how long they need; others have ten minutes. */
const DEFAULT_SECONDS: Partial<Record<SettingsHook['type'], number>> = { prompt: 30, agent: 60 }

function foldersOf({ pluginRoot }: SettingsHook, projectDir: string): Record<string, string> {
  return { CLAUDE_PROJECT_DIR: projectDir, ...(pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }) }
}

/** For PowerShell: without the user's profile and questions, which would change or hold up a guard. */
const POWERSHELL_ARGS = ['-NoProfile', '-NonInteractive', '-Command']

/** With `args` no shell reads anything, so the names of folders are filled in here, each within its own argument. */
function programOf(
  { command, args, shell }: Extract<SettingsHook, { type: 'command' }>,
  folders: Readonly<Record<string, string>>,
): { command: string; args?: string[] } {
  if (args === undefined)
    return shell === 'powershell' ? { command: 'pwsh', args: [...POWERSHELL_ARGS, command] } : { command }
  const fill = (text: string) =>
    text.replace(/\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR)\}/g, (whole, name: string) => folders[name] ?? whole)
  return { command: fill(command), args: args.map(fill) }
}

/** The same hook runs once, whichever files name it. */
function withoutTwins(hooks: readonly SettingsHook[]): SettingsHook[] {
  const seen = new Set<string>()
  return hooks.filter((hook) => {
    const { event: _event, matcher: _matcher, source: _source, timeout: _timeout, once: _once, ...rest } = hook
    const key = JSON.stringify({ ...rest, async: isAsync(hook), onFailure: hook.onFailure === 'block' })
    return !seen.has(key) && seen.add(key)
  })
}

function read(hook: SettingsHook, occurrence: HookEventOccurrence, end: HookRunEnd): SettingsHookResult {
  // Canceled from outside: nothing went wrong with the hook.
  if ('canceled' in end) return { outcome: { name: settingsHookName(hook), failure: 'cancelled' } }
  return 'unstarted' in end ? createUnstartedHookResult(hook, end.unstarted) : readHookEnd(hook, occurrence, end)
}

function observeEnd(observer: HookObserver, end: HookRunEnd, { outcome }: SettingsHookResult): void {
  if ('canceled' in end) observer.response('cancelled', {})
  else if ('unstarted' in end) observer.response('error', { stderr: end.unstarted })
  else if ('service' in end) observer.response('failure' in outcome ? 'error' : 'success', { output: end.service })
  else {
    const isWell = end.exitCode === 0 && !('failure' in outcome)
    const how = end.timedOutAfter !== undefined ? 'cancelled' : isWell ? 'success' : 'error'
    observer.response(how, end, end.exitCode ?? undefined)
  }
}
