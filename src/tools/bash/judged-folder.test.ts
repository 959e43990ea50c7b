/** Between the judgment of a command and its start a person may think for an hour: it runs in the folder it was judged in. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { createBashTool } from './bash.js'
import type { BashInput } from './bash-shapes.js'

const tool = createBashTool({ isReadOnlyCommand: () => false })

describe('a command that was judged', { skip: process.platform === 'win32' }, () => {
  let test: TestContext
  const at = (...names: string[]) => join(test.folder, ...names)
  beforeEach(async () => {
    test = await createTestContext()
    for (const name of ['sub', 'other', 'outside']) mkdirSync(at(name))
    test.context.session.shellCwd = at('sub')
  })
  afterEach(() => test.dispose())

  /** Judged, then something happens, then run. */
  const between = async (input: BashInput, happens: () => void) => {
    assert.equal(await tool.check?.(input, test.context), undefined)
    const facts = tool.facts(input, test.context)
    happens()
    // Whoever asks again hears the same.
    assert.deepEqual(tool.facts(input, test.context), facts)
    const outcome = await tool.execute(input, test.context)
    return { facts, outcome, text: outcome.ok ? outcome.content : outcome.error }
  }
  const moveAway = () => {
    renameSync(at('sub'), at('moved'))
    symlinkSync('outside', at('sub'))
  }
  const moved = () =>
    `The folder that the command was allowed to run in has been moved, or a link has taken its place: ${at('sub')}. Nothing was run. Run it again if that is where it is meant to run.`
  const nothingRan = () =>
    assert.deepEqual(
      readdirSync(test.folder, { recursive: true }).filter((name) => String(name).endsWith('ran')),
      [],
    )

  it('says where it will run, by name and links followed', async () => {
    symlinkSync('sub', at('link'))
    test.context.session.shellCwd = at('link')
    const { facts, text } = await between({ command: 'pwd; pwd -P; echo "$PWD"' }, () => {})
    assert.deepEqual(facts, {
      kind: 'command',
      command: 'pwd; pwd -P; echo "$PWD"',
      cwd: at('link'),
      realCwd: at('sub'),
    })
    assert.equal(text, [at('link'), at('sub'), at('link')].join('\n'))
  })

  it('runs there though the shell was led elsewhere meanwhile', async () => {
    const { text } = await between({ command: 'pwd' }, () => {
      test.context.session.shellCwd = at('other')
    })
    assert.equal(text, at('sub'))
    assert.equal(test.context.session.shellCwd, at('other'))
  })

  for (const run_in_background of [false, true]) {
    it(`does not run behind a link that took its place${run_in_background ? ', in the background' : ''}`, async () => {
      const { outcome, text } = await between({ command: 'touch ran', run_in_background }, moveAway)
      assert.deepEqual([outcome.ok, text], [false, moved()])
      nothingRan()
      // Asked about anew, it is another folder.
      const again = await between({ command: 'pwd -P' }, () => {})
      assert.deepEqual([again.text, again.facts], [at('outside'), { ...again.facts, realCwd: at('outside') }])
    })

    it(`does not run when its folder is gone${run_in_background ? ', in the background' : ''}`, async () => {
      const { outcome, text } = await between({ command: 'touch ran', run_in_background }, () =>
        rmSync(at('sub'), { recursive: true }),
      )
      assert.equal(outcome.ok, false)
      assert.match(
        String(text),
        /^The folder that the command was to run in is gone: .*\/sub\. The shell stands in .* now\. Nothing was run\./,
      )
      nothingRan()
      assert.equal(test.context.session.shellCwd, test.folder)
    })
  }

  it('runs where it was judged to though a link on the way leads elsewhere by then', async () => {
    mkdirSync(at('other/deep'))
    mkdirSync(at('outside/deep'))
    symlinkSync('other', at('way'))
    test.context.session.shellCwd = at('way/deep')
    const { outcome, text } = await between({ command: 'touch ran' }, () => {
      rmSync(at('way'))
      symlinkSync('outside', at('way'))
    })
    assert.deepEqual([outcome.ok, text], [true, '(no output, exit code 0)'])
    assert.deepEqual([readdirSync(at('other/deep')), readdirSync(at('outside/deep'))], [['ran'], []])
  })

  it('runs in a folder of the same name that took its place: that is what was judged', async () => {
    const { outcome } = await between({ command: 'touch ran' }, () => {
      renameSync(at('sub'), at('moved'))
      mkdirSync(at('sub'))
    })
    assert.equal(outcome.ok, true)
    assert.deepEqual([readdirSync(at('sub')), readdirSync(at('moved'))], [['ran'], []])
  })
})
