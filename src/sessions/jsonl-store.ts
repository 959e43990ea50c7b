/** The sessions on this disk, behind the same interface as a store of a host's own. */
import type { FileSystem } from '../platform/files/files.js'
import { dirname, join } from '../platform/paths.js'
import type { SessionKey, SessionStore, SessionStoreEntry } from '../protocol/stored-sessions.js'
import { parseLine, salvageRecords, visitFileLines } from './file-lines.js'
import { openTranscript } from './resume.js'
import { sessionFiles } from './session-file-lists.js'
import {
  isSessionId,
  lockPath,
  projectsFolder,
  sessionFilesFolder,
  transcriptPathInFolder,
} from './transcript-paths.js'

export type JsonlSessionStore = Required<Omit<SessionStore, 'leases' | 'listSessionSummaries'>>

const NEWLINE = 10
const PLAIN_NAME = /^[\w-]+$/
const PLAIN_PATH = /^[\w-]+(?:\/[\w-]+)*$/

export function createJsonlSessionStore(files: FileSystem, configDir: string): JsonlSessionStore {
  return {
    async append(key, entries) {
      const path = pathOf(configDir, key)
      files.makeDirectorySync(dirname(path), 0o700)
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      // A line that a crash tore is closed off, so that it does not swallow the next.
      const end = files.existsSync(path) ? files.readEndSync(path, 1)[0] : undefined
      files.appendSync(path, end === undefined || end === NEWLINE ? lines : `\n${lines}`)
    },
    async load(key) {
      const file = await openTranscript(files, pathOf(configDir, key))
      if (!file) return null
      const entries: SessionStoreEntry[] = []
      try {
        await visitFileLines(file, file.stat.size, ({ bytes }) => {
          if (!bytes) return
          const parsed = parseLine(bytes)
          entries.push(...(parsed ? [parsed.value] : salvageRecords(bytes).records).filter(isEntry))
        })
      } finally {
        await file.close()
      }
      return entries
    },
    async listSessions(projectKey) {
      const found = await sessionFiles(files, [folderOf(configDir, projectKey)])
      return found.map(({ sessionId, mtimeMs }) => ({ sessionId, mtime: Math.floor(mtimeMs) }))
    },
    async delete(key) {
      const path = pathOf(configDir, key)
      await files.remove(path)
      if (key.subpath !== undefined) return
      await files.removeTree(sessionFilesFolder(path))
      await files.remove(lockPath(path))
    },
    async listSubkeys(key) {
      const folder = sessionFilesFolder(pathOf(configDir, key))
      return jsonlFilesIn(files, folder, '')
    },
  }
}

const MAX_DEPTH = 5

async function jsonlFilesIn(files: FileSystem, folder: string, prefix: string, depth = MAX_DEPTH): Promise<string[]> {
  const found: string[] = []
  for (const { name, kind } of await files.entries(folder).catch(() => [])) {
    const plain = name.replace(/\.jsonl$/, '')
    if (!PLAIN_NAME.test(plain)) continue
    if (kind === 'file' && plain !== name) found.push(`${prefix}${plain}`)
    else if (kind === 'directory' && depth > 0)
      found.push(...(await jsonlFilesIn(files, join(folder, name), `${prefix}${name}/`, depth - 1)))
  }
  return found
}

function folderOf(configDir: string, projectKey: string): string {
  if (!PLAIN_NAME.test(projectKey)) throw new Error(`Invalid projectKey: ${String(projectKey).slice(0, 100)}`)
  return join(projectsFolder(configDir), projectKey)
}

/** No part of a key may lead anywhere else. */
function pathOf(configDir: string, { projectKey, sessionId, subpath }: SessionKey): string {
  if (!isSessionId(sessionId)) throw new Error(`Invalid sessionId: ${String(sessionId).slice(0, 100)}`)
  const path = transcriptPathInFolder(folderOf(configDir, projectKey), sessionId)
  if (subpath === undefined) return path
  if (!PLAIN_PATH.test(subpath)) throw new Error(`Invalid subpath: ${String(subpath).slice(0, 100)}`)
  return `${join(sessionFilesFolder(path), subpath)}.jsonl`
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
