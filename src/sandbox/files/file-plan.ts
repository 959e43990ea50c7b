/** Which files a command may write, read or not even see: the settings and names of a session, found on the real file system. */
import { isInside, join, relative } from '../../platform/paths.js'
import type { SandboxFilesystemConfig, SandboxSettings } from '../../protocol/options.js'
import { type Mount, type OrderedMount, orderMounts } from '../bubblewrap/mount-order.js'
import { createPathProtector } from '../bubblewrap/protector.js'
import type { SandboxFailure, SandboxMachineFacts, SandboxRequest } from '../sandbox-request.js'
import { isReachableWithoutRoot, resolveLinks, statOrNothing } from './file-places.js'
import type { FileSearch, PathPattern } from './pattern-search.js'
import { HOME_WRITE_PROTECTION, PROJECT_WRITE_PROTECTION, type WriteProtection } from './protected-names.js'
import type { ExpectedPath } from './restore-paths.js'
import { findNewSelfRunningFiles, findSelfRunningFiles } from './self-running-files.js'
import {
  createSettingPathResolver,
  ImpossibleSandboxError,
  requireLiteralPaths,
  withoutDoubleStarSuffix,
} from './setting-paths.js'

export type SandboxFileRequest = {
  cwd: string
  /** Folders the command may write to. Relative paths in settings start at the first. */
  directories: readonly string[]
  temporary: string
  home: string | undefined
  protection: { project: WriteProtection; home: WriteProtection }
  protectedPaths: readonly string[]
  hiddenPaths: readonly string[]
  shownPaths: readonly string[]
  hiddenPatterns: readonly PathPattern[]
  protectedPatterns: readonly PathPattern[]
  search: FileSearch
  filesystem: SandboxFilesystemConfig
  /** Folders of the system the sandbox has its own of, such as /tmp. */
  replaced: readonly string[]
  /** Where paths led when they were first used in this session. A command may change where they lead. */
  firstPlaces: Map<string, string>
}

export type SandboxFilePlan = {
  ok: true
  mounts: OrderedMount[]
  /** Writable folders as they were named, which may be by way of links. */
  given: string[]
  /** The session's own folder for temporary files; real. */
  temporary: string
  /** Where the command starts. */
  cwd: string
  expectations: ExpectedPath[]
  /** Files that would run by themselves outside, and did not when this was made. */
  planted(): string[]
  notes: string[]
}

const KERNEL_FOLDERS = ['/proc', '/dev', '/sys']

export function createSandboxFileRequest(
  machine: SandboxMachineFacts,
  request: SandboxRequest,
  settings: SandboxSettings,
  engine: Pick<SandboxFileRequest, 'replaced' | 'firstPlaces' | 'search'> & { ownPaths: readonly string[] },
): SandboxFileRequest {
  return {
    cwd: request.cwd,
    directories: request.directories,
    temporary: machine.temporary,
    home: machine.home,
    protection: request.protection ?? { project: PROJECT_WRITE_PROTECTION, home: HOME_WRITE_PROTECTION },
    protectedPaths: [...(request.protectedPaths ?? []), ...engine.ownPaths],
    hiddenPaths: request.hiddenPaths ?? [],
    shownPaths: request.shownPaths ?? [],
    hiddenPatterns: request.hiddenPatterns ?? [],
    protectedPatterns: request.protectedPatterns ?? [],
    search: engine.search,
    filesystem: settings.filesystem ?? {},
    replaced: engine.replaced,
    firstPlaces: engine.firstPlaces,
  }
}

/** By what leads there as well as by where it leads. */
export function isWritableInPlan(path: string, { mounts, given }: SandboxFilePlan): boolean {
  return (
    given.some((folder) => isInside(path, folder)) ||
    mounts.some((mount) => mount.as === 'writable' && isInside(path, mount.path))
  )
}

export async function planSandboxFiles(request: SandboxFileRequest): Promise<SandboxFilePlan | SandboxFailure> {
  try {
    return await plan(request)
  } catch (error) {
    if (error instanceof ImpossibleSandboxError) return { ok: false, error: error.message }
    throw error
  }
}

