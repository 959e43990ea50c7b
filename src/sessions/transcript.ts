/** Writes a session's file: append-only, one write per line, on disk before the message it records goes out. */

import type { FileSystem } from '../platform/files.js'
import { dirname, join } from '../platform/paths.js'
import type { UUID } from '../protocol/content.js'
import type {
  TranscriptAssistantLine,
  TranscriptCompactBoundaryLine,
  TranscriptLine,
  TranscriptQueueLine,
  TranscriptUserLine,
} from '../protocol/transcript.js'

/** The release whose files ours look like; readers branch on it. */
export const COMPATIBLE_VERSION = '2.1.50'

export type TranscriptOptions = {
  files: FileSystem
  path: string
  sessionId: string
  cwd: string
  /** Whether anything is written at all. */
  persist: boolean
  /** The line new ones follow, when a session goes on. */
  parent: string | null
  now(): number
  /** Called once, when the disk stops taking lines; the session goes on in memory. */
  onFailure(message: string): void
}

/** Names of branches are short. */
const MAX_HEAD = 4096

/** What the transcript fills in by itself. */
type Filled = 'parentUuid' | 'isSidechain' | 'userType' | 'cwd' | 'sessionId' | 'version' | 'gitBranch' | 'timestamp'

export interface Transcript {
  readonly path: string
  user(fields: Omit<TranscriptUserLine, Filled>): void
  assistant(fields: Omit<TranscriptAssistantLine, Filled>): void
  queue(operation: TranscriptQueueLine['operation'], content?: string): void
  /** What was before is summed up in the line that follows. */
  boundary(uuid: UUID, compactMetadata: TranscriptCompactBoundaryLine['compactMetadata']): void
  /** Where the next line attaches; set back to leave void lines on a side branch. */
  parent: string | null
}

export function createTranscript(options: TranscriptOptions): Transcript {
  const { files, path, sessionId, cwd } = options
  let usable = options.persist
  let opened = false
  let branch: string | undefined

  const write = (line: TranscriptLine) => {
    if (!usable) return
    try {
      if (!opened) files.makeDirectorySync(dirname(path), 0o700)
      opened = true
      files.appendSync(path, `${JSON.stringify(line)}\n`)
    } catch (error) {
      usable = false
      const reason = error instanceof Error ? error.message : String(error)
      options.onFailure(`This session can't be saved and goes on in memory only: ${reason}`)
    }
  }

  const chained = () => {
    branch ??= gitBranch(files, cwd)
    return {
      parentUuid: transcript.parent,
      isSidechain: false,
      userType: 'external' as const,
      cwd,
      sessionId,
      version: COMPATIBLE_VERSION,
      gitBranch: branch,
    }
  }
  const timestamp = () => new Date(options.now()).toISOString()

  const transcript: Transcript = {
    path,
    parent: options.parent,
    user({ uuid, type, message, ...rest }) {
      write({ ...chained(), type, message, uuid, timestamp: timestamp(), ...rest })
      transcript.parent = uuid
    },
    assistant({ uuid, type, message, requestId, ...rest }) {
      write({
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
    boundary(uuid, compactMetadata) {
      const logicalParentUuid = transcript.parent ?? ''
      transcript.parent = null
      const content = 'Conversation compacted'
      const about = { type: 'system', subtype: 'compact_boundary', content, isMeta: false, level: 'info' } as const
      write({ ...chained(), logicalParentUuid, ...about, timestamp: timestamp(), uuid, compactMetadata })
      transcript.parent = uuid
    },
    queue(operation, content) {
      write({
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
function gitBranch(files: FileSystem, cwd: string): string {
  try {
    const head = files.readTextSync(join(cwd, '.git', 'HEAD'), MAX_HEAD)
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? 'HEAD'
  } catch {
    return 'HEAD'
  }
}
