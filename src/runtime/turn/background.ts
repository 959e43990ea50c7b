/**
 * Background work as the session lives with it: a turn that starts some says so before its result, and work that ends is
 * reported to the host and starts a turn of its own, so that the model hears of it.
 */

import { createBackgroundTable } from '../../background/background-table.js'
import { createTaskEndPromptText, taskEndSummary } from '../../background/end-notice.js'
import { createTaskOutputFolder } from '../../background/output-folder.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import type { SDKTaskUpdatedMessage } from '../../protocol/messages.js'
import type { LimitSettings } from '../../protocol/option-table/start-settings.js'
import type { DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { LiveSettings } from '../live-settings.js'
import type { RecordingEmitter } from '../messages/emitter.js'
import type { BackgroundTaskProgress, StartedBackgroundTask } from '../messages/notices.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { temporaryFolder } from '../permission/session-sandbox.js'
import { createTurnEndBackgroundPolicy } from './turn-end.js'

export type BackgroundPorts = {
  settings: SessionLocation &
    Pick<DiscoveredConfiguration, 'sandbox'> &
    Pick<LimitSettings, 'onTurnEnd' | 'backgroundCeilingMs' | 'prints'>
  live: LiveSettings
  platform: Platform
  emitter: RecordingEmitter
  /** False: the session has spent what it may, and nobody asked for the turns that tasks start. */
  mayAsk(): boolean
  /** Queues the turn that tells the model. False: there will be no more turns. */
  submit(message: UserTurnMessage): boolean
  /** Something ended without a turn to follow. */
  onQuiet(): void
  /** Lists a file that goes with the session; undefined: nothing of the session stays. */
  noteOutput: ((path: string) => void) | undefined
  /** Tells the model with the next message of the user, whenever that comes. */
  tellLater(text: string): void
}

export type SessionBackground = ReturnType<typeof createSessionBackground>

export function createSessionBackground(ports: BackgroundPorts) {
  const { settings, live, platform, emitter, mayAsk, submit, onQuiet } = ports
  const { files, identity, processes, workspace } = platform
  const unannounced = new Map<string, StartedBackgroundTask>()
  const announced = new Set<string>()
  let folder: string | undefined
  const onRest: (() => void)[] = []

  /** As observed: just before the result of the turn, not when the work starts. */
  const announceStarts = () => {
    for (const task of unannounced.values()) {
      announced.add(task.id)
      emitter.taskStarted(task)
    }
    unannounced.clear()
  }
  const noteStart = (task: StartedBackgroundTask) => {
    if (!announced.has(task.id)) unannounced.set(task.id, task)
  }
  const announceEnd = (task: BackgroundTask) => {
    announceStarts()
    emitter.taskUpdated(task.id, endOf(task, platform.clock.now()))
    emitter.taskEnded(task, taskEndSummary(task))
  }

  const printed = collectOutput(platform.clock, emitter)
  const outputFolder = async () => {
    const temporary = temporaryFolder({ env: live.env, sandbox: settings.sandbox }, platform)
    folder = await createTaskOutputFolder({ files, identity, temporary, cwd: settings.cwd })
    return folder
  }
  const outputs = new Set<string>()
  const noteOutput = (path: string) => {
    if (outputs.has(path)) return
    outputs.add(path)
    ports.noteOutput?.(path)
  }
  const table = createBackgroundTable({
    identity,
    endsOvertime: settings.prints === true,
    outputFolder,
    onOutputFile: noteOutput,
    onStarted(task) {
      // Hosts know it already: it was waited for until now.
      if (announced.has(task.id)) emitter.taskUpdated(task.id, { is_backgrounded: true })
      noteStart(task)
      emitter.tasksChanged(pending())
    },
    onOutput: (task, text) => printed.take(task, text),
    onEnded(task, told) {
      printed.flush(task.id)
      emitter.tasksChanged(pending())
      const isDetached = settings.onTurnEnd === 'detach'
      // The lead of a team is written to by its mates, or hears of their end by mail.
      const isHeard = told || task.type === 'in_process_teammate'
      if (!isHeard && !isDetached && mayAsk() && submit(noticeMessage(task))) return
      if (!isHeard && isDetached) ports.tellLater(createTaskEndPromptText(task))
      announceEnd(task)
      onQuiet()
    },
  })

  /** What somebody has to wait for. */
  const busy = () => table.running().filter((task) => !task.isResting?.())
  const pending = () => busy().map(({ id, type, description }) => ({ task_id: id, task_type: type, description }))
  const letGo = () => {
    processes.unref()
    workspace.processes.unref()
  }
  const turnEnd = createTurnEndBackgroundPolicy({ settings, clock: platform.clock, table, busy, letGo, submit })

  return {
    table,
    turnEnd,
    /** A task has nothing to do for now. */
    rested() {
      for (const resolve of onRest.splice(0)) resolve()
      onQuiet()
    },
    /** Work that hosts are told of though nobody has to wait for it: an agent in the foreground. */
    noteStart,
    announceStarts,
    announceEnd,
    /** What an agent does, once hosts know that it is there. */
    progress(fields: BackgroundTaskProgress) {
      if (announced.has(fields.task_id)) emitter.taskProgress(fields)
    },
    /** Where what does not fit into the conversation is kept. */
    async keptFile(name: string): Promise<string> {
      const path = join(await outputFolder(), name)
      noteOutput(path)
      return path
    },
    /** Outputs of earlier processes of the session lie there, too. The model can read it from now on. */
    outputFolder,
    /** What the model may read beside the working directories. */
    readableFolders: () => (folder === undefined ? [] : [folder]),
    pending,
    /** The turn is over, and with it commands that reached their time limit, where nobody waits for those. */
    async endOvertime(): Promise<void> {
      if (!settings.prints) return
      const overdue = table.running().filter(({ overtime }) => overtime)
      await Promise.all(overdue.map((task) => table.stop(task, 'it reached its time limit, and the turn is over')))
    },
    /** Resolves when no task is at work; what they started may have queued a turn. */
    async ended(): Promise<void> {
      for (let running = busy(); running.length > 0; running = busy()) {
        const rested = new Promise<void>((resolve) => onRest.push(resolve))
        await Promise.race([rested, ...running.map((task) => task.ended)])
      }
    },
    /** Ends every task, and every process a command left behind; `first` is what may take its leave before that. */
    async stop(first: () => Promise<void> = async () => {}): Promise<void> {
      turnEnd.disarm()
      await Promise.all([table.stopAll('the session ended'), first()])
      await Promise.all([processes.close(), workspace.processes.close()])
      if (!ports.noteOutput) await Promise.all([...outputs].map((path) => files.remove(path).catch(() => {})))
    },
  }
}

function endOf({ status, reason }: BackgroundTask, now: number): SDKTaskUpdatedMessage['patch'] {
  return {
    status: status === 'stopped' ? 'killed' : status,
    end_time: now,
    ...(status === 'failed' && reason !== undefined ? { error: reason } : {}),
  }
}

function noticeMessage(task: BackgroundTask): UserTurnMessage {
  const text = createTaskEndPromptText(task)
  return { uuid: undefined, content: text, blocks: [{ type: 'text', text }], text, task }
}

/** How often what a command prints is passed on, and how much of it at once. */
const OUTPUT_EVERY = 200
const MAX_OUTPUT = 65_536

/** What commands in the background print, told a few times a second. */
function collectOutput({ now, after }: Platform['clock'], emitter: Pick<RecordingEmitter, 'taskOutput'>) {
  const open = new Map<string, { task: BackgroundTask; text: string; cancel: () => void }>()
  const begun = new Map<string, number>()
  const flush = (id: string) => {
    const due = open.get(id)
    if (!due) return
    open.delete(id)
    due.cancel()
    emitter.taskOutput(due.task, Math.floor((now() - (begun.get(id) ?? now())) / 1000), due.text)
  }
  return {
    flush,
    take(task: BackgroundTask, text: string) {
      if (!begun.has(task.id)) begun.set(task.id, now())
      const due = open.get(task.id)
      if (due) due.text = (due.text + text).slice(-MAX_OUTPUT)
      else open.set(task.id, { task, text, cancel: after(OUTPUT_EVERY, () => flush(task.id)) })
    },
  }
}
