/** A search that was judged in one folder tells nothing of another that took its name, before it or in the middle of it. */
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { WorkspaceFiles } from '../../platform/files/files.js'
import { LINK_CHANGED_TEXT } from '../files/file-paths.js'
import { createGlobTool } from '../glob/glob.js'
import { createGrepTool } from '../grep/grep.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext, Tool } from '../tool.js'

const searches: { tool: Tool; input: () => Record<string, unknown> }[] = [
  { tool: createGrepTool({}), input: () => ({ pattern: 'found', path: 'sub', output_mode: 'content' }) },
  { tool: createGlobTool({}), input: () => ({ pattern: '*.txt', path: 'sub' }) },
  { tool: createGlobTool({}), input: () => ({ pattern: './sub/*.txt' }) },
]

for (const [index, { tool, input }] of searches.entries()) {
  describe(`${tool.name} (${index})`, { skip: process.platform === 'win32' }, () => {
    let test: TestContext
    const at = (...names: string[]) => join(test.folder, ...names)
    beforeEach(async () => {
      test = await createTestContext()
      for (const name of ['sub', 'outside']) {
        mkdirSync(at(name))
        writeFileSync(at(name, `${name}.txt`), `found ${name}`)
      }
      symlinkSync('outside', at('link'))
    })
    afterEach(() => test.dispose())
    const swap = () => {
      renameSync(at('sub'), at('moved'))
      renameSync(at('link'), at('sub'))
    }
    const search = async (happens: () => void, context: CallContext = test.context) => {
      const call = input()
      assert.equal(await tool.check?.(call, context), undefined)
      const facts = tool.facts(call, context)
      happens()
      const outcome = await tool.execute(call, context)
      return { facts, outcome, text: outcome.ok ? String(outcome.content) : outcome.error }
    }

    it('says where it looks, and finds what is there', async () => {
      const { facts, text } = await search(() => {})
      assert.deepEqual('paths' in facts && facts.paths, [at('sub')])
      assert.match(text, /sub\.txt/)
    })

    it('says where a link leads', async () => {
      swap()
      const { facts, text } = await search(() => {})
      assert.deepEqual('paths' in facts && facts.paths, [at('sub'), at('outside')])
      // A pattern that is anchored finds nothing behind a link.
      if (index < 2) assert.match(text, /outside\.txt/)
    })

    it('is refused when the folder is another one by then', async () => {
      const { outcome } = await search(swap)
      assert.deepEqual(outcome, { ok: false, error: LINK_CHANGED_TEXT, refused: true })
    })

    it('keeps to itself what it found when the folder became another one meanwhile', async () => {
      const { files } = test.context.platform
      let looks = 0
      const racing: WorkspaceFiles = {
        ...files,
        entries(...path) {
          looks += 1
          if (looks === 1) swap()
          return files.entries(...path)
        },
      }
      const context = { ...test.context, platform: { ...test.context.platform, files: racing } }
      const { outcome } = await search(() => {}, context)
      assert.deepEqual([outcome, looks > 0], [{ ok: false, error: LINK_CHANGED_TEXT, refused: true }, true])
    })
  })
}
