/** `none` and `folder`: nothing is moved, and so nothing is saved. */
import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { KedgeError } from '../../errors.js'
import type { FolderSpec, SavedWorkspace, SessionWorkspace, WorkspaceSession } from './session-workspace.js'
import { SessionFolder, type WorkspaceMachine } from './workspace-machine.js'

const nothing = (place: WorkspaceSession, seq: number): SavedWorkspace => ({
  seq,
  kind: place.workspace.kind,
  ref: '',
  sha256: '',
  bytes: 0,
  leftOut: [],
})

/** An empty folder, on the machine where the session runs. */
export function emptyWorkspace(machine: WorkspaceMachine): SessionWorkspace {
  return {
    async prepare(place, signal) {
      const folder = new SessionFolder(machine, place)
      const [last, mark] = [await machine.index.last(place), await folder.mark()]
      signal?.throwIfAborted()
      if (last && mark?.holder === last.holder) {
        // A missing folder was removed by a call in the session, or on purpose. It is made again, empty.
        await mkdir(folder.files, { recursive: true })
        return { cwd: folder.files, savedSeq: undefined, notes: [] }
      }
      await folder.unveil(await folder.stage())
      const holder = randomUUID()
      await folder.setMark({ holder, more: {} })
      await machine.index.hold(place, holder)
      return { cwd: folder.files, savedSeq: 0, notes: [] }
    },
    save: async (place, seq) => nothing(place, seq),
    async release(place, how) {
      if (how === 'remove') await new SessionFolder(machine, place).remove()
    },
    async forget(place) {
      await new SessionFolder(machine, place).remove()
      await machine.index.forget(place)
    },
  }
}

/** A folder of the operator's: it is neither made nor removed. */
export function folderWorkspace(machine: WorkspaceMachine, spec: FolderSpec): SessionWorkspace {
  return {
    async prepare({ session }) {
      if (!spec.shared && spec.machine !== machine.name) {
        const fix = `let a worker with the name ${spec.machine} run it, or put the folder where all machines see it and say shared: true`
        const where = `The files of session ${session} are in ${spec.path} on ${spec.machine}, and this is ${machine.name}`
        throw new KedgeError('workspace_elsewhere', `${where}: ${fix}.`)
      }
      const found = await stat(spec.path).catch(() => undefined)
      if (found?.isDirectory()) return { cwd: spec.path, savedSeq: undefined, notes: [] }
      const fix = spec.shared ? 'mount it on this machine' : 'make it'
      throw new KedgeError('workspace_lost', `There is no folder ${spec.path} on ${machine.name}: ${fix}.`)
    },
    save: async (place, seq) => nothing(place, seq),
    release: async () => undefined,
    forget: async (place) => machine.index.forget(place),
  }
}
