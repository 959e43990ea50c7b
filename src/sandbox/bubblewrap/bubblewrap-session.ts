/** Bubblewrap for one session: found once, then one vector per command. */
import { isInside } from '../../platform/paths.js'
import type { SandboxNetworkConfig, SandboxSettings } from '../../protocol/options.js'
import { resolveLinks, statOrNothing } from '../files/file-places.js'
import { createSandboxFileRequest, isWritableInPlan, planSandboxFiles } from '../files/file-plan.js'
import { createFileSearch } from '../files/pattern-search.js'
import { restoreExpectedPaths } from '../files/restore-paths.js'
import { findTrustedProgram } from '../find-program.js'
import { splitSandboxEnvironment } from '../sandbox-environment.js'
import type { SandboxedCommand, SandboxFailure, SandboxMachineFacts, SandboxRequest } from '../sandbox-request.js'
import { toBubblewrapCommand } from './bubblewrap.js'
import { checkBubblewrapVersion } from './bubblewrap-version.js'
import { createMountPlaceholders } from './placeholders.js'
import { makeSandboxHelperFiles, removeSandboxHelperFiles, type SandboxHelperFiles } from './private-files.js'
import { createBubblewrapFailure, INSTALL_BUBBLEWRAP_TEXT } from './trouble.js'
import { findReachableSocket, listBoundSockets } from './unix-sockets.js'

/** In the sandbox these are empty, or what the session put into its own. */
const REPLACED = ['/tmp', '/var/tmp', '/run']

type Parts = {
  ok: true
  programs: { bwrap: string; bash: string }
  files: SandboxHelperFiles
  replaced: readonly string[]
}

export interface Bubblewrap {
  /** Is it there? Says where its own folder is, which commands can't write to, and a shell to try it with. */
  check(
    directories: readonly string[],
  ): Promise<{ ok: true; version: string; bash: string; folder: string } | SandboxFailure>
  wrap(request: SandboxRequest, settings: SandboxSettings): Promise<BubblewrapCommand | SandboxFailure>
  close(): Promise<void>
}

export type BubblewrapCommand = SandboxedCommand & { writable: readonly string[] }

export function createBubblewrap(
  machine: SandboxMachineFacts,
  options: { ownNetwork: boolean; timeoutMs: number },
): Bubblewrap {
  const placeholders = createMountPlaceholders()
  const firstPlaces = new Map<string, string>()
  const search = createFileSearch()
  /** Commands after which not everything is put away yet. */
  const open = new Set<SandboxedCommand['finish']>()
  let gathered: Promise<Parts | SandboxFailure> | undefined

  const wrapWith = async (
    { programs, files, replaced }: Parts,
    request: SandboxRequest,
    settings: SandboxSettings,
  ): Promise<BubblewrapCommand | SandboxFailure> => {
    const plan = await planSandboxFiles(
      createSandboxFileRequest(machine, request, settings, { replaced, firstPlaces, search, ownPaths: [files.folder] }),
    )
    if (!plan.ok) return plan
    // A link may have led a folder there since it was looked for.
    if (Object.values(programs).some((program) => isWritableInPlan(program, plan))) {
      return {
        ok: false,
        error: `Commands can write to ${programs.bwrap} or ${programs.bash}. Put others first in PATH.`,
      }
    }
    const network = settings.network ?? {}
    const sockets = await planSockets(
      network,
      (path) => !replaced.some((f) => isInside(path, f)) || isWritableInPlan(path, plan),
    )
    const environment = splitSandboxEnvironment(request.env, {
      temporary: plan.temporary,
      keepSecrets: request.keepSecrets === true,
      unixSockets: sockets.allowed,
      isWritable: (folder) => isWritableInPlan(folder, plan),
    })

    const taken = plan.mounts.filter(({ as }) => as === 'taken').map(({ path }) => path)
    const { impossible } = await placeholders.take(taken)
    const held = taken.filter((path) => !impossible.has(path))
    let finished: Promise<string[]> | undefined
    const finish = () => {
      // What was taken is looked at too, in case somebody removed a placeholder in between.
      finished ??= placeholders
        .give(held)
        .then(() =>
          restoreExpectedPaths(
            [...plan.expectations, ...held.map((path) => ({ path, link: undefined }))],
            plan.planted(),
          ),
        )
        // Not before: whoever closes waits for those who are at it.
        .finally(() => open.delete(finish))
      return finished
    }
    open.add(finish)
    return {
      ok: true,
      ...toBubblewrapCommand(request, {
        programs,
        files,
        mounts: plan.mounts.filter(({ path }) => !impossible.has(path)),
        temporary: plan.temporary,
        emptied: replaced.filter((folder) => folder !== '/tmp' && !(folder === '/run' && network.allowAllUnixSockets)),
        sockets,
        ownNetwork: options.ownNetwork,
        // Another sandbox around this one has its own already, and does not let us mount a second.
        ownProc: options.ownNetwork && settings.enableWeakerNestedSandbox !== true,
        cwd: plan.cwd,
        inner: environment.inner,
      }),
      env: environment.outer,
      notes: [...plan.notes, ...sockets.notes],
      writable: plan.mounts.filter(({ as }) => as === 'writable').map(({ path }) => path),
      finish,
    }
  }

  const gatherOnce = (directories: readonly string[]) => {
    gathered ??= gatherParts(machine, directories)
    return gathered
  }

  return {
    async check(directories) {
      const parts = await gatherOnce(directories)
      if (!parts.ok) return parts
      const { programs, files } = parts
      const version = await checkBubblewrapVersion(programs.bwrap, machine.processes.run, options.timeoutMs)
      return version.ok ? { ...version, bash: programs.bash, folder: files.folder } : version
    },
    async wrap(request, settings) {
      const parts = await gatherOnce(request.directories)
      return parts.ok ? wrapWith(parts, request, settings) : parts
    },
    async close() {
      await Promise.all([...open].map((finish) => finish()))
      const parts = await gathered?.catch(() => undefined)
      if (parts?.ok) await removeSandboxHelperFiles(parts.files)
    },
  }
}

