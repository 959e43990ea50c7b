/** The sandbox of a session with all that is its own: a folder for what commands put into /tmp, and the optional engine. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from '../platform/paths.js'
import { processNameSuffix, removeOrphanedFiles } from '../platform/processes/temporary-names.js'
import { findProtectedProgramPaths, findSandboxRuntimeLoader } from './files/own-programs.js'
import { createSandbox } from './sandbox.js'
import type { Sandbox, SandboxMachineFacts } from './sandbox-request.js'

export { listSecretPaths } from './files/secret-places.js'

export type OpenSandboxOptions = Omit<
  SandboxMachineFacts,
  'architecture' | 'temporary' | 'privateParent' | 'loadRuntime'
> & {
  /** An existing folder; ours is made inside, and removed at the end. */
  parent: string
}

export async function openSandbox({ parent, ...machine }: OpenSandboxOptions): Promise<Sandbox> {
  await removeOrphanedFiles(parent)
  const folder = await mkdtemp(join(parent, `kedge-sandbox-${processNameSuffix()}`))
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  // Commands expect what everybody's /tmp is like; the folder around it lets nobody else in.
  await chmod(temporary, 0o1777)
  const own = findProtectedProgramPaths()
  const loadRuntime = findSandboxRuntimeLoader()
  const sandbox = createSandbox({
    ...machine,
    architecture: process.arch,
    temporary,
    privateParent: folder,
    ...(loadRuntime && { loadRuntime }),
  })
  return {
    probe: sandbox.probe,
    wrap: (request, settings) =>
      sandbox.wrap({ ...request, protectedPaths: [...own, ...(request.protectedPaths ?? [])] }, settings),
    async close() {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
