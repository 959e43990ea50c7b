/**
 * Lists sessions without reading them whole: the beginning of each file says how it began, its end what it is called and where
 * it stands. The newest come first, and only as many are opened as are asked for.
 */
import type { FileSystem, OpenFile } from '../platform/files/files.js'
import { join } from '../platform/paths.js'
import { addToSummary, type SessionSummaryData, toSessionInfo } from '../protocol/session-summary.js'
import type { SDKSessionInfo } from '../protocol/stored-sessions.js'
import { readArchiveMarkSync } from './marks/archive.js'
import { openTranscript } from './resume.js'
import { projectsFolder, sessionIdOfFile, transcriptPathInFolder } from './transcript-paths.js'

export type SessionFile = { sessionId: string; path: string; mtimeMs: number; size: number }

const WINDOW = 64 * 1024
/** A first prompt with a document in it may be longer. */
const LARGE_WINDOW = 1024 * 1024
/** Number of files read at once. */
const AT_ONCE = 8

export type ListRange = { limit?: number | undefined; offset?: number | undefined }

/** Which of them are shown. */
type Shown = { includeProgrammatic?: boolean | undefined }

/** The folders of all working directories. */
export async function listProjectFolders(files: FileSystem, configDir: string): Promise<string[]> {
  const root = projectsFolder(configDir)
  const entries = await files.entries(root).catch(() => [])
  return entries.flatMap(({ name, kind }) => (kind === 'directory' || kind === 'symlink' ? join(root, name) : []))
}

/** Newest first. */
export async function sessionFiles(files: FileSystem, folders: readonly string[]): Promise<SessionFile[]> {
  const found = new Map<string, SessionFile>()
  for (const folder of folders) {
    for (const name of await files.list(folder).catch(() => [])) {
      const sessionId = sessionIdOfFile(name)
      if (sessionId === undefined) continue
      const path = transcriptPathInFolder(folder, sessionId)
      const stat = await files.stat(path).catch(() => undefined)
      const known = found.get(sessionId)
      if (stat?.kind !== 'file' || (known && known.mtimeMs >= stat.mtimeMs)) continue
      found.set(sessionId, { sessionId, path, mtimeMs: stat.mtimeMs, size: stat.size })
    }
  }
  return [...found.values()].sort((a, b) => b.mtimeMs - a.mtimeMs)
}

/** Those that have something to show, as many as asked for. */
export async function readSessionInfosFromFiles(
  files: FileSystem,
  sessions: readonly SessionFile[],
  { limit, offset = 0, ...shown }: ListRange & Shown,
): Promise<SDKSessionInfo[]> {
  const wanted = limit === undefined || limit <= 0 ? Number.POSITIVE_INFINITY : limit + Math.max(0, offset)
  const infos: SDKSessionInfo[] = []
  for (let at = 0; at < sessions.length && infos.length < wanted; at += AT_ONCE) {
    const batch = sessions.slice(at, at + AT_ONCE).map((session) => readSessionInfoFromFile(files, session, shown))
    infos.push(...(await Promise.all(batch)).flatMap((info) => info ?? []))
  }
  return infos.slice(Math.max(0, offset), wanted)
}

/** Returns a session's listing. Undefined when there is nothing to show, or nothing can be read. */
export async function readSessionInfoFromFile(
  files: FileSystem,
  { path, sessionId, mtimeMs, size }: SessionFile,
  { includeProgrammatic = true }: Shown = {},
): Promise<SDKSessionInfo | undefined> {
  const file = await openTranscript(files, path).catch(() => undefined)
  if (!file) return undefined
  try {
    const data: SessionSummaryData = {}
    const begin = await readBegin(file, data)
    if (begin < file.stat.size) await readEnd(file, data, Math.max(begin, file.stat.size - WINDOW))
    if (!includeProgrammatic && data.entrypoint?.startsWith('sdk-')) return undefined
    const info = toSessionInfo(sessionId, mtimeMs, data, size)
    const mark = info && readArchiveMarkSync(files, path)
    return mark ? { ...info, archived: mark.archived && !(await wentOn(file, mark.at)) } : info
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

/** Something was said since. */
async function wentOn(file: OpenFile, since: number): Promise<boolean> {
  const lines = decoder.decode(await readBytes(file, Math.max(0, file.stat.size - WINDOW), WINDOW)).split('\n')
  const times = lines.filter((line) => /"type":\s*"(?:user|assistant)"/.test(line)).map(timeOf)
  return times.some((time) => time > since)
}

function timeOf(line: string): number {
  return Date.parse(/"timestamp":\s*"([^"]{1,40})"/.exec(line)?.[1] ?? '')
}

/** Returns up to where it has read whole lines. */
async function readBegin(file: OpenFile, data: SessionSummaryData): Promise<number> {
  const { size } = file.stat
  for (let window = WINDOW; ; window = LARGE_WINDOW) {
    const bytes = await readBytes(file, 0, window)
    // A line that continues behind the window is left to the next look.
    const whole = bytes.length < size ? bytes.lastIndexOf(NEWLINE) + 1 : bytes.length
    const lines = decoder.decode(bytes.subarray(0, whole)).split('\n')
    for (const line of lines) if (data.firstPrompt === undefined || isLabel(line)) addLine(data, line)
    addBranch(data, lines)
    if (data.firstPrompt !== undefined || bytes.length === size || window === LARGE_WINDOW) return whole
  }
}

async function readEnd(file: OpenFile, data: SessionSummaryData, from: number): Promise<void> {
  const lines = decoder.decode(await readBytes(file, from, WINDOW)).split('\n')
  for (const line of lines) if (isLabel(line)) addLine(data, line)
  addBranch(data, lines)
}

/** Where it stood last. */
function addBranch(data: SessionSummaryData, lines: readonly string[]): void {
  const last = lines.findLast((line) => line.includes('"gitBranch":'))
  if (last !== undefined) addLine(data, last)
}

async function readBytes(file: OpenFile, from: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(Math.min(length, Math.max(0, file.stat.size - from)))
  return buffer.subarray(0, await file.read(buffer, from))
}

const decoder = new TextDecoder()
const NEWLINE = 10
const MAX_LABEL = 8192

/** Short lines that say something about the session as a whole. */
function isLabel(line: string): boolean {
  return line.length < MAX_LABEL && /"type":\s*"(?:custom-title|ai-title|tag|last-prompt|summary)"/.test(line)
}

function addLine(data: SessionSummaryData, line: string): void {
  try {
    addToSummary(data, JSON.parse(line))
  } catch {
    // Torn or damaged: what others say counts.
  }
}
