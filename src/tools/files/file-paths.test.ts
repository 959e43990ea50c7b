import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import type { ToolContext } from '../tool.js'
import {
  createEditFacts,
  noteDestination,
  notedDestination,
  resolveDestination,
  toolPath,
  whyPathIsRefused,
} from './file-paths.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-paths-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function context(
  env: Record<string, string> = { HOME: '/home/ada' },
  files: Partial<typeof nodeFiles> = {},
): ToolContext {
  const session = { destinations: new WeakMap(), shellCwd: root }
  return { cwd: root, env, session, platform: { files: { ...nodeFiles, ...files } } } as unknown as ToolContext
}
const at = (...parts: string[]) => join(root, ...parts)

describe('a path as it is written', () => {
  test('is absolute, from here or from home', () => {
    assert.equal(toolPath('a/b', context()), at('a/b'))
    assert.equal(toolPath('/x/../y', context()), '/y')
    assert.equal(toolPath('~', context()), '/home/ada')
    assert.equal(toolPath('~/a', context()), '/home/ada/a')
  })

  test('of others, or without a home, a tilde is a name', () => {
    assert.equal(toolPath('~bob/a', context()), at('~bob/a'))
    assert.equal(toolPath('~/a', context({})), at('~/a'))
    assert.equal(toolPath('~/a', context({ HOME: 'relative' })), at('~/a'))
  })

  test('with a NUL is refused', () => {
    assert.match(whyPathIsRefused('a\0b') ?? '', /NUL/)
    assert.match(whyPathIsRefused('a/'.repeat(4_097)) ?? '', /longer than any system takes/)
    assert.equal(whyPathIsRefused('a/'.repeat(4_096)), undefined)
    assert.equal(whyPathIsRefused('a b\n'), undefined)
  })
})

describe('where it leads', () => {
  test('through links, also to what is not there yet', async () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('link'))
    writeFileSync(at('real', 'a'), '')
    assert.equal(await resolveDestination(at('link', 'a'), context()), at('real', 'a'))
    assert.equal(await resolveDestination(at('link', 'new'), context()), at('real', 'new'))
    assert.equal(await resolveDestination(at('link', 'x', 'y', 'z'), context()), at('real', 'x', 'y', 'z'))
  })

  test('what can not be followed is an error', async () => {
    symlinkSync('round', at('round'))
    await assert.rejects(resolveDestination(at('round', 'x'), context()), { code: 'ELOOP' })
    const realpath = async () => {
      throw Object.assign(new Error('none'), { code: 'ENOENT' })
    }
    await assert.rejects(resolveDestination('/a/b', context({}, { realpath })), { code: 'ENOENT' })
  })
})

describe('what is noted of a call', () => {
  test('both names, where they differ', async () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('link'))
    const [one, other] = [{}, {}]
    const here = context()
    await noteDestination(one, at('link', 'a'), here)
    await noteDestination(other, at('real', 'a'), here)
    assert.deepEqual(createEditFacts(one, 'link/a', here), {
      kind: 'edit',
      path: at('link/a'),
      resolvedPath: at('real/a'),
    })
    assert.deepEqual(createEditFacts(other, 'real/a', here), { kind: 'edit', path: at('real/a') })
    assert.deepEqual(createEditFacts({}, 'link/a', here), { kind: 'edit', path: at('link/a') })
  })

  test('stays what it was when a link is swapped', async () => {
    mkdirSync(at('one'))
    symlinkSync('one', at('link'))
    const [call, here] = [{}, context()]
    await noteDestination(call, at('link', 'a'), here)
    unlinkSync(at('link'))
    symlinkSync('/etc', at('link'))
    assert.equal(notedDestination(call, here), at('one', 'a'))
  })

  test('that it leads nowhere, of what can not be followed: what it leads to later was not judged', async () => {
    symlinkSync('round', at('round'))
    const [call, here] = [{}, context()]
    await noteDestination(call, at('round'), here)
    assert.equal(notedDestination(call, here), '')
  })
})