async function plan(request: SandboxFileRequest): Promise<SandboxFilePlan> {
  const { filesystem, home } = request
  const notes: string[] = []
  const absolute = createSettingPathResolver(request.directories[0] ?? request.cwd, home)
  const [cwd, temporary] = await Promise.all([realFolder(request.cwd), realFolder(request.temporary)])
  if (cwd === undefined) throw new ImpossibleSandboxError(`The working directory ${request.cwd} does not exist.`)
  if (temporary === undefined) {
    throw new ImpossibleSandboxError(`The folder for temporary files ${request.temporary} does not exist. Create it.`)
  }
  const denied = await requireLiteralPaths(filesystem.denyWrite, 'denyWrite', absolute)
  const allowed = (filesystem.allowWrite ?? []).map((path) => absolute(withoutDoubleStarSuffix(path)))
  const roots = await findRoots([...request.directories, ...allowed], denied, request, notes)
  const writable = [...roots.map(({ real }) => real), temporary]

  const protector = createPathProtector(writable)
  const folders = roots.filter(({ isFolder }) => isFolder)
  await Promise.all([
    ...folders.map(({ real }) => protector.protectNames(real, request.protection.project)),
    ...folders.map(({ real }) => protector.protectHooks(real)),
    ...folders.map(({ real }) => protector.protectNested(real, request.search)),
    ...(home === undefined
      ? []
      : [resolveLinks(home).then((real) => protector.protectNames(real, request.protection.home))]),
    ...[...denied, ...request.protectedPaths].map((path) =>
      placeInRoot(path, roots).then((place) => protector.protect(place, 'taken')),
    ),
    ...request
      .search(request.protectedPatterns)
      .map((path) => placeInRoot(path, roots).then((place) => protector.protect(place, 'taken'))),
  ])
  const hidden = await findHidden(
    [
      ...(await requireLiteralPaths(filesystem.denyRead, 'denyRead', absolute)),
      ...request.hiddenPaths,
      ...request.search(request.hiddenPatterns),
    ],
    [...writable, cwd],
    request,
  )

  const folderPaths = folders.map(({ real }) => real)
  const before = folderPaths.map((folder) => findSelfRunningFiles(folder, request.search))
  const planted = () =>
    folderPaths.flatMap((folder, i) =>
      findNewSelfRunningFiles(before[i] ?? new Map(), findSelfRunningFiles(folder, request.search)),
    )

  const isSeen = (path: string) =>
    !request.replaced.some((folder) => isInside(path, folder)) || writable.some((folder) => isInside(path, folder))
  if (!isSeen(cwd)) {
    throw new ImpossibleSandboxError(
      `${request.cwd} is in a folder the sandbox has its own of. Make it a working directory.`,
    )
  }
  const shown = await findShown(request.shownPaths)
  const mounts: Mount[] = [
    ...writable.map((path) => ({ path, as: 'writable' as const })),
    ...shown.filter(({ path }) => !isSeen(path)),
    ...protector.mounts,
    ...hidden.filter(({ path }) => isSeen(path)),
  ]
  return {
    ok: true,
    mounts: orderMounts(mounts),
    given: roots.map(({ given }) => given),
    temporary,
    cwd: isSeen(request.cwd) ? request.cwd : cwd,
    expectations: protector.expectations,
    planted,
    notes,
  }
}

type Root = { given: string; real: string; isFolder: boolean }

/** Deny wins: what is inside a denied folder is none. */
async function findRoots(
  paths: readonly string[],
  denied: readonly string[],
  request: SandboxFileRequest,
  notes: string[],
): Promise<Root[]> {
  const realDenied = await Promise.all(denied.map(resolveLinks))
  const roots: Root[] = []
  for (const given of paths) {
    const real = await resolveLinks(given)
    const stats = await statOrNothing(real)
    if (!stats || stats.isSymbolicLink()) {
      notes.push(`${given} does not exist, so commands can't write there.`)
      continue
    }
    const first = firstPlace(given, real, request)
    if (first !== real) {
      throw new ImpossibleSandboxError(
        `${given} led to ${first} and leads to ${real} now. Put it back, or start a new session.`,
      )
    }
    const kernel = KERNEL_FOLDERS.find((folder) => isInside(real, folder))
    if (real === '/' || kernel) {
      throw new ImpossibleSandboxError(
        `Commands can't be given all of ${kernel ?? '/'} to write to. Work in a folder of your own.`,
      )
    }
    await mustBeReachable(real)
    if (!realDenied.some((path) => isInside(real, path))) roots.push({ given, real, isFolder: stats.isDirectory() })
  }
  return roots
}

/** A path through a working directory that is a link, or is named by way of one, as a path in its real place. */
async function placeInRoot(path: string, roots: readonly Root[]): Promise<string> {
  const root = roots.find(({ given, real }) => isInside(path, real) || isInside(path, given))
  if (!root) return resolveLinks(path)
  return isInside(path, root.real) ? path : join(root.real, relative(root.given, path))
}

/** Nothing that is only reached by a link: its place in the sandbox would be another. */
async function findShown(paths: readonly string[]): Promise<Mount[]> {
  const real = await Promise.all(
    paths.map(async (path) => ((await resolveLinks(path)) === path ? await statOrNothing(path) : undefined)),
  )
  return paths.filter((_, i) => real[i] !== undefined).map((path) => ({ path, as: 'shown' }))
}

/** Also where paths led at first, so that no command gets at a file by leading its path elsewhere for the next. */
async function findHidden(
  paths: readonly string[],
  needed: readonly string[],
  request: SandboxFileRequest,
): Promise<Mount[]> {
  const hidden: Mount[] = []
  for (const path of paths) {
    const real = await resolveLinks(path)
    for (const place of new Set([firstPlace(path, real, request), real])) {
      const mount = await hide(place, needed)
      if (mount) hidden.push(mount)
    }
  }
  return hidden
}

function firstPlace(path: string, real: string, { firstPlaces }: SandboxFileRequest): string {
  const first = firstPlaces.get(path) ?? real
  firstPlaces.set(path, first)
  return first
}

/** `path` is real. */
async function hide(path: string, needed: readonly string[]): Promise<Mount | undefined> {
  const stats = await statOrNothing(path)
  if (!stats || stats.isSymbolicLink() || !(await isReachableWithoutRoot(path))) return undefined
  if (needed.some((folder) => isInside(folder, path))) {
    throw new ImpossibleSandboxError(
      `Reading ${path} is denied, but commands work in it. Deny what is to be hidden inside it.`,
    )
  }
  if (stats.isDirectory()) return { path, as: 'hidden-folder' }
  if (stats.nlink > 1) {
    throw new ImpossibleSandboxError(
      `Reading ${path} is denied, but the file has ${stats.nlink} names (hard links) and can only be hidden under one. ` +
        'Replace it by a copy.',
    )
  }
  return { path, as: 'hidden-file' }
}

async function realFolder(path: string): Promise<string | undefined> {
  const real = await resolveLinks(path)
  if (!(await statOrNothing(real))?.isDirectory()) return undefined
  await mustBeReachable(real)
  return real
}

async function mustBeReachable(path: string): Promise<void> {
  if (await isReachableWithoutRoot(path)) return
  throw new ImpossibleSandboxError(
    `${path} is in a folder of another user, and commands have no rights of the superuser. Open it to others.`,
  )
}
