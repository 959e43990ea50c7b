/**
 * Where the lines of a session go: its file, append-only, one write per line, and a host that keeps its own copy. When the
 * disk stops taking lines the session continues in memory, and says so once.
 */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { SyncFiles } from '../platform/files/files.js'
import type { ProcessLock } from '../platform/files/process-lock.js'
import { dirname } from '../platform/paths.js'
import { messageOf } from '../protocol/thrown.js'
import type { TranscriptLine } from '../protocol/transcript.js'
import { wrapKedgeLine } from './kedge-lines.js'
import { createSessionLabelRepeater, type SessionLabels } from './marks/labels.js'

export interface TranscriptLog {
  readonly path: string
  /** On disk when it returns, or told that it is not. Never throws. */
  append(line: TranscriptLine): void
  /** Calls back once, with a text for people, when lines no longer get to the disk. */
  onLost(tell: (message: string) => void): void
  /** No more lines; the session is free for others. */
  close(): void
}

export type TranscriptLogOptions = {
  files: SyncFiles
  path: string
  sessionId: string
  /** There is no file of it yet. */
  isNew: boolean
  /** Whether anything is written to disk. */
  persist: boolean
  /** Each line is on the disk itself, not only with the kernel, before the session continues. */
  sync: boolean
  /** Held already, or to be taken with the first line; what that throws is why nothing is saved. */
  lock: ProcessLock | (() => ProcessLock)
  /** The host's own copy. */
  mirror?: ((line: TranscriptLine) => void) | undefined
  labels: SessionLabels
}

export function createTranscriptLog(options: TranscriptLogOptions): TranscriptLog {
  const { files, path, sync, mirror } = options
  const labels = createSessionLabelRepeater(options)
  let lock = typeof options.lock === 'function' ? undefined : options.lock
  let usable = options.persist
  let closed = false
  let exists = !options.isNew
  let lost: string | undefined
  let tell: ((message: string) => void) | undefined

  const write = (text: string) => {
    if (!lock) {
      files.makeDirectorySync(dirname(path), 0o700)
      lock = typeof options.lock === 'function' ? options.lock() : options.lock
    } else if (!lock.isHeld()) {
      throw new Error('its lock was removed, or another process has taken it over')
    }
    try {
      // A file that begins in the middle would not be this session.
      files.appendSync(path, text, { sync, isThere: exists })
    } catch (error) {
      throw exists && systemErrorCode(error) === 'ENOENT' ? new Error(`${path} was removed`) : error
    }
    exists = true
  }
  const fail = (error: unknown) => {
    usable = false
    const reason = messageOf(error)
    lost = `This session can't be saved any more and goes on in memory only: ${reason}${wayOut(error)}`
    tell?.(lost)
  }

  return {
    path,
    append(line) {
      if (closed || (!usable && !mirror)) return
      const text = serialize(wrapKedgeLine(line, options.sessionId))
      if (usable) {
        try {
          write(`${text}\n`)
          const again = labels.dueAfter(text.length)
          if (again !== '') write(again)
        } catch (error) {
          fail(error)
        }
      }
      // A copy: what the host does with it must not change the conversation.
      mirror?.(JSON.parse(text))
    },
    onLost(listener) {
      tell = listener
      if (lost !== undefined) listener(lost)
    },
    close() {
      closed = true
      lock?.release()
    },
  }
}

function wayOut(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const elsewhere = 'or set CLAUDE_CONFIG_DIR to another folder'
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return `\nFix: free some space on that disk, ${elsewhere}.`
  if (['EROFS', 'EACCES', 'EPERM'].includes(code)) return `\nFix: make that folder writable, ${elsewhere}.`
  return ''
}

/** A result of a tool that can't be written down must not cost the line its message. */
function serialize(line: TranscriptLine): string {
  try {
    return JSON.stringify(line)
  } catch {
    return JSON.stringify({ ...line, toolUseResult: undefined })
  }
}
