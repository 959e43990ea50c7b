/** The background work of one session: who runs, how it ended, and who wants to know. */
import type {
  BackgroundEnd,
  BackgroundPort,
  BackgroundStatus,
  BackgroundTask,
  BackgroundType,
  BackgroundWork,
} from '../engine/background-port.js'
import type { PlatformIdentity } from '../platform/identity.js'
import { join } from '../platform/paths.js'

export type BackgroundTableOptions = {
  endsOvertime?: boolean
  identity: Pick<PlatformIdentity, 'hex'>
  /** The folder for outputs, made when it is first asked for. */
  outputFolder(): Promise<string>
  /** A file there was promised to somebody. */
  onOutputFile?(path: string): void
  onStarted(task: BackgroundTask): void
  onOutput?(task: BackgroundTask, text: string): void
  /** `told`: whoever stopped it knows already, and the model needs no notice. */
  onEnded(task: BackgroundTask, told: boolean): void
}

/** The background tasks of a session, by their IDs. */
export interface BackgroundTable extends BackgroundPort {
  running(): BackgroundTask[]
  /** Whether the model knows how it ended. */
  isTold(task: BackgroundTask): boolean
  /** Moves running calls to the background, all of them or the one; says how many there were. */
  moveToBackground(toolUseId?: string): number
  /** Ends everything; resolves when nothing runs any more. `reason`: in a few words, for those who are told. */
  stopAll(reason?: string): Promise<void>
}

/** Ids look like those of the original: a letter for the kind, then hex. */
const ID_SHAPES: Record<BackgroundType, [letter: string, digits: number]> = {
  local_bash: ['b', 6],
  local_agent: ['a', 16],
  in_process_teammate: ['t', 6],
  mcp_task: ['m', 6],
}

type Entry = { task: BackgroundTask; work: BackgroundWork; told: boolean; stopReason?: string | undefined }

export function createBackgroundTable(options: BackgroundTableOptions): BackgroundTable {
  const entries = new Map<string, Entry>()
  const reserved = new Set<string>()
  const offers = new Map<string, () => void>()
  let folder: Promise<string> | undefined

  const newId = (type: BackgroundType): string => {
    const [letter, digits] = ID_SHAPES[type]
    for (;;) {
      const id = letter + options.identity.hex(digits)
      if (reserved.has(id)) continue
      reserved.add(id)
      return id
    }
  }

  const stop = async (entry: Entry, reason: string | undefined) => {
    if (entry.task.status !== 'running') return
    entry.told = true
    entry.stopReason ??= reason
    entry.work.stop()
    await entry.task.ended
  }

  const running = () => [...entries.values()].filter(({ task }) => task.status === 'running')

  return {
    endsOvertime: options.endsOvertime === true,
    async prepare(type, given) {
      folder ??= options.outputFolder()
      const id = given ?? newId(type)
      const outputFile = join(await folder, `${id}.output`)
      options.onOutputFile?.(outputFile)
      return { id, outputFile }
    },
    adopt({ id, outputFile }, work) {
      const { task, finish } = createTask(id, outputFile, work)
      const entry: Entry = { task, work, told: false }
      entries.set(id, entry)
      options.onStarted(task)
      work.listen?.((text) => options.onOutput?.(task, text))
      void work.ended.then((end) => {
        const reason = end.status === 'stopped' ? entry.stopReason : undefined
        finish(reason === undefined ? end : { ...end, reason })
        options.onEnded(task, entry.told)
      })
      return task
    },
    find: (id) => entries.get(id)?.task,
    async stop(task, reason) {
      const entry = entries.get(task.id)
      if (entry) await stop(entry, reason)
    },
    noteTold({ id }) {
      const entry = entries.get(id)
      if (entry) entry.told = true
    },
    isTold: ({ id }) => entries.get(id)?.told === true,
    offer(toolUseId, move) {
      offers.set(toolUseId, move)
      return () => void (offers.get(toolUseId) === move && offers.delete(toolUseId))
    },
    running: () => running().map(({ task }) => task),
    moveToBackground(toolUseId) {
      const moves = [...offers].filter(([id]) => toolUseId === undefined || id === toolUseId)
      for (const [id, move] of moves) {
        offers.delete(id)
        move()
      }
      return moves.length
    },
    async stopAll(reason) {
      await Promise.all(running().map((entry) => stop(entry, reason)))
    },
  }
}

function createTask(
  id: string,
  outputFile: string,
  work: BackgroundWork,
): { task: BackgroundTask; finish(end: BackgroundEnd): void } {
  let state: Omit<BackgroundEnd, 'status'> & { status: BackgroundStatus } = { status: 'running', exitCode: null }
  let resolve = () => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const { type, description, toolUseId, command, overtime } = work
  const task: BackgroundTask = {
    id,
    outputFile,
    type,
    description,
    toolUseId,
    ...(command === undefined ? {} : { command }),
    ...(overtime ? { overtime } : {}),
    output: (limit) => work.output(limit),
    isResting: () => work.isResting?.() ?? false,
    ended,
    get status() {
      return state.status
    },
    get exitCode() {
      return state.exitCode
    },
    get reason() {
      return state.reason
    },
    get answer() {
      return state.answer
    },
    get usage() {
      return state.usage
    },
  }
  return {
    task,
    finish(end) {
      state = end
      resolve()
    },
  }
}
