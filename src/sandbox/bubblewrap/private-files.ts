/** What the sandbox itself needs on disk: the filter, and empty things to mount. Commands can't write to it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from '../../platform/paths.js'
import { syscallFilter } from './syscall-filter.js'

export type SandboxHelperFiles = {
  folder: string
  /** By whether sockets that are files are allowed. */
  filter: { withUnixSockets: string; withoutUnixSockets: string }
  emptyFolder: string
  /** Nobody may look into these, not even their owner. */
  hiddenFolder: string
  hiddenFile: string
}

/** In a new folder below `parent`. Undefined when there is no filter for this architecture. */
export async function makeSandboxHelperFiles(
  parent: string,
  architecture: string,
): Promise<SandboxHelperFiles | undefined> {
  const withUnixSockets = syscallFilter(architecture, { unixSockets: true })
  const withoutUnixSockets = syscallFilter(architecture, { unixSockets: false })
  if (!withUnixSockets || !withoutUnixSockets) return undefined
  const folder = await mkdtemp(join(parent, 'sandbox-'))
  const files: SandboxHelperFiles = {
    folder,
    filter: { withUnixSockets: join(folder, 'filter-unix'), withoutUnixSockets: join(folder, 'filter') },
    emptyFolder: join(folder, 'empty'),
    hiddenFolder: join(folder, 'hidden'),
    hiddenFile: join(folder, 'hidden-file'),
  }
  await writeFile(files.filter.withUnixSockets, withUnixSockets)
  await writeFile(files.filter.withoutUnixSockets, withoutUnixSockets)
  await mkdir(files.emptyFolder, { mode: 0o555 })
  await mkdir(files.hiddenFolder, { mode: 0 })
  await writeFile(files.hiddenFile, '', { mode: 0 })
  return files
}

export async function removeSandboxHelperFiles({ folder }: SandboxHelperFiles): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