/** Finds the programs, and makes the files that commands are shown in place of others. */
async function gatherParts(
  machine: SandboxMachineFacts,
  directories: readonly string[],
): Promise<Parts | SandboxFailure> {
  const untrusted = [...directories, ...(await Promise.all(directories.map(resolveLinks)))]
  const bwrap = await findTrustedProgram('bwrap', machine.env['PATH'], untrusted)
  const bash = await findTrustedProgram('bash', machine.env['PATH'], untrusted)
  if (bwrap.notExecutable)
    return createBubblewrapFailure(`${bwrap.notExecutable} is not executable. ${INSTALL_BUBBLEWRAP_TEXT} again`)
  if (!bwrap.found) return createBubblewrapFailure(`bubblewrap (bwrap) is not in PATH. ${INSTALL_BUBBLEWRAP_TEXT}`)
  if (!bash.found) return createBubblewrapFailure('bash is not in PATH. Install it')
  const files = await makeSandboxHelperFiles(machine.privateParent, machine.architecture)
  if (!files) return createBubblewrapFailure(`there is none for ${machine.architecture} processors. Use a container`)
  const exist = await Promise.all(REPLACED.map(async (path) => (await statOrNothing(path))?.isDirectory() === true))
  return {
    ok: true,
    programs: { bwrap: bwrap.found, bash: bash.found },
    files,
    replaced: REPLACED.filter((_, i) => exist[i]),
  }
}

/** `isSeen`: can a command see this path at all? */
async function planSockets(network: SandboxNetworkConfig, isSeen: (path: string) => boolean) {
  if (network.allowAllUnixSockets) return { allowed: true, shown: [], covered: [], notes: [] }
  const wanted = network.allowUnixSockets ?? []
  if (wanted.length === 0) return { allowed: false, shown: [], covered: [], notes: [] }
  const found = await Promise.all(wanted.map(findReachableSocket))
  const shown = found.filter((path) => path !== undefined)
  return {
    allowed: true,
    shown,
    covered: (await listBoundSockets()).filter((path) => !shown.includes(path) && isSeen(path)),
    notes: wanted.filter((_, i) => !found[i]).map((path) => `${path} (sandbox.network.allowUnixSockets) is no socket.`),
  }
}
