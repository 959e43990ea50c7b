/** The engine's answer to a case in the small world, as it lies on the disk. */
import { lstatSync, readlinkSync } from 'node:fs'
import type { PermissionDecision } from '../../src/engine/ports.js'
import type { PathFinderFiles } from '../../src/permissions/path-finder.js'
import { createPermissions } from '../../src/permissions/permission-engine.js'
import { bashCall } from '../../src/permissions/test-engine.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import { worldFolder } from './build-world.js'
import type { Case } from './generate-rules.js'
import { HOME, REPO } from './world.js'

/** What makes an engine: that of these sources, or of others. */
export type Engine = typeof createPermissions

let files: PathFinderFiles | undefined

export async function judge(one: Case, make: Engine = createPermissions): Promise<PermissionDecision['behavior']> {
  return (await judgeText(one, make)).behavior
}

/** And what bash is given when it runs. */
export async function judgeText(
  one: Case,
  make: Engine = createPermissions,
): Promise<{ behavior: PermissionDecision['behavior']; text: string }> {
  files ??= filesOf(worldFolder())
  const { command, rules, mode, cwd = REPO, project = REPO } = one
  const permissions = make({ files, cwd: project, home: HOME, mode, allowBypass: true, ...rules })
  const { behavior } = await permissions.decide(...bashCall(command, cwd))
  return { behavior, text: (await permissions.judgedText(command)) ?? command }
}

/** Paths of the world, in a folder of this machine. Nothing changes there: each is looked at once. */
function filesOf(root: string): PathFinderFiles {
  const remembered = <T>(look: (host: string) => Promise<T>) => {
    const known = new Map<string, Promise<T>>()
    const lookAt = async (path: string) => look(hostPath(root, path))
    return (path: string): Promise<T> => {
      const found = known.get(path) ?? lookAt(path)
      known.set(path, found)
      return found
    }
  }
  const listed = remembered((host) => nodeFiles.entries(host, Number.POSITIVE_INFINITY))
  const read = remembered((host) => nodeFiles.snapshot(host, 1_000_000))
  return {
    lstat: remembered((host) => nodeFiles.lstat(host)),
    readLink: remembered((host) => nodeFiles.readLink(host)),
    entries: async (path, limit = Number.POSITIVE_INFINITY) => (await listed(path)).slice(0, limit),
    open: async (path) => nodeFiles.open(hostPath(root, path)),
    async snapshot(path, most) {
      const { stat, content } = await read(path)
      return { stat, content: content && content.length <= most ? content : undefined }
    },
  }
}

/** Links on the way lead to places of the world, not of the machine. */
function hostPath(root: string, path: string): string {
  const names = path.split('/').reverse()
  const followed: string[] = []
  for (let name = names.pop(), links = 0; name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      followed.pop()
      continue
    }
    const host = [root, ...followed, name].join('/')
    if (names.length === 0 || !lstatSync(host, { throwIfNoEntry: false })?.isSymbolicLink()) followed.push(name)
    else if (++links > 40) return `${root}/nowhere/nowhere`
    else {
      const target = readlinkSync(host)
      if (target.startsWith('/')) followed.length = 0
      names.push(...target.split('/').reverse())
    }
  }
  return [root, ...followed].join('/')
}
