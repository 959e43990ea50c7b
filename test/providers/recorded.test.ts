/**
 * Streams that others recorded from the services themselves (recorded/README.md says who, and where each is from), fed to the
 * provider they belong to. What has to come out is what the vendors' own libraries made of the same bytes.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ContentBlock } from '../../src/protocol/content.js'
import { PROVIDERS } from '../support/providers/all-providers.js'
import { chunkFrame } from '../support/providers/messages-family.js'
import { spokenClient } from '../support/providers/spoken-client.js'
import { startSpoken } from '../support/providers/spoken-server.js'

type Expected = {
  id: string
  model: string
  stop_reason: string
  content: { type: string }[]
  /** input, cache read, output */
  tokens: [number, number, number]
}

const FOLDER = 'test/providers/recorded'
/** No divisor of anything: pieces end in the middle of lines, words and characters. */
const PIECE = 997
/** Who carries the events of an API, each in its own way. */
const CARRIERS: Record<string, string[]> = {
  messages: ['messages', 'bedrock', 'vertex', 'foundry'],
  responses: ['responses'],
  chat: ['chat'],
}

const expected: Record<string, Expected> = JSON.parse(readFileSync(`${FOLDER}/expected.json`, 'utf8'))
const apiOf = (name: string) => name.split('-')[0] ?? ''

/** One event per line, as it was published; how events are put on the wire is the API's. */
function bytesOf(name: string, carrier: string): Buffer {
  const lines = readFileSync(`${FOLDER}/${name}.jsonl`, 'utf8').trim().split('\n')
  if (carrier === 'bedrock') return Buffer.concat(lines.map((line) => chunkFrame(JSON.parse(line))))
  if (carrier === 'chat') return Buffer.from([...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
  return Buffer.from(lines.map((line) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`).join(''))
}

function providerOf(name: string, carrier: string) {
  const spoken = PROVIDERS.find((one) => one.name === carrier)
  assert.ok(spoken, carrier)
  return { ...spoken, frames: () => [bytesOf(name, carrier)] }
}

/** What a reader of the answer would tell apart. Reasoning without words is for the service alone. */
function plain(block: ContentBlock): object[] {
  if (block.type === 'redacted_thinking') return []
  if (block.type === 'thinking') return [{ type: 'thinking', thinking: block.thinking }]
  const { type } = block
  if (block.type === 'text') {
    const citations = block.citations?.length ?? 0
    return [{ type, text: block.text, ...(citations > 0 && { citations }) }]
  }
  return 'input' in block ? [{ type, id: block.id, name: block.name, input: block.input }] : [{ type }]
}

test('every recording has what is to come of it, and a source', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
  const names = files.map((name) => name.replace('.jsonl', ''))
  assert.deepEqual([...Object.keys(expected), 'responses-error'].sort(), names.sort())
  const page = readFileSync(`${FOLDER}/README.md`, 'utf8')
  for (const name of names) assert.ok(page.includes(`| \`${name}\` |`), name)
})

for (const [name, { tokens, ...message }] of Object.entries(expected))
  for (const carrier of CARRIERS[apiOf(name)] ?? [])
    test(`${name} from ${carrier} is read as its vendor reads it, whole and in pieces`, async () => {
      const answer = { blocks: [] }
      await using server = await startSpoken(providerOf(name, carrier), [{ answer }, { answer, pieceSize: PIECE }])
      await using client = await spokenClient({ env: server.env() })
      for (const way of ['whole', 'in pieces']) {
        const { outcome } = await client.ask({ partial: true })
        assert.ok(outcome.ok, JSON.stringify(outcome))
        const { id, model, stop_reason, content, usage } = outcome.message
        assert.deepEqual({ id, model, stop_reason, content: content.flatMap(plain) }, message, way)
        const { input_tokens, cache_read_input_tokens: cached, output_tokens } = usage
        assert.deepEqual([input_tokens, cached ?? 0, output_tokens], tokens, way)
      }
      assert.deepEqual(server.problems, [])
    })

test('responses-error: an empty account is said so, and not asked again', async () => {
  await using server = await startSpoken(providerOf('responses-error', 'responses'), [{ answer: { blocks: [] } }])
  await using client = await spokenClient({ env: server.env() })
  const { outcome } = await client.ask()
  assert.ok(!outcome.ok)
  assert.match(JSON.stringify(outcome), /You exceeded your current quota/)
  assert.equal(server.asked.length, 1)
})
