import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import type { RunProcessOptions } from '../../platform/processes/process-runner.js'
import { createHookExportedVariables } from './hook-variables.js'

let configDir: string
beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), 'kedge-variables-'))
})
afterEach(() => rmSync(configDir, { recursive: true, force: true }))

function start({ events = ['SessionStart'], runs = true, env = {} as object, exitCode = 0, fails = false } = {}) {
  const added: object[] = []
  const ran: RunProcessOptions[] = []
  const settings = {
    configDir,
    cwd: '/repo',
    hookLimits: runs ? {} : undefined,
    settingsHooks: events.map((event) => ({ event, command: 'x', source: 's' })),
  }
  const processes = {
    async run(options: RunProcessOptions) {
      ran.push(options)
      if (fails) throw new Error('no bash')
      const all = Object.entries({ ...options.env, ...env }).filter(([, value]) => value !== undefined)
      return { exitCode, stdout: all.map(([name, value]) => `${name}=${value}\0`).join(''), stderr: '' }
    },
  }
  const live = { env: { HOME: '/home/ada', OLD: '1' }, addVariables: (more: object) => void added.push(more) }
  const platform = { files: nodeFiles, workspace: { processes } }
  const variables = createHookExportedVariables(settings as never, live as never, 'session-1', platform as never)
  return { variables, added, ran, file: join(configDir, 'session-env', 'session-1', 'hooks.sh') }
}

describe('variables of hooks', () => {
  test('are wanted where a command runs at the start', () => {
    const { variables, file } = start()
    assert.deepEqual(variables.forHooks(), { CLAUDE_ENV_FILE: file })
    assert.deepEqual(start({ events: ['Setup'] }).variables.forHooks(), { CLAUDE_ENV_FILE: file })
    assert.deepEqual(start({ events: ['Stop', 'PreToolUse'] }).variables.forHooks(), {})
    assert.deepEqual(start({ runs: false }).variables.forHooks(), {})
  })

  test('have a folder for the user alone, if they are wanted', async () => {
    await start({ events: [] }).variables.prepare()
    assert.equal(existsSync(join(configDir, 'session-env')), false)
    await start().variables.prepare()
    assert.equal(statSync(join(configDir, 'session-env', 'session-1')).mode & 0o777, 0o700)
  })

  test('a folder that can not be made does not stop the session', async () => {
    writeFileSync(join(configDir, 'session-env'), 'a file')
    const { variables, ran, added } = start()
    await variables.prepare()
    await variables.adopt()
    assert.deepEqual([ran, added], [[], []])
    assert.equal(readFileSync(join(configDir, 'session-env'), 'utf8'), 'a file')
  })

  test('nothing is run where no hook wrote any', async () => {
    const { variables, ran, added } = start()
    await variables.prepare()
    await variables.adopt()
    assert.deepEqual([ran, added], [[], []])
  })

  test('what the file changes is taken over, what a shell sets by itself is not', async () => {
    const env = { NEW: 'a=b\nc', OLD: '2', EMPTY: '', SHLVL: '2', PWD: '/x', _: 'env', BASH_VERSION: '5', KEDGE_X: '1' }
    const { variables, ran, added, file } = start({ env })
    await variables.prepare()
    writeFileSync(file, 'export NEW=1\n')
    await variables.adopt()
    assert.deepEqual(added, [{ NEW: 'a=b\nc', OLD: '2', EMPTY: '' }])
    assert.equal(ran[0]?.args?.at(-1), file)
    assert.equal(ran[0]?.cwd, '/repo')
    // The name of the file is an argument: nothing in it is a command.
    assert.ok(!ran[0]?.args?.[3]?.includes(file))
  })

  for (const [what, how] of [
    ['fails', { exitCode: 1 }],
    ['can not be run', { fails: true }],
  ] as const) {
    test(`a file that ${what} changes nothing`, async () => {
      const { variables, added, file } = start({ env: { NEW: '1' }, ...how })
      await variables.prepare()
      writeFileSync(file, 'x')
      await variables.adopt()
      assert.deepEqual(added, [])
    })
  }
})
