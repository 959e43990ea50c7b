/** Files that a session keeps elsewhere, outputs too long for the conversation: listed beside it, so that they go with it. */
import type { FileSystem, SyncFiles } from '../../platform/files/files.js'
import { basename, dirname, join } from '../../platform/paths.js'
import { sessionFilesFolder } from '../transcript-paths.js'

const MAX_LIST = 1024 * 1024
/** Nothing else is removed, whatever the list says. */
const OWN_NAME = /^(?:[abt][0-9a-f]{6,16}\.output|mcp-[0-9a-f]{12}\.\w{1,10})$/

export function recordOutputFile(files: SyncFiles, transcript: string, path: string): void {
  const list = listOf(transcript)
  try {
    files.makeDirectorySync(dirname(list), 0o700)
    files.appendSync(list, `${JSON.stringify(path)}\n`)
  } catch {
    // Then it stays until somebody tidies up there.
  }
}

export async function removeOutputFiles(files: FileSystem, transcript: string): Promise<void> {
  for (const line of linesOf(files, transcript)) {
    const path = readPath(line)
    if (path !== undefined && OWN_NAME.test(basename(path))) await files.remove(path).catch(() => {})
  }
}

function linesOf(files: SyncFiles, transcript: string): string[] {
  try {
    return files.readTextSync(listOf(transcript), MAX_LIST).split('\n')
  } catch {
    return []
  }
}

function readPath(line: string): string | undefined {
  try {
    const path: unknown = JSON.parse(line)
    return typeof path === 'string' ? path : undefined
  } catch {
    return undefined
  }
}

function listOf(transcript: string): string {
  return join(sessionFilesFolder(transcript), 'outputs.list')
}
