/**
 * `git`: a session has a clone that borrows the objects of one cache per machine, and a ref at the server. Everything
 * that isn't ignored is saved to that ref, and any machine can continue from it.
 */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KedgeError } from '../../../errors.js'
import type { GitSpec, SessionWorkspace, WorkspaceSession } from '../session-workspace.js'
import { runWorkspaceSetupCommands, SessionFolder, type WorkspaceMachine } from '../workspace-machine.js'
import { GitProgram } from './git-command.js'
import { createSnapshotRepository, readRemoteState, restoreCheckout, sessionSnapshotRef } from './git-restore.js'
import { saveFilesToSessionRef } from './git-save.js'

export function gitWorkspace(machine: WorkspaceMachine, spec: GitSpec): SessionWorkspace {
  const { index } = machine
  const gitFor = ({ tenant }: WorkspaceSession) => new GitProgram(machine, spec, tenant)
  return {
    async prepare(place, signal) {
      const folder = new SessionFolder(machine, place)
      const [last, mark] = [await index.last(place), await folder.mark()]
      if (last && mark && mark.holder === last.holder) {
        await mkdir(folder.files, { recursive: true })
        return { cwd: folder.files, savedSeq: undefined, notes: [] }
      }
      const git = gitFor(place)
      const stage = await folder.stage()
      const { tip, notes } = await restoreCheckout(machine, { git, spec, stage, place }, signal)
      const saved = last?.saved
      if (saved && !tip) {
        const what = `The saved files of session ${place.session} are no longer in its repository (${saved.ref}).`
        throw new KedgeError('workspace_lost', what)
      }
      await folder.unveil(stage)
      const setup = await runWorkspaceSetupCommands(machine, folder.files, spec.setup, signal)
      const holder = randomUUID()
      await folder.setMark({ holder, more: { save: join(stage, 'save.git'), tip: tip?.commit ?? '', state: '' } })
      await index.hold(place, holder)
      const savedSeq = tip === undefined ? 0 : tip.commit === saved?.sha256 ? saved.seq : tip.seq
      return { cwd: folder.files, savedSeq, notes: [...notes, ...setup] }
    },
    async save(place, seq, signal) {
      const folder = new SessionFolder(machine, place)
      const mark = await folder.mark()
      if (!mark) throw new Error(`The files of session ${place.session} were not prepared here.`)
      return saveFilesToSessionRef(machine, { git: gitFor(place), spec, folder, mark, place, seq }, signal)
    },
    async release(place, how) {
      if (how === 'remove') await new SessionFolder(machine, place).remove()
    },
    async forget(place, signal) {
      const folder = new SessionFolder(machine, place)
      const [git, ref, save] = [gitFor(place), sessionSnapshotRef(place), join(await folder.stage(), 'save.git')]
      await createSnapshotRepository(git, save, undefined)
      const { tip } = await readRemoteState(git, { cwd: save, remote: spec.remote, ref }, signal)
      const call = { cwd: save, gitDir: save, signal }
      if (tip !== undefined)
        await git.remote(['push', '-q', '--no-verify', '--no-signed', spec.remote, `:${ref}`], call)
      await folder.remove()
      await index.forget(place)
    },
  }
}
