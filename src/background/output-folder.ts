/** Where the outputs of a session's tasks go: a folder that belongs to this user alone, at the original's place. */
import type { BasicFiles } from '../platform/files/files.js'
import type { PlatformIdentity } from '../platform/identity.js'
import { join } from '../platform/paths.js'

export type TaskOutputLocation = {
  files: Pick<BasicFiles, 'makeDirectory' | 'lstat'>
  identity: Pick<PlatformIdentity, 'uid' | 'hex'>
  /** The system's folder for temporary files. */
  temporary: string
  cwd: string
}

/**
 * Returns the folder for the output of background tasks, and creates it: `<tmp>/claude-<uid>/<cwd with
 * dashes>/tasks`. Where another user got there first, a folder of a random name instead.
 */
export async function createTaskOutputFolder({ files, identity, temporary, cwd }: TaskOutputLocation): Promise<string> {
  const project = cwd.replace(/[^a-zA-Z0-9]/g, '-')
  const base = join(temporary, `claude-${identity.uid ?? 'user'}`)
  const usual = join(base, project, 'tasks')
  try {
    await files.makeDirectory(usual, 0o700)
    const places = [base, join(base, project), usual]
    const owned = await Promise.all(places.map((place) => isOurs(place, files, identity.uid)))
    if (owned.every(Boolean)) return usual
  } catch {
    // Not ours to write to: below.
  }
  const own = join(temporary, `kedge-${identity.hex(24)}`)
  await files.makeDirectory(own, 0o700)
  return own
}

/** A real folder that nobody else owns or can write to. */
async function isOurs(path: string, files: Pick<BasicFiles, 'lstat'>, uid: number | null): Promise<boolean> {
  const stat = await files.lstat(path)
  if (stat?.kind !== 'directory') return false
  return uid === null || (stat.uid === uid && (stat.mode & 0o022) === 0)
}
