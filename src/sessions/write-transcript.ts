/** Writes down a session line by line: a chain of messages, what waits in the queue, what requests cost. */

import type { SyncFiles } from '../platform/files/files.js'
import { join } from '../platform/paths.js'
import type { ContentBlockParam, UUID } from '../protocol/content.js'
import type {
  TranscriptAssistantLine,
  TranscriptCompactBoundaryLine,
  TranscriptCostLine,
  TranscriptFileHistoryDelta,
  TranscriptFileHistoryLine,
  TranscriptOtherFileDelta,
  TranscriptQuestionLine,
  TranscriptQueueLine,
  TranscriptResponseEndLine,
  TranscriptToolStartLine,
  TranscriptToolWaitLine,
  TranscriptUserLine,
} from '../protocol/transcript.js'
import type { TranscriptLog } from './transcript-log.js'

/** The release whose files ours look like; readers branch on it. */
export const TRANSCRIPT_VERSION = '2.1.50'

export type TranscriptWriterOptions = {
  files: SyncFiles
  log: TranscriptLog
  sessionId: string
  cwd: string
  /** The line new ones follow, when a session continues. */
  parent: string | null
  now(): number
  /** It is a sub-agent's own, which was started by that call. */
  agentId?: string
  parentToolUseId?: string
  newId(): UUID
}

/** Names of branches are short. */
const MAX_HEAD = 4096

/** What the transcript fills in by itself. */
type Filled = 'parentUuid' | 'isSidechain' | 'userType' | 'cwd' | 'sessionId' | 'version' | 'gitBranch' | 'timestamp'

export interface TranscriptWriter {
  readonly path: string
  /** `context`: what the model reads before it. On the same line: the first line of a user is what the user said. */
  user(fields: Omit<TranscriptUserLine, Filled | 'modelContext'>, context?: readonly ContentBlockParam[]): void
  assistant(fields: Omit<TranscriptAssistantLine, Filled>): void
  /** What the model reads and nobody said, such as reminders. Nothing when there is none. */
  context(blocks: readonly ContentBlockParam[]): void
  queue(operation: TranscriptQueueLine['operation'], content?: string): void
  /** What was before is summed up in the line that follows. */
  boundary(uuid: UUID, compactMetadata: TranscriptCompactBoundaryLine['compactMetadata']): void
  /** One request to the model: when its answer begins, and when it is over. */
  cost(entry: Omit<TranscriptCostLine, 'sessionId' | 'timestamp'>): void
  /** What the session is called, from its next message on. */
  title(title: string): void
  /** Not part of the chain: a question about a call, or what became of it. */
  question(line: Omit<TranscriptQuestionLine, 'sessionId' | 'timestamp'>): void
  /** Not part of the chain: a call is about to run. */
  start(line: Pick<TranscriptToolStartLine, 'toolUseId' | 'toolName'>): void
  /** Not part of the chain: a running call waits for a user, or acts again. */
  wait(line: Pick<TranscriptToolWaitLine, 'toolUseId' | 'toolName' | 'state'>): void
  /** Not part of the chain: an answer is whole. */
  answerEnd(line: Pick<TranscriptResponseEndLine, 'messageId' | 'stopReason'>): void
  /** What files were like, for going back to it. */
  fileHistory(line: TranscriptFileHistoryLine | TranscriptFileHistoryDelta | TranscriptOtherFileDelta): void
  /** Where the next line attaches; set back to leave void lines on a side branch. */
  parent: string | null
}

export function createTranscriptWriter(options: TranscriptWriterOptions): TranscriptWriter {
  const { files, log, sessionId, cwd } = options
  let branch: string | undefined
  let title: string | undefined

  const chained = () => {
    branch ??= gitBranch(files, cwd)
    return {
      parentUuid: transcript.parent,
      isSidechain: options.agentId !== undefined,
      userType: 'external' as const,
      cwd,
      sessionId,
      version: TRANSCRIPT_VERSION,
      gitBranch: branch,
      ...(options.agentId === undefined ? {} : { agentId: options.agentId }),
      ...(options.parentToolUseId === undefined ? {} : { parentToolUseID: options.parentToolUseId }),
    }
  }
  let latest = 0
  /** No two lines of a conversation have the same: the original continues from the first of those with the latest. */
  const timestamp = () => {
    latest = Math.max(options.now(), latest + 1)
    return new Date(latest).toISOString()
  }

  const transcript: TranscriptWriter = {
    path: log.path,
    parent: options.parent,
    user({ uuid, type, message, ...rest }, context = []) {
      const own = context.length === 0 ? {} : { modelContext: [...context] }
      log.append({ ...chained(), type, message, uuid, timestamp: timestamp(), ...rest, ...own })
      transcript.parent = uuid
      if (title !== undefined) log.append({ type: 'custom-title', customTitle: title, sessionId })
      title = undefined
    },
    assistant({ uuid, type, message, requestId, ...rest }) {
      log.append({
        ...chained(),
        message,
        ...(requestId === undefined ? {} : { requestId }),
        type,
        uuid,
        timestamp: timestamp(),
        ...rest,
      })
      transcript.parent = uuid
    },
    context(blocks) {
      if (blocks.length === 0) return
      const message = { role: 'user' as const, content: [...blocks] }
      transcript.user({ type: 'user', message, uuid: options.newId(), isMeta: true })
    },
    boundary(uuid, compactMetadata) {
      const logicalParentUuid = transcript.parent ?? ''
      transcript.parent = null
      const content = 'Conversation compacted'
      const about = { type: 'system', subtype: 'compact_boundary', content, isMeta: false, level: 'info' } as const
      log.append({ ...chained(), logicalParentUuid, ...about, timestamp: timestamp(), uuid, compactMetadata })
      transcript.parent = uuid
    },
    cost({ type, ...entry }) {
      log.append({ type, sessionId, timestamp: timestamp(), ...entry })
    },
    question({ type, ...line }) {
      log.append({ type, sessionId, timestamp: timestamp(), ...line })
    },
    start(line) {
      log.append({ type: 'tool-start', sessionId, timestamp: timestamp(), ...line })
    },
    wait(line) {
      log.append({ type: 'tool-wait', sessionId, timestamp: timestamp(), ...line })
    },
    answerEnd(line) {
      log.append({ type: 'answer-end', sessionId, timestamp: timestamp(), ...line })
    },
    title(given) {
      title = given.replaceAll(/\s+/g, ' ').trim()
    },
    fileHistory: log.append,
    queue(operation, content) {
      log.append({
        type: 'queue-operation',
        operation,
        timestamp: timestamp(),
        sessionId,
        ...(content === undefined ? {} : { content }),
      })
    },
  }
  return transcript
}

/** The branch checked out in `cwd`; `HEAD` when there is none to name. */
function gitBranch(files: SyncFiles, cwd: string): string {
  try {
    const head = files.readTextSync(join(cwd, '.git', 'HEAD'), MAX_HEAD)
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? 'HEAD'
  } catch {
    return 'HEAD'
  }
}
