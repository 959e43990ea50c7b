import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Platform } from '../../platform/platform.js'
import { checkDisk, checkFolders, checkNode, checkRipgrep, checkShell } from './machine.js'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-machine-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('Node', () => {
  const cases: [string, string][] = [
    ['v20.0.0', 'ok'],
    ['v26.1.0-nightly', 'ok'],
    ['v19.9.0', 'fail'],
    ['v2.0.0', 'fail'],
    ['', 'fail'],
  ]
  for (const [version, state] of cases) it(`${version}: ${state}`, () => assert.equal(checkNode(version).state, state))

  it('that is too old comes with what to do', () => {
    assert.deepEqual(checkNode('v18.1.0'), {
      check: 'node',
      state: 'fail',
      text: 'v18.1.0 is too old',
      fix: 'install Node 20 or newer: https://nodejs.org',
    })
  })

  it('that runs this is new enough', () =>
    assert.deepEqual(checkNode(), { check: 'node', state: 'ok', text: process.version }))
})

describe('the shell', () => {
  it('is the first bash of the path', async () => {
    const bash = join(root, 'bash')
    writeFileSync(bash, '#!/bin/sh\n')
    chmodSync(bash, 0o755)
    assert.deepEqual(await checkShell({ PATH: `${join(root, 'none')}:${root}` }), {
      check: 'shell',
      state: 'ok',
      text: bash,
    })
  })

  it('is missed where there is none', async () => {
    const { state, fix } = await checkShell({ PATH: join(root, 'none') })
    assert.deepEqual([state, fix], ['fail', 'install bash'])
  })
})

describe('ripgrep', () => {
  const rg = () => {
    const path = join(root, 'rg')
    writeFileSync(path, '#!/bin/sh\n')
    chmodSync(path, 0o755)
    return { PATH: root, USE_BUILTIN_RIPGREP: '0' }
  }
  // Of the platform only programs are used.
  const running = (run: () => Promise<object>) => ({ processes: { run } }) as unknown as Platform

  it('is named with its version', async () => {
    const found = await checkRipgrep(
      rg(),
      running(async () => ({ stdout: 'ripgrep 15.0.0\nmore', exitCode: 0 })),
    )
    assert.deepEqual(found, { check: 'ripgrep', state: 'ok', text: `ripgrep 15.0.0 (${join(root, 'rg')})` })
  })

  it('is missed where it fails, does not start or is not there, which only makes things slower', async () => {
    const failing = await checkRipgrep(
      rg(),
      running(async () => ({ stdout: '', exitCode: 2 })),
    )
    assert.equal(failing.state, 'warn')
    assert.match(failing.text, /rg ended with 2: Grep and Glob use the slower built-in engine/)
    const broken = await checkRipgrep(
      rg(),
      running(async () => {
        throw new Error('ENOEXEC')
      }),
    )
    assert.deepEqual([broken.state, broken.text], ['warn', `${join(root, 'rg')} doesn't start: ENOEXEC`])
    for (const { fix } of [failing, broken]) assert.match(fix ?? '', /install ripgrep/)
  })
})

describe('folders', () => {
  const check = (more: Partial<Parameters<typeof checkFolders>[0]> = {}) =>
    checkFolders({ configDir: join(root, 'config'), cacheBase: join(root, 'cache'), temporary: root, ...more })

  it('that can be made are fine, and nothing is left behind', () => {
    assert.deepEqual(check(), [
      { check: 'home', state: 'ok', text: `sessions are saved in ${join(root, 'config', 'projects')}` },
      { check: 'cache', state: 'ok', text: `compiled code is saved in ${join(root, 'cache')}/kedge` },
      { check: 'temporary', state: 'ok', text: root },
    ])
    assert.deepEqual(readdirSync(root), [])
  })

  it('that are no folders come with what to do', () => {
    writeFileSync(join(root, 'file'), '')
    const file = join(root, 'file')
    const [home, cache, temporary] = check({ configDir: file, cacheBase: file, temporary: file })
    assert.equal(home?.state, 'warn')
    assert.match(home?.text ?? '', /^sessions can't be saved: ENOTDIR/)
    assert.match(home?.fix ?? '', /set CLAUDE_CONFIG_DIR/)
    assert.equal(cache?.state, 'warn')
    assert.match(cache?.fix ?? '', /XDG_CACHE_HOME/)
    assert.equal(temporary?.state, 'fail')
    assert.match(temporary?.fix ?? '', /TMPDIR/)
  })

  it('behind a dangling link are looked for above it', () => {
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    assert.deepEqual(
      check({ configDir: join(root, 'dangling') }).map(({ state }) => state),
      ['ok', 'ok', 'ok'],
    )
  })

  it('of somebody without a home are none', () => {
    const [, cache] = check({ cacheBase: undefined })
    assert.match(cache?.text ?? '', /there is no home folder/)
  })

  it('say where nothing can be written', { skip: process.getuid?.() === 0 && 'root may write everywhere' }, () => {
    const closed = join(root, 'closed')
    mkdirSync(closed, { mode: 0o555 })
    const [home] = check({ configDir: join(closed, 'deep') })
    assert.match(home?.text ?? '', new RegExp(`^sessions can't be saved: EACCES: permission denied in ${closed}$`))
  })
})

describe('the disk', () => {
  it('has room, also for a folder that is not there yet', async () => {
    const folder = join(root, 'not', 'yet')
    const { check, text } = await checkDisk(folder)
    assert.equal(check, 'disk')
    assert.match(text, new RegExp(`^\\d+ MB free for ${folder}$`))
  })
})
