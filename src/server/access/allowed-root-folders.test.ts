import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { AllowedRootFolders } from './allowed-root-folders.js'

it('folders lie under the roots, links followed', () => {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-roots-'))
  const at = (...parts: string[]) => join(base, ...parts)
  try {
    for (const folder of ['root/inside', 'rootless', 'elsewhere']) mkdirSync(at(folder), { recursive: true })
    writeFileSync(at('root/file'), '')
    symlinkSync(at('elsewhere'), at('root/out'))
    symlinkSync(at('root/inside'), at('in'))
    const roots = new AllowedRootFolders([at('root')])
    const resolved = (path: string) => roots.resolve(path)?.slice(base.length)
    assert.equal(resolved(at('root')), '/root')
    assert.equal(resolved(at('root/inside/')), '/root/inside')
    assert.equal(resolved(at('in')), '/root/inside')
    for (const wrong of ['rootless', 'elsewhere', 'root/out', 'root/../elsewhere', 'root/file', 'root/none', '.'])
      assert.equal(resolved(at(wrong)), undefined, wrong)
    assert.equal(resolved('root'), undefined)
    assert.equal(resolved(`${at('root')}\0`), undefined)
    assert.deepEqual(
      [at('root/gone'), at('gone'), at('root/out'), at('root/inside')].map((path) => roots.holds(path)),
      [true, false, false, true],
    )
    assert.throws(() => new AllowedRootFolders([at('none')]), /ENOENT/)
    assert.throws(() => new AllowedRootFolders([at('root/file')]), /is not a folder/)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
