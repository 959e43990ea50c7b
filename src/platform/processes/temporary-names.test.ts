import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { processNameSuffix, removeOrphanedFiles } from './temporary-names.js'

test('what a process that is gone left is removed; what others have, or nobody of ours made, stays', async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-names-'))
  try {
    const own = processNameSuffix()
    // The same number belongs to this process, which started at another time.
    const gone = own.replace(/\.\d+\./, '.1.')
    const elsewhere = `${gone.slice(0, -1)}0.`
    const pipe = (name: string) => execFileSync('mkfifo', [join(folder, name)])
    const full = (name: string) => {
      mkdirSync(join(folder, name, 'inner'), { recursive: true })
      writeFileSync(join(folder, name, 'inner', 'file'), 'x')
    }
    pipe(`kedge-a-${gone}1`)
    full(`kedge-sandbox-${gone}1`)
    mkdirSync(join(folder, `kedge-args-${gone}1`))
    pipe(`kedge-old-${elsewhere}1`)
    utimesSync(join(folder, `kedge-old-${elsewhere}1`), 1, 1)
    const kept = [`kedge-a-${own}2`, `kedge-a-${elsewhere}2`, `other-${gone}2`]
    for (const name of kept) pipe(name)
    const keptFolders = [`kedge-sandbox-${own}3`, `kedge-sandbox-${elsewhere}3`, `kedge-eval-${gone}3`, 'kedge-args-3']
    for (const name of keptFolders) full(name)
    writeFileSync(join(folder, `kedge-sandbox-${gone}4`), 'a file')

    await removeOrphanedFiles(folder)
    assert.deepEqual(readdirSync(folder).sort(), [...kept, ...keptFolders, `kedge-sandbox-${gone}4`].sort())
    await removeOrphanedFiles(join(folder, 'missing'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('nothing of another user is removed', {
  skip: process.getuid?.() === 0 ? false : 'only root can make files of another user',
}, async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-names-'))
  try {
    const name = `kedge-a-${processNameSuffix().replace(/\.\d+\./, '.1.')}1`
    execFileSync('mkfifo', [join(folder, name)])
    spawnSync('chown', ['12345', join(folder, name)])
    await removeOrphanedFiles(folder)
    assert.deepEqual(readdirSync(folder), [name])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
