/** What is put right after a command is in the folders it was about; a link of the command's leads it nowhere else. */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { restoreExpectedPaths } from './restore-paths.js'

describe('after a command', { skip: process.platform === 'win32' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-aftermath-')))
    for (const name of ['project', 'outside']) mkdirSync(at(name))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))
  const nothingAt = (...names: string[]) => restoreExpectedPaths([{ path: at('project', ...names), link: undefined }])

  it('what it put at a protected name is moved aside, to a name that is free', async () => {
    for (const content of ['one', 'two']) {
      writeFileSync(at('project/HEAD'), content)
      const name = `HEAD.blocked-by-sandbox${content === 'one' ? '' : '-1'}`
      assert.deepEqual(await nothingAt('HEAD'), [
        `${at('project/HEAD')} is protected: what the command put there is now ${at('project', name)}.`,
      ])
      assert.equal(readFileSync(at('project', name), 'utf8'), content)
    }
    assert.deepEqual(readdirSync(at('project')), ['HEAD.blocked-by-sandbox', 'HEAD.blocked-by-sandbox-1'])
  })

  it('nothing is said about what is not there, or is an empty folder, which goes', async () => {
    assert.deepEqual(await nothingAt('HEAD'), [])
    assert.deepEqual(await nothingAt('.cursor', 'mcp.json'), [])
    writeFileSync(at('project/.cursor'), 'a file')
    assert.deepEqual(await nothingAt('.cursor', 'mcp.json'), [])
    mkdirSync(at('project/HEAD'))
    assert.deepEqual(await nothingAt('HEAD'), [])
    assert.deepEqual(readdirSync(at('project')), ['.cursor'])
  })

  it('a link is put back that it removed, led elsewhere or replaced', async () => {
    const path = at('project/.envrc')
    const expected = [{ path, link: 'target' }]
    const isBack = () => assert.equal(readlinkSync(path), 'target')
    assert.deepEqual(await restoreExpectedPaths(expected), [`${path} is protected: the link was put back.`])
    isBack()
    assert.deepEqual(await restoreExpectedPaths(expected), [])
    rmSync(path)
    writeFileSync(path, 'planted')
    const aside = `${path}.blocked-by-sandbox`
    assert.deepEqual(await restoreExpectedPaths(expected), [
      `${path} is protected: what the command put there is now ${aside}.`,
    ])
    isBack()
    assert.equal(readFileSync(aside, 'utf8'), 'planted')
  })

  it('nothing is moved, removed or made behind a link that it put in place of a folder', async () => {
    mkdirSync(at('outside/empty'))
    writeFileSync(at('outside/mcp.json'), "the user's own")
    symlinkSync(at('outside'), at('project/.cursor'))
    const failed = (name: string) =>
      `${at('project/.cursor', name)} is protected but was changed, and could not be put right. Look at it.`
    for (const name of ['mcp.json', 'empty']) assert.deepEqual(await nothingAt('.cursor', name), [failed(name)])
    assert.deepEqual(await restoreExpectedPaths([{ path: at('project/.cursor/new'), link: 'x' }]), [failed('new')])
    assert.deepEqual(readdirSync(at('outside')).sort(), ['empty', 'mcp.json'])
    assert.equal(readFileSync(at('outside/mcp.json'), 'utf8'), "the user's own")
  })
})
