/** Takes a session from a file that `exportStream` made, somewhere: the whole of it or nothing, and never over another one. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import type { SessionInfo } from '../../hub/session-types.js'
import type { SessionCatalog } from '../../hub/sessions.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import { homeFolder } from '../../platform/home.js'
import type { Person } from '../../protocol/session-log/ask-types.js'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { configFolder, sessionFilesFolder, transcriptPath } from '../../sessions/transcript-paths.js'
import { readBodyChunks } from './check-input.js'
import {
  adaptImportedLine,
  createDamagedLineProblem,
  ImportedLogReader,
  type ImportHeader,
  parseImportLine,
  readImportHeader,
} from './import-lines.js'
import { HttpProblem } from './problems.js'

export type ImportByteLimits = {
  /** Bytes of one line, and of all. */
  line: number
  whole: number
}

export type ImportContext = {
  hub: Pick<SessionCatalog, 'receive'>
  by: Person
  limits: ImportByteLimits
  /** The folder it is to work in here; rejects when it may not, or there is such a session. */
  folderFor(header: ImportHeader): Promise<string>
}

const MOST_FILES = 1000
/** Entries that are written at once. */
const TOGETHER = 500

/** Imports a session from an exported file. Throws a problem that names the line. */
export async function importSession(
  request: IncomingMessage,
  { hub, by, limits, folderFor }: ImportContext,
): Promise<SessionInfo> {
  const lines = parsedLines(request, limits)
  const first = await lines.next()
  if (first.done) throw createDamagedLineProblem(1, 'the file is empty.')
  const header = readImportHeader(first.value.value)
  const { id, cwd: from } = header
  const cwd = await folderFor(header)
  const { env } = process
  const transcript = transcriptPath({ configDir: configFolder(env, homeFolder(env)), cwd }, id)
  const spool = join(dirname(transcript), `.import-${randomUUID()}`)
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  const parts = new Map<string, string>()
  const keep = (subpath: string | undefined, line: object) => {
    const target = subpath === undefined ? transcript : `${join(sessionFilesFolder(transcript), subpath)}.jsonl`
    const file = parts.get(target) ?? join(spool, `${parts.size}`)
    parts.set(target, file)
    if (parts.size > MOST_FILES) throw new HttpProblem('invalid_import', `It has more than ${MOST_FILES} files.`)
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  }
  const entries = async function* (): AsyncGenerator<LogEntry[]> {
    const log = new ImportedLogReader(id, cwd)
    const counted = { lines: 0, entries: 0 }
    const some: LogEntry[] = []
    for await (const { value, line: at } of lines) {
      const part = parseImportLine(value, at)
      if (part.kind === 'end') {
        if (part.lines !== counted.lines || part.entries !== counted.entries)
          throw createDamagedLineProblem(at, 'lines of the file are missing.')
        if (!(await lines.next()).done) throw createDamagedLineProblem(at + 1, 'something follows the end.')
        yield [...some, ...log.closing(by, Date.now)]
        return
      }
      if (part.kind === 'entry') {
        counted.entries += 1
        some.push(log.take(part.entry, at))
        if (some.length >= TOGETHER) yield some.splice(0)
      } else {
        counted.lines += 1
        const kept = adaptImportedLine(part.line, at, { id, from, to: cwd })
        if (kept) keep(part.subpath, kept)
      }
    }
    throw new HttpProblem('invalid_import', 'The end of the file is missing.')
  }
  try {
    return await hub.receive(id, cwd, entries(), () => placeAll(parts))
  } finally {
    rmSync(spool, { recursive: true, force: true })
  }
}

/** Where something is already, nothing is put. */
function placeAll(parts: ReadonlyMap<string, string>): void {
  const placed: string[] = []
  try {
    for (const [target, file] of parts) {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      linkSync(file, target)
      placed.push(target)
    }
  } catch (error) {
    for (const target of placed) rmSync(target, { force: true })
    if (systemErrorCode(error) !== 'EEXIST') throw error
    throw new HttpProblem('session_in_use', 'There are files of a session with this id already.')
  }
}

async function* parsedLines(
  request: IncomingMessage,
  limits: ImportByteLimits,
): AsyncGenerator<{ value: unknown; line: number }, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let kept: Buffer[] = []
  let size = 0
  let line = 0
  const tooLarge = () => new HttpProblem('too_large', 'The file, or a line of it, is too large.')
  const parse = (bytes: Buffer) => {
    line += 1
    try {
      const value: unknown = JSON.parse(decoder.decode(bytes))
      // What is nested too deeply can be read and not written.
      JSON.stringify(value)
      return { value, line }
    } catch {
      throw createDamagedLineProblem(line, 'not JSON, or nested too deeply.')
    }
  }
  let length = 0
  for await (const chunk of readBodyChunks(request)) {
    size += chunk.length
    if (size > limits.whole) throw tooLarge()
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const whole = Buffer.concat([...kept, chunk.subarray(from, end)])
      ;[kept, length, from] = [[], 0, end + 1]
      if (whole.length > 0) yield parse(whole)
    }
    kept.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > limits.line) throw tooLarge()
  }
  const rest = Buffer.concat(kept)
  if (rest.length > 0) yield parse(rest)
}
