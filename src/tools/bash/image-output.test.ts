/** Images on stdout, and what only looks like one. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { createBashTool } from './bash.js'
import { createOutputImageReader } from './image-output.js'

const tool = createBashTool({ isReadOnlyCommand: () => false })
let test: TestContext
before(async () => {
  test = await createTestContext()
})
after(() => test.dispose())

const bash = (command: string) => tool.execute({ command }, test.context)

/** One gray pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

function shown(type: string, image: Buffer, more: Record<string, unknown> = {}) {
  const data = image.toString('base64')
  const plain = { stderr: '', interrupted: false, noOutputExpected: false }
  return {
    ok: true,
    content: [{ type: 'image', source: { type: 'base64', data, media_type: type } }],
    output: { ...plain, stdout: `data:${type};base64,${data}`, isImage: true, ...more },
  }
}

describe('an image on stdout', () => {
  it('is shown, from its bytes or from a data URL, also one in lines', async () => {
    await writeFile(`${test.folder}/a.png`, PNG)
    await writeFile(`${test.folder}/a.gif`, GIF)
    assert.deepEqual(await bash('cat a.png'), shown('image/png', PNG))
    assert.deepEqual(await bash('cat a.gif'), shown('image/gif', GIF))
    const url = (type: string) => `echo "data:image/${type};base64,$(base64 -w 20 a.png)"`
    assert.deepEqual(await bash(url('png')), shown('image/png', PNG))
    // What it is counts, not what it says it is: the API refuses an image under a wrong name.
    assert.deepEqual(await bash(url('jpeg')), shown('image/png', PNG))
    assert.deepEqual(test.progress, [])
  })

  it('comes with the remark about the shell', async () => {
    const remark = `Shell cwd was reset to ${test.folder}`
    const expected = shown('image/png', PNG, { stderr: `\n${remark}` })
    assert.deepEqual(await bash('cat a.png; cd /'), {
      ...expected,
      content: [...expected.content, { type: 'text', text: remark }],
    })
  })

  it('is refused when it is too large', async () => {
    const outcome = await bash('cat a.png; head -c 6000000 /dev/zero')
    assert.match(outcome.ok ? '' : outcome.error, /^The command printed an image that is too large .*5 MB/)
  })

  it('is text when it is broken, unknown, part of more, or came from a command that failed', async () => {
    const texts = [
      'head -c 40 a.png',
      'echo "data:image/png;base64,AAAA"',
      'echo "data:image/svg+xml;base64,$(base64 -w 0 a.png)" | tr B "<"',
      'echo data:image/',
      'echo "GIF89a is a format"',
      'printf RIFF',
      'printf d',
    ]
    for (const command of texts) {
      const outcome = await bash(command)
      assert.deepEqual([outcome.ok && typeof outcome.content, command], ['string', command])
      assert.equal(outcome.ok && outcome.content === '', false)
    }
    const failed = await bash('echo "data:image/png;base64,$(base64 -w 0 a.png)"; exit 3')
    assert.match(failed.ok ? '' : failed.error, /^Exit code 3\ndata:image\/png/)
  })
})

it('what is no image is not held back', () => {
  for (const text of ['hello', 'dat', 'data:text', 'GIF7', 'RIB', '\n']) {
    const catcher = createOutputImageReader()
    const pieces = [...Buffer.from(`${text}...`)].flatMap((byte) => catcher.take(Uint8Array.of(byte)))
    assert.equal(Buffer.concat(pieces).toString(), `${text}...`)
  }
})
