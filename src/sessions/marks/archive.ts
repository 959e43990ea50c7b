/** The mark that a session was put away: a small file of its own, so that the conversation stays as it is. */
import type { FileSystem, SyncFiles } from '../../platform/files/files.js'
import { dirname, join } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import { sessionFilesFolder } from '../transcript-paths.js'

/** `at`: milliseconds since 1970. */
export type ArchiveMark = { archived: boolean; at: number }

const MAX_BYTES = 4096

export async function writeArchiveMark(
  files: FileSystem,
  transcript: string,
  { archived, at }: ArchiveMark,
): Promise<void> {
  const path = markPath(transcript)
  files.makeDirectorySync(dirname(path), 0o700)
  await files.replace(path, JSON.stringify({ archived, at: new Date(at).toISOString(), by: 'sdk' }))
}

/** Undefined when it never was, or nobody can say. */
export function readArchiveMarkSync(files: SyncFiles, transcript: string): ArchiveMark | undefined {
  try {
    const mark: unknown = JSON.parse(files.readTextSync(markPath(transcript), MAX_BYTES))
    if (!isObject(mark) || typeof mark.archived !== 'boolean') return undefined
    return { archived: mark.archived, at: Date.parse(String(mark.at)) }
  } catch {
    return undefined
  }
}

function markPath(transcript: string): string {
  return join(sessionFilesFolder(transcript), 'archived.json')
}
