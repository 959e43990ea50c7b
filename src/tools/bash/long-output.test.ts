/** Output that is more than can be passed on: what the model sees of it, and where all of it is. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { after, beforeEach, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { createBashTool } from './bash.js'
import type { BashOutput } from './bash-shapes.js'
import { createSafeTextDecoder, stripEscapes } from './clean-output.js'
import { commandLimits } from './command-limits.js'
import { createExcerpt } from './excerpt.js'

const tool = createBashTool({ isReadOnlyCommand: () => false })
const contexts: TestContext[] = []
let test: TestContext

beforeEach(async () => {
  test = await createTestContext()
  contexts.push(test)
})
after(async () => {
  for (const context of contexts) await context.dispose()
})

const bash = (command: string, overrides: Partial<CallContext> = {}) =>
  tool.execute({ command }, { ...test.context, ...overrides, env: { ...test.context.env, ...overrides.env } })

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('')

/** A success has this shape; what is missing fails the assertion on it. */
const outputOf = (outcome: Awaited<ReturnType<typeof bash>>) =>
  outcome.ok ? (outcome.output as BashOutput) : undefined

describe('long output', () => {
  it('keeps its two ends, and is whole in a file of our own', async () => {
    const outcome = await bash('seq 1 20; seq 21 10000', { env: { BASH_MAX_OUTPUT_LENGTH: '20' } })
    const { persistedOutputPath: path = '', stdout, persistedOutputSize } = outputOf(outcome) ?? assert.fail()
    const note = `[… 48874 characters left out; the whole output, 48894 bytes, is in ${path} …]`
    assert.equal(stdout, `1\n2\n3\n4\n5\n\n\n${note}\n\n999\n10000`)
    assert.deepEqual(outcome.ok && outcome.content, stdout)
    assert.deepEqual([readFileSync(path, 'utf8'), persistedOutputSize], [numbers(10_000), 48_894])
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  it('is passed on as it is up to the limit, and no file is made', async () => {
    const prepare = () => assert.fail('a file was wanted')
    const tasks = { ...test.context.tasks, prepare }
    const outcome = await bash("printf '%030000d' 1", { tasks })
    assert.equal(outcome.ok && outcome.content, '1'.padStart(30_000, '0'))
  })

  it('of a failure is shown in part where it is too much, and is whole in a file', async () => {
    const short = await bash("printf '%05000d' 1; exit 2")
    const text = '1'.padStart(5_000, '0')
    assert.equal(short.ok || short.error, `Exit code 2\n${text}`)
    const long = await bash('seq 1 5000; exit 2')
    const error = long.ok ? '' : long.error
    const [, path = ''] =
      /^Exit code 2\n1\n2\n[\s\S]*the whole output, 23893 bytes, is in (\S+) …\][\s\S]*\n4999\n5000$/.exec(error) ?? []
    assert.ok(error.length < 10_500)
    assert.equal(readFileSync(path, 'utf8'), numbers(5_000))
  })

  it('is still cut, and says nothing of a file, where there can be none', async () => {
    const tasks = { ...test.context.tasks, prepare: () => Promise.reject(new Error('no folder')) }
    const outcome = await bash('seq 1 10000', { env: { BASH_MAX_OUTPUT_LENGTH: '20' }, tasks })
    const { stdout, ...rest } = outputOf(outcome) ?? assert.fail()
    assert.equal(stdout, '1\n2\n3\n4\n5\n\n\n[… 48874 characters left out …]\n\n999\n10000')
    assert.equal('persistedOutputPath' in rest, false)
  })

  it('never goes through a link, nor over what is there', async () => {
    const victim = `${test.folder}/victim`
    await bash(`echo precious > ${victim}; ln -s ${victim} link`)
    for (const outputFile of [victim, `${test.folder}/link`]) {
      const tasks = { ...test.context.tasks, prepare: async () => ({ id: 'b1', outputFile }) }
      const outcome = await bash('seq 1 10000', { env: { BASH_MAX_OUTPUT_LENGTH: '20' }, tasks })
      assert.match(outputOf(outcome)?.stdout ?? '', /\n\[… 48874 characters left out …\]\n/)
    }
    assert.equal(readFileSync(victim, 'utf8'), 'precious\n')
  })

  it('has the room the environment gives it', () => {
    const room = (length?: string) => commandLimits({ command: '' }, { BASH_MAX_OUTPUT_LENGTH: length }).outputLength
    assert.deepEqual([room(), room('35000'), room('999999')], [30_000, 35_000, 150_000])
    for (const bad of ['', 'x', '-5', '0', '1.5', 'NaN']) assert.equal(room(bad), 30_000, bad)
  })

  it('leaves no file behind when it is short', async () => {
    await bash('echo short')
    const { outputFile } = await test.context.tasks.prepare('local_bash')
    assert.equal(existsSync(outputFile), false)
  })
})

it('an excerpt is the text, or its two ends', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), fc.nat(40), fc.nat(40), (pieces, limit, wanted) => {
      const excerpt = createExcerpt(limit)
      for (const piece of pieces) excerpt.add(piece)
      const all = pieces.join('')
      const most = Math.min(limit, wanted)
      const shown = excerpt.text(wanted, (leftOut) => `<${leftOut}>`)
      assert.equal(excerpt.length, all.length)
      assert.equal(excerpt.whole(), all.length <= limit ? all : undefined)
      if (all.length <= most) return assert.equal(shown, all)
      const [, head = '', leftOut, tail = ''] = /^([\s\S]*?)\n\n<(\d+)>\n\n([\s\S]*)$/.exec(shown) ?? assert.fail()
      assert.ok(all.startsWith(head) && all.endsWith(tail) && head.length + tail.length <= most + 1)
      assert.equal(head.length + Number(leftOut) + tail.length, all.length)
    }),
  )
})

describe('T10: the text filter', () => {
  it('gives the same text however the bytes are cut', () => {
    const unit = fc.constantFrom('a', '\n', 'é', '😀', '\x1b[31m', '\x1b]0;t\x07', '\x1bP1\x1b\\', '\x1b', '\0', '\r')
    fc.assert(
      fc.property(fc.string({ unit }), fc.array(fc.nat(20)), (text, cuts) => {
        const bytes = new TextEncoder().encode(text)
        const filter = createSafeTextDecoder()
        let shown = ''
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          shown += filter.take(bytes.subarray(at, at + cut))
          at += cut
        }
        assert.equal(shown + filter.rest(), stripEscapes(text))
      }),
    )
  })

  it('takes hostile text in one pass', () => {
    for (const piece of ['\x9d', '\x1b]', '\x90', '\x1bP', '\x1b[', '\x9b1;']) {
      assert.equal(stripEscapes(piece.repeat(100_000)).includes('\x1b'), false)
    }
  })
})
