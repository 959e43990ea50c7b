/** The units of the cookbook, read by systemd itself: at start it would ignore a key that it does not know. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemOf } from '../contract/printed-commands.js'
import { root } from '../support/stage.js'

const UNITS = ['kedge.service', 'kedge-nightly.service', 'kedge-nightly.timer']
const read = (name: string) => readFileSync(join(root, 'examples', 'cookbook', name), 'utf8')
const skip = spawnSync('systemd-analyze', ['--version']).error && 'systemd-analyze is not installed'

test('systemd knows every key of the units', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-units-'))
  try {
    const verify = (change: (text: string) => string) => {
      const files = UNITS.map((name) => join(folder, name))
      // It wants the programs to be there.
      for (const [at, name] of UNITS.entries())
        writeFileSync(files[at] ?? '', change(read(name).replace(/(?<=^ExecStart=)\S+/m, '/bin/true')))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
      return { status, stderr }
    }
    assert.deepEqual(
      verify((text) => text),
      { status: 0, stderr: '' },
    )
    assert.match(verify((text) => text.replace('NoNewPrivileges=', 'NoNewRights=')).stderr, /Unknown key 'NoNewRights'/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the units start what is there: a command that kedge takes, and the service of the timer', () => {
  const [, command = ''] = /^ExecStart=\/usr\/local\/bin\/(kedge .*)$/m.exec(read('kedge.service')) ?? []
  assert.match(command, /^kedge serve /)
  assert.equal(problemOf({ where: 'kedge.service', line: command, isWhole: true }), undefined)
  // The drain is over before systemd kills what is left.
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('kedge.service')) ?? []
  assert.ok(Number(seconds) > 30)
  assert.match(read('kedge-nightly.service'), /^ExecStart=\/usr\/bin\/node nightly\.mjs$/m)
  assert.match(read('kedge-nightly.timer'), /^WantedBy=timers\.target$/m)
})
