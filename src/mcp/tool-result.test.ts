import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import { boundResultText, toResultBlocks, toToolOutcome } from './tool-result.js'

type Kept = { content: string | Uint8Array; extension: string }

function ports({ maxTokens = 1000, canKeep = true, problems = [] as string[] } = {}) {
  const kept: Kept[] = []
  return {
    kept,
    maxTokens,
    async keep(content: string | Uint8Array, extension: string) {
      kept.push({ content, extension })
      return canKeep ? `/kept/${kept.length}.${extension}` : undefined
    },
    checkOutput: async () => problems,
  }
}
const text = (value: string) => ({ type: 'text', text: value })
const PNG = 'iVBORw0KGgo='

test('each kind of part becomes what a model can read, or a note that says what is missing', async () => {
  const cases: [unknown, unknown[]][] = [
    [{ type: 'text', text: 'as\nit is' }, [text('as\nit is')]],
    [{ type: 'text' }, [text('[a text without text is left out]')]],
    ['text', [text('[a part of the result that is no object is left out]')]],
    [null, [text('[a part of the result that is no object is left out]')]],
    [{ type: 'hologram\u0007\n', text: 'x' }, [text('[a part of type hologram is left out: it is not known here]')]],
    [{}, [text('[a part of type undefined is left out: it is not known here]')]],
    [
      { type: 'image', data: PNG, mimeType: 'image/png' },
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    ],
    [
      { type: 'image', data: 'no base64!', mimeType: 'image/png' },
      [text('[an image is left out: its data is not base64]')],
    ],
    [
      { type: 'image', data: PNG, mimeType: 'image/tiff' },
      [text('[image of type image/tiff, 8 bytes, kept in /kept/1.tiff]')],
    ],
    [
      { type: 'audio', data: 'AAAA', mimeType: 'audio/x-wav' },
      [text('[audio of type audio/x-wav, 3 bytes, kept in /kept/1.wav]')],
    ],
    [{ type: 'audio', data: 'AAAA' }, [text('[audio, 3 bytes, kept in /kept/1.bin]')]],
    [{ type: 'audio' }, [text('[audio left out: its data is not base64]')]],
    [
      { type: 'resource_link', uri: 'a://b', name: 'n', title: 'T', description: 'd' },
      [text('[resource T: a://b (d)]')],
    ],
    [{ type: 'resource_link', uri: 'a://b', name: 'n' }, [text('[resource n: a://b]')]],
    [{ type: 'resource' }, [text('[a resource without content is left out]')]],
    [{ type: 'resource', resource: { uri: 'a://b', text: 't' } }, [text('[resource a://b]'), text('t')]],
    [
      { type: 'resource', resource: { uri: 'a://b', blob: PNG, mimeType: 'image/png' } },
      [text('[resource a://b]'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    ],
    [
      { type: 'resource', resource: { uri: 'a://b', blob: 'AAA=', mimeType: 'application/pdf; v=1' } },
      [text('[resource a://b]'), text('[file of type application/pdf; v=1, 2 bytes, kept in /kept/1.pdf]')],
    ],
  ]
  for (const [given, wanted] of cases)
    assert.deepEqual(await toResultBlocks(given, ports()), wanted, JSON.stringify(given))
})

test('the extension of a kept file is a plain word, whatever the server calls its type', async () => {
  for (const [mimeType, extension] of [
    ['text/../../etc/passwd', 'bin'],
    ['application/vnd.ms-excel', 'bin'],
    ['image/svg+xml', 'svg'],
    ['AUDIO/OGG', 'ogg'],
    [{ evil: true }, 'bin'],
  ] as const) {
    const to = ports()
    await toResultBlocks({ type: 'audio', data: 'AAAA', mimeType }, to)
    assert.deepEqual(to.kept, [{ content: new Uint8Array(3), extension }], String(mimeType))
  }
})

test('base64: lines and padding are taken, anything else is not', async () => {
  const isTaken = async (data: unknown) => {
    const [block] = await toResultBlocks({ type: 'image', data, mimeType: 'image/gif' }, ports())
    return block?.type === 'image'
  }
  for (const good of ['AAAA', 'AAA=', 'AA==', 'AA\r\nAA', 'AAA=\n']) assert.equal(await isTaken(good), true, good)
  for (const bad of ['', '=', '====', 'A===', 'AA=A', 'AAA', 'AA AA', 'A-_A', '\n', 7, undefined])
    assert.equal(await isTaken(bad), false, String(bad))
})

test('an image that the API would not take is kept in a file', async () => {
  const to = ports()
  const [block] = await toResultBlocks({ type: 'image', data: 'A'.repeat(6_900_004), mimeType: 'image/png' }, to)
  assert.deepEqual(block, text('[image of type image/png, 5175003 bytes, kept in /kept/1.png]'))
  assert.equal(to.kept[0]?.content.length, 5_175_003)
})

test('what can not be kept is said to be lost', async () => {
  const to = ports({ canKeep: false, maxTokens: 1 })
  assert.deepEqual(await toResultBlocks({ type: 'audio', data: 'AAAA' }, to), [
    text("[audio, 3 bytes: it can't be shown or kept]"),
  ])
  assert.deepEqual(await boundResultText([{ type: 'text', text: 'abcdef' }], to), [
    text('abcd\n[2 more characters are left out here (MAX_MCP_OUTPUT_TOKENS); the rest could not be kept]'),
  ])
})

test('text within the limit is untouched; beyond it the whole goes into one file and images stay', async () => {
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
  }
  const within = ports({ maxTokens: 2 })
  assert.deepEqual(await boundResultText([{ type: 'text', text: '12345678' }, image], within), [
    text('12345678'),
    image,
  ])
  assert.deepEqual(within.kept, [])
  const beyond = ports({ maxTokens: 2 })
  const shown = await boundResultText([{ type: 'text', text: '12345' }, image, { type: 'text', text: '6789' }], beyond)
  assert.deepEqual(shown, [
    text(
      '12345\n67\n[2 more characters are left out here (MAX_MCP_OUTPUT_TOKENS); the whole is in /kept/1.txt: read parts of it as needed]',
    ),
    image,
  ])
  assert.deepEqual(beyond.kept, [{ content: '12345\n6789', extension: 'txt' }])
})

test('an error of the tool is its text, or says that there is none', async () => {
  const outcomeOf = (result: JsonObject) => toToolOutcome({ ...result, isError: true }, undefined, ports())
  assert.deepEqual(await outcomeOf({ content: [text('first'), text('second')] }), { ok: false, error: 'first\nsecond' })
  const nothing = { ok: false, error: 'The tool reported an error and gave no reason.' }
  assert.deepEqual(await outcomeOf({ content: [] }), nothing)
  assert.deepEqual(await outcomeOf({ content: 'no list' }), nothing)
  // Only `true` is an error: the server's word, not a guess at it.
  assert.equal((await toToolOutcome({ content: [], isError: 'yes' }, undefined, ports())).ok, true)
})

test('an error of many characters is bounded like a result', async () => {
  const outcome = await toToolOutcome(
    { content: [text('x'.repeat(100))], isError: true },
    undefined,
    ports({ maxTokens: 5 }),
  )
  assert.ok(!outcome.ok)
  assert.match(outcome.error, /^x{20}\n\[80 more characters/)
})

test('a structured result stands for the texts, which say the same; images stay beside it', async () => {
  const result = { content: [text('{"a":1}')], structuredContent: { a: 1 } }
  assert.deepEqual(await toToolOutcome(result, undefined, ports()), {
    ok: true,
    content: '{"a":1}',
    output: { content: '{"a":1}', structuredContent: { a: 1 } },
  })
  const image = { type: 'image', data: PNG, mimeType: 'image/png' }
  const outcome = await toToolOutcome({ ...result, content: [image, text('x')] }, undefined, ports())
  assert.deepEqual(outcome.ok && outcome.content, [
    text('{"a":1}'),
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  ])
})

test('a structured result that its own schema refuses is left out, but the call is no error: it ran', async () => {
  const to = ports({ problems: ['a must be a text', 'b is missing'] })
  const outcome = await toToolOutcome({ content: [text('t')], structuredContent: { a: 1 } }, { type: 'object' }, to)
  const shown = [text('t'), text('[structured result left out: a must be a text; b is missing]')]
  assert.deepEqual(outcome, { ok: true, content: shown, output: shown })
  const unchecked = await toToolOutcome({ content: [], structuredContent: { a: 1 } }, undefined, to)
  assert.equal(unchecked.ok && unchecked.content, '{"a":1}')
})

test('parts beyond two hundred are counted and kept in a file', async () => {
  const texts = Array.from({ length: 202 }, (_, at) => text(String(at)))
  const content = [...texts, { type: 'audio', data: '' }]
  const to = ports()
  const outcome = await toToolOutcome({ content }, undefined, to)
  assert.deepEqual(to.kept, [{ content: '200\n201\n{"type":"audio","data":""}', extension: 'txt' }])
  assert.ok(outcome.ok && Array.isArray(outcome.content))
  assert.equal(outcome.content.length, 201)
  assert.deepEqual(outcome.content.slice(-2), [text('199'), text('[3 further parts are in /kept/1.txt]')])
})
