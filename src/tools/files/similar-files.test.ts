/** Files that may be meant by a path that leads nowhere. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { suggestFileText } from './similar-files.js'

describe('a file that is not there', () => {
  let test: TestContext
  const at = (name: string) => join(test.folder, name)
  before(async () => {
    test = await createTestContext()
    await mkdir(at('src/deep'), { recursive: true })
    for (const name of ['dup.txt', 'README.md', 'src/index.ts', 'src/deep/x.json']) await writeFile(at(name), '')
  })
  after(() => test.dispose())
  const suggest = (path: string, shellCwd = test.folder) =>
    suggestFileText(path, { ...test.context, session: { ...test.context.session, shellCwd } })

  it('may be meant by a slip, another case or another ending', async () => {
    assert.equal(await suggest(at('dupp.txt')), `Did you mean ${at('dup.txt')}?`)
    assert.equal(await suggest(at('udp.txt')), `Did you mean ${at('dup.txt')}?`)
    assert.equal(await suggest(at('readme.MD')), `Did you mean ${at('README.md')}?`)
    assert.equal(await suggest(at('src/index.js')), `Did you mean ${at('src/index.ts')}?`)
  })

  it('may stand where the shell does not, or be in no folder at all', async () => {
    assert.equal(await suggest(at('src/dup.txt'), at('src')), `Did you mean ${at('dup.txt')}?`)
    assert.equal(await suggest(at('deep/x.json'), at('src')), `Did you mean ${at('src/deep/x.json')}?`)
    assert.equal(await suggest(at('lib/util/a.ts')), `There is no folder ${at('lib')}.`)
    assert.equal(await suggest(at('other.css')), '')
  })

  it('is not looked for outside the working directories', async () => {
    assert.equal(await suggest('/etc/hostnam'), '')
    assert.equal(await suggest('/nowhere/at/all'), '')
  })
})
