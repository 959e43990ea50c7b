/** Entries in files, line n is entry n: finds them without reading what comes before, and passes whole lines on as they are. */
import type { FileSystem } from '../../platform/files/files.js'
import { isObject } from '../../protocol/json.js'
import type { LogEntry, SerializedLogEntry } from '../../protocol/session-log/entries.js'
import { readLinesFrom } from './log-lines.js'

/** Where an entry begins in its file. */
type Mark = { seq: number; offset: number }

/** Marks closer than this would only take memory. */
const DISTANCE = 256 * 1024

export class LogReader {
  readonly #files: FileSystem
  /** Some positions in each file, by path, in order, so a late reader doesn't start from the beginning. */
  readonly #marks = new Map<string, Mark[]>()
  /** Lines of each file, from the first on, that this process has written or read: they are whole. */
  readonly #whole = new Map<string, number>()

  constructor(files: FileSystem) {
    this.#files = files
  }

  async *entries(path: string, session: string, after: number): AsyncGenerator<LogEntry[], void> {
    for await (const { lines, first } of this.#linesAfter(path, after)) {
      const entries = lines.map((line, n) => toEntry(line, session, first + n))
      const broken = entries.findIndex(({ at }) => at === '')
      const end = first + (broken < 0 ? entries.length : broken) - 1
      const whole = this.#whole.get(path) ?? 0
      if (first <= whole + 1 && end > whole) this.#whole.set(path, end)
      yield entries
    }
  }

  async *texts(path: string, session: string, after: number): AsyncGenerator<SerializedLogEntry[], void> {
    const head = `{"session":${JSON.stringify(session)},`
    for await (const { lines, first } of this.#linesAfter(path, after)) {
      const whole = this.#whole.get(path) ?? 0
      yield lines.map((line, n): SerializedLogEntry => {
        const seq = first + n
        const kind = seq <= whole ? kindOf(line, seq) : undefined
        if (kind) return { seq, kind, text: head + line.slice(1) }
        const entry = toEntry(line, session, seq)
        return { seq, kind: entry.kind, text: JSON.stringify(entry) }
      })
    }
  }

  /** Notes that `count` entries were added to the file: the first has number `seq` and starts at `offset`. */
  wrote(path: string, { seq, offset, count }: Mark & { count: number }): void {
    this.#remember(path, { seq, offset })
    if ((this.#whole.get(path) ?? 0) === seq - 1) this.#whole.set(path, seq + count - 1)
  }

  forget(path: string): void {
    this.#marks.delete(path)
    this.#whole.delete(path)
  }

  /** Some at a time; `first` is the number of the first of them. */
  async *#linesAfter(path: string, after: number): AsyncGenerator<{ lines: string[]; first: number }, void> {
    const from = this.#marks.get(path)?.findLast(({ seq }) => seq <= after + 1) ?? { seq: 1, offset: 0 }
    let next = from.seq
    for await (const { lines, start } of readLinesFrom(this.#files, path, from.offset)) {
      this.#remember(path, { seq: next, offset: start })
      const first = next
      next += lines.length
      if (next - 1 <= after) continue
      const skipped = Math.max(0, after + 1 - first)
      yield { lines: skipped === 0 ? lines : lines.slice(skipped), first: first + skipped }
    }
  }

  #remember(path: string, mark: Mark): void {
    const known = this.#marks.get(path) ?? []
    const last = known.at(-1)
    if (last && mark.offset < last.offset + DISTANCE) return
    known.push(mark)
    this.#marks.set(path, known)
  }
}

export function entryToJsonLine({ session: _, ...entry }: LogEntry): string {
  return `${JSON.stringify(entry)}\n`
}

/** Undefined: not as `entryToJsonLine` writes the entry of that number. */
function kindOf(line: string, seq: number): LogEntry['kind'] | undefined {
  const [, number, kind] = /^\{"seq":(\d+),"at":"[^"\\]+","kind":"(\w+)","data":/.exec(line) ?? []
  return Number(number) === seq && line.endsWith('}') ? (kind as LogEntry['kind']) : undefined // as it was written
}

/** A damaged line keeps its number, without content, so the numbers of the others stay right. */
function toEntry(line: string, session: string, seq: number): LogEntry {
  const nothing: LogEntry = { session, seq, at: '', kind: 'state', data: {} }
  try {
    const entry = JSON.parse(line) // written by `entryToJsonLine`
    return typeof entry?.kind === 'string' && isObject(entry.data) ? { session, ...entry, seq } : nothing
  } catch {
    return nothing
  }
}
