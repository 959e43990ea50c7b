/** Work that continues beside the conversation, as the tools and the session see it: commands now, agents and mates too. */

import type { SDKTaskNotificationMessage } from '../protocol/messages.js'

export type BackgroundUsage = NonNullable<SDKTaskNotificationMessage['usage']>

export type BackgroundType = 'local_bash' | 'local_agent' | 'in_process_teammate' | 'mcp_task'

/** `stopped`: somebody ended it; `failed`: it ended by itself, badly. */
export type BackgroundStatus = 'running' | 'completed' | 'failed' | 'stopped'

export type BackgroundEnd = {
  status: Exclude<BackgroundStatus, 'running'>
  /** Exit code of a command that ended on its own. */
  exitCode: number | null
  /** In a few words, where the status alone says too little. */
  reason?: string
  /** What an agent answered, and what it took. */
  answer?: string
  usage?: BackgroundUsage
}

/** A piece of work, as whoever does it hands it over. */
export interface BackgroundWork {
  readonly type: BackgroundType
  readonly description: string
  readonly toolUseId: string
  /** The command line, of a command. */
  readonly command?: string
  /** What was put out so far, at most `limit` characters: a longer text loses its middle, with a note where all of it is. */
  output(limit: number): Promise<string>
  /** Resolves when it is over and nothing of it runs any more; never rejects. */
  readonly ended: Promise<BackgroundEnd>
  /** Ends it for real. `ended` resolves soon after, with status `stopped`. */
  stop(): void
  /** Calls back with what is put out from now on, as it comes. */
  listen?(take: (text: string) => void): void
  /** It reached its time limit: whoever started it meant to wait for its end. */
  readonly overtime?: true
  /** It has nothing to do and waits to be written to: nobody has to wait for it. */
  isResting?(): boolean
}

/** A task in the table of its session. */
export interface BackgroundTask extends Omit<BackgroundWork, 'ended' | 'stop' | 'listen'> {
  readonly id: string
  readonly outputFile: string
  readonly status: BackgroundStatus
  readonly exitCode: number | null
  readonly reason?: string
  readonly answer?: string
  readonly usage?: BackgroundUsage
  /** Resolves when `status` is no longer `running`. */
  readonly ended: Promise<void>
}

export interface BackgroundPort {
  /** Whether a command that exceeded its time limit ends with the turn, because no later turn could report it. */
  readonly endsOvertime?: boolean
  /** An id that no task of the session has, or the one given, and the file its output belongs in. The file's folder exists
   *  and is ours alone. */
  prepare(type: BackgroundType, id?: string): Promise<{ id: string; outputFile: string }>
  /** From here on the work is listed, reported to model and host when it ends, and ended with the session. */
  adopt(prepared: { id: string; outputFile: string }, work: BackgroundWork): BackgroundTask
  find(id: string): BackgroundTask | undefined
  /** Ends a running task; resolves when it is over. The model is not told again of what it stopped itself. */
  stop(task: BackgroundTask, reason?: string): Promise<void>
  /** The model has read how it ended: no turn has to tell it. */
  noteTold(task: BackgroundTask): void
  /** Announces that a running call can continue in the background: `move` does it. The returned function takes the offer back. */
  offer(toolUseId: string, move: () => void): () => void
}
