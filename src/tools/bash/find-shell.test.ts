/** A repository that brings programs of its own names: they are never taken for ours. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { createBashTool } from './bash.js'
import { findShell, onlyAbsolutePathEntries } from './find-shell.js'

const tool = createBashTool({ isReadOnlyCommand: () => false })
const NAMES = ['bash', 'sh', 'ls', 'mkfifo', 'env', 'sleep']
const system = process.env['PATH']

describe('where programs are looked for', { skip: process.platform === 'win32' }, () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
    mkdirSync(join(test.folder, 'bin'))
    for (const folder of [test.folder, join(test.folder, 'bin')]) {
      for (const name of NAMES) {
        writeFileSync(join(folder, name), `#!/bin/sh\n: > "${folder}/ran"\n`)
        chmodSync(join(folder, name), 0o755)
      }
    }
  })
  afterEach(() => test.dispose())

  /** The output of `command`; fails when a program of the repository ran. */
  const run = async (command: string, PATH: string | undefined) => {
    const context = { ...test.context, env: { ...test.context.env, PATH, HOME: join(test.folder, 'home') } }
    const outcome = await tool.execute({ command }, context)
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.error)
    assert.deepEqual([join(test.folder, 'ran'), join(test.folder, 'bin/ran')].filter(existsSync), [])
    return outcome.content
  }

  for (const [what, path] of Object.entries({
    'an empty part': `:${system}`,
    'an empty part at the end': `/nonexistent::${system}:`,
    'a dot': `.:${system}`,
    'a relative folder': `bin:./bin:../nowhere:${system}`,
    'nothing but such parts': '.::bin',
    nothing: '',
  })) {
    it(`not by ${what} in PATH`, async () => {
      assert.match(String(await run('ls; sleep 0; echo "$PATH"', path)), /bin\n(.*\n)*\/[^:]*(:\/[^:]*)*$/)
    })
  }

  it('not when there is no PATH', async () => {
    assert.match(String(await run('ls', undefined)), /^bash\nbin\n/)
  })

  it('bash itself not in a working directory either, nor by a link into one', async () => {
    // Other programs there are what the user's PATH asks for.
    for (const name of NAMES.filter((other) => other !== 'bash')) rmSync(join(test.folder, 'bin', name))
    symlinkSync(join(test.folder, 'bin'), join(test.folder, 'home'))
    const inside = join(test.folder, 'bin')
    assert.equal(await run('echo ran', `${inside}:${join(test.folder, 'home')}:${system}`), 'ran')
    const found = await findShell(`${inside}:${system}`, test.context)
    assert.ok(found.startsWith('/') && !found.startsWith(test.folder), found)
  })

  it('is looked for as a program: no folder, nothing that may not be run', async () => {
    const elsewhere = { ...test.context, directories: () => [] }
    const at = (name: string) => join(test.folder, name)
    mkdirSync(at('folder/bash'), { recursive: true })
    mkdirSync(at('mode'))
    writeFileSync(at('mode/bash'), '')
    const path = [at('folder'), at('mode'), '/nonexistent'].join(':')
    assert.equal(await findShell(path, elsewhere), '/bin/bash')
    assert.equal(await findShell(`${path}:${at('bin')}`, elsewhere), at('bin/bash'))
  })

  it('keeps the order of what is left', () => {
    assert.equal(onlyAbsolutePathEntries('/b:.:/a::x:/b'), '/b:/a:/b')
  })
})

describe('on Windows', () => {
  const where = (env: Record<string, string>, there: readonly string[]) => {
    const files = {
      realpath: async (path: string) => path,
      stat: async (path: string) => (there.includes(path) ? { kind: 'file' as const, mode: 0o666 } : undefined),
    }
    // No more of them is looked at.
    const platform = { files, identity: { os: 'win32' } } as unknown as TestContext['context']['platform']
    return findShell(undefined, { platform, env, directories: () => ['C:\\repo'] })
  }

  it('it is that of Git, wherever that is installed', async () => {
    const own = 'D:\\Git\\bin\\bash.exe'
    const system = 'C:\\Windows\\System32\\bash.exe'
    assert.equal(await where({ Path: 'C:\\Windows\\System32;D:\\Git\\cmd' }, [system, own]), own)
    const usual = 'C:\\Program Files\\Git\\usr\\bin\\bash.exe'
    assert.equal(
      await where({ Path: 'C:\\Windows\\System32', ProgramFiles: 'C:\\Program Files' }, [system, usual]),
      usual,
    )
    assert.equal(await where({ Path: 'C:\\Windows\\System32' }, [system]), 'C:\\Program Files\\Git\\bin\\bash.exe')
  })
})
