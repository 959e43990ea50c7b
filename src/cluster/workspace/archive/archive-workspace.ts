/**
 * `archive`: files in an object storage, each by its hash, and a list of the last save. The session's owner records the
 * valid list in the database. Objects never change, so whatever is found is complete.
 */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpClient } from '../../../platform/http/http.js'
import { limitOmittedFileList } from '../omitted-files.js'
import type { ArchiveSpec, SavedWorkspace, SessionWorkspace, WorkspaceSession } from '../session-workspace.js'
import {
  runWorkspaceSetupCommands,
  SessionFolder,
  storableName,
  tenantSecret,
  type WorkspaceMachine,
} from '../workspace-machine.js'
import { type ArchiveManifest, formatManifest } from './archive-manifest.js'
import { hashBytes, loadManifest, removeUnneededObjects, restoreFiles } from './archive-objects.js'
import { uploadFiles } from './archive-upload.js'
import { createObjectStore, type ObjectStore } from './object-store.js'

const EMPTY: ArchiveManifest = { files: [], links: [], folders: [] }

export function archiveWorkspace(machine: WorkspaceMachine, spec: ArchiveSpec, http: HttpClient): SessionWorkspace {
  const { index } = machine
  const storeOf = ({ tenant }: WorkspaceSession): ObjectStore => {
    const { accessKeyId, secretAccessKey, sessionToken } = spec.credentials
    const secret = (name: string) => tenantSecret(machine, name, tenant)
    const keys = {
      accessKeyId: secret(accessKeyId),
      secretAccessKey: secret(secretAccessKey),
      sessionToken: sessionToken === undefined ? undefined : secret(sessionToken),
    }
    return createObjectStore({ ...spec, keys, http })
  }
  const prefixOf = (place: WorkspaceSession) => archivePrefix(spec, place)
  return {
    async prepare(place, signal) {
      const folder = new SessionFolder(machine, place)
      const [last, mark] = [await index.last(place), await folder.mark()]
      if (last && mark && mark.holder === last.holder) {
        await mkdir(folder.files, { recursive: true })
        return { cwd: folder.files, savedSeq: undefined, notes: [] }
      }
      const stage = await folder.stage()
      const saved = last?.saved
      if (saved) {
        const store = storeOf(place)
        await restoreFiles(
          store,
          prefixOf(place),
          join(stage, 'files'),
          await loadManifest(store, saved, signal),
          signal,
        )
      }
      await folder.unveil(stage)
      const notes = await runWorkspaceSetupCommands(machine, folder.files, spec.setup, signal)
      const holder = randomUUID()
      await folder.setMark({ holder, more: {} })
      await index.hold(place, holder)
      return { cwd: folder.files, savedSeq: saved?.seq ?? 0, notes }
    },
    async save(place, seq, signal) {
      const folder = new SessionFolder(machine, place)
      if (!(await folder.mark())) throw new Error(`The files of session ${place.session} were not prepared here.`)
      const [store, prefix, last] = [storeOf(place), prefixOf(place), (await index.last(place))?.saved]
      const before = last ? await loadManifest(store, last, signal) : EMPTY
      const { manifest, bytes, leftOut } = await uploadFiles(
        machine,
        { store, prefix, spec, folder, place, before },
        signal,
      )
      const list = Buffer.from(formatManifest(manifest))
      const hash = hashBytes(list)
      const isSame = last?.sha256 === hash
      const ref = isSame ? last.ref : `${prefix}lists/${place.epoch}/${hash}`
      if (!isSame) await store.put(ref, list, signal)
      const more = { sha256: hash, bytes: isSame ? bytes : bytes + list.length, leftOut: limitOmittedFileList(leftOut) }
      const saved: SavedWorkspace = { seq, kind: 'archive', ref, ...more }
      await index.record(place, saved)
      if (!isSame) await removeUnneededObjects(store, prefix, { place, ref, manifest, before, last }, signal)
      return saved
    },
    async release(place, how) {
      if (how === 'remove') await new SessionFolder(machine, place).remove()
    },
    async forget(place, signal) {
      const store = storeOf(place)
      for await (const key of store.list(prefixOf(place), signal)) await store.remove(key, signal)
      await new SessionFolder(machine, place).remove()
      await index.forget(place)
    },
  }
}

/** What the names of all objects of a session begin with. */
export function archivePrefix(
  { prefix }: Pick<ArchiveSpec, 'prefix'>,
  { tenant, session }: Pick<WorkspaceSession, 'tenant' | 'session'>,
): string {
  return `${prefix === undefined ? '' : `${prefix}/`}${storableName(tenant)}/${storableName(session)}/`
}
