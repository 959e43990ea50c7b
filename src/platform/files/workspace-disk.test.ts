/** What tools change is where it was judged to be: nothing happens behind a link. The agent's own files may be behind one. */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { areLocalFiles, nodeFiles, type WorkspaceFiles, workspaceDisk } from './files.js'

describe('behind a link', { skip: process.platform === 'win32' && 'links need rights there' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-disk-')))
    mkdirSync(at('real/deep/empty'), { recursive: true, mode: 0o755 })
    writeFileSync(at('real/file'), 'old')
    symlinkSync('real', at('link'))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  /** What is in `real`, to see that nothing changed. */
  const tree = () => ({
    names: readdirSync(at('real'), { recursive: true }).sort(),
    file: readFileSync(at('real/file'), 'utf8'),
    mode: statSync(at('real/deep/empty')).mode & 0o777,
  })
  const changes: { name: string; change(files: WorkspaceFiles, folder: string): Promise<void> }[] = [
    { name: 'makeDirectory', change: (files, folder) => files.makeDirectory(join(folder, 'new')) },
    { name: 'create', change: (files, folder) => files.create(join(folder, 'new'), Buffer.from('x')) },
    { name: 'replace', change: (files, folder) => files.replace(join(folder, 'file'), 'new') },
    { name: 'replace of a file that is known', change: replaceKnown },
    { name: 'remove', change: (files, folder) => files.remove(join(folder, 'file')) },
    { name: 'removeFolder', change: (files, folder) => files.removeFolder(join(folder, 'deep/empty')) },
    { name: 'setFolderMode', change: (files, folder) => files.setFolderMode(join(folder, 'deep/empty'), 0o700) },
  ]
  async function replaceKnown(files: WorkspaceFiles, folder: string) {
    await files.replace(join(folder, 'file'), 'new', 0o644, await files.lstat(at('real/file')))
  }

  for (const { name, change } of changes) {
    it(`${name} changes nothing for a tool`, async () => {
      const before = tree()
      await assert.rejects(change(workspaceDisk, at('link')), { code: 'ELOOP' })
      assert.deepEqual(tree(), before)
    })

    it(`${name} works for a tool that names the real path, and leaves no temporary file`, async () => {
      await change(workspaceDisk, at('real'))
      assert.deepEqual(
        readdirSync(at('real')).filter((entry) => entry.startsWith('.kedge-')),
        [],
      )
      assert.notDeepEqual(orMissing(tree), { names: ['deep', 'deep/empty', 'file'], file: 'old', mode: 0o755 })
    })

    it(`${name} works for the agent's own files`, async () => {
      await change(nodeFiles, at('link'))
      assert.notDeepEqual(orMissing(tree), { names: ['deep', 'deep/empty', 'file'], file: 'old', mode: 0o755 })
    })
  }

  it('what is gone already is removed', async () => {
    await workspaceDisk.remove(at('real/none'))
    await workspaceDisk.remove(at('none/below'))
    await assert.rejects(workspaceDisk.removeFolder(at('real/none')), { code: 'ENOENT' })
    await assert.rejects(workspaceDisk.remove(at('real/deep')), { code: /^(?:ERR_FS_)?EISDIR$/ })
  })

  it('errors name the file, not a handle', async () => {
    const failing = workspaceDisk.removeFolder(at('real/deep'))
    await assert.rejects(failing, { message: `ENOTEMPTY: directory not empty, rmdir '${at('real/deep')}'` })
  })

  it('a folder that is moved while a file is written gets neither the file nor the temporary one', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 'x')
    for (const write of [
      () => workspaceDisk.create(at('real/new'), content),
      () => workspaceDisk.replace(at('real/file'), content),
    ]) {
      const writing = write()
      renameSync(at('real'), at('elsewhere'))
      await assert.rejects(writing, { code: 'ELOOP', message: new RegExp(`'${at('real')}'$`) })
      renameSync(at('elsewhere'), at('real'))
      assert.deepEqual(tree(), { names: ['deep', 'deep/empty', 'file'], file: 'old', mode: 0o755 })
    }
  })

  it('both are the files of this machine, and copies of them are not', () => {
    assert.deepEqual([nodeFiles, workspaceDisk, { ...workspaceDisk }].map(areLocalFiles), [true, true, false])
  })
})

function orMissing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
