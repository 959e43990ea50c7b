import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { watchFolder } from './watch-folder.js'

test('files that appear, change and go are told by name, others are not', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-watch-'))
  const told: string[] = []
  let wake = () => {}
  // What is watched does not keep a process alive; the test has to.
  const alive = setInterval(() => {}, 1000)
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  writeFileSync(join(folder, 'old'), '1')
  const stop = watchFolder(
    folder,
    (name) => name !== 'other',
    (path, change) => {
      told.push(`${change} ${path.slice(folder.length + 1)}`)
      wake()
    },
  )
  try {
    const steps: [string, () => void][] = [
      ['add new', () => writeFileSync(join(folder, 'new'), 'a')],
      ['change old', () => writeFileSync(join(folder, 'old'), '22')],
      ['unlink old', () => rmSync(join(folder, 'old'))],
      [
        'change new',
        () => {
          // As editors save: another file under the same name.
          writeFileSync(join(folder, 'other'), 'abc')
          renameSync(join(folder, 'other'), join(folder, 'new'))
        },
      ],
    ]
    for (const [expected, act] of steps) {
      const happened = next()
      act()
      await happened
      assert.equal(told.at(-1), expected)
    }
    assert.equal(told.length, steps.length)
  } finally {
    stop()
    clearInterval(alive)
    rmSync(folder, { recursive: true })
  }
})

test('a folder that is not there is not watched', () => {
  watchFolder(join(tmpdir(), 'kedge-no-such-folder'), () => true, assert.fail)()
})
