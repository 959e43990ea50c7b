import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessagesBody } from '../../testing/observed-request.js'
import { createPromptCacheSimulator } from './prompt-cache-simulator.js'

const text = (length: number) => 'x'.repeat(length)
const marked = { cache_control: { type: 'ephemeral' as const } }

function body(messages: MessagesBody['messages'], system: string): MessagesBody {
  return { model: 'm', max_tokens: 1, messages, system: [{ type: 'text', text: system, ...marked }] }
}

describe('a prompt cache by the rules', () => {
  it('reads what a mark has kept, and writes up to the last mark', () => {
    const cache = createPromptCacheSimulator()
    const first = cache.take(body([{ role: 'user', content: 'hi' }], text(4000)), 'ok')
    assert.equal(first.cache_read_input_tokens, 0)
    assert.ok(Number(first.cache_creation_input_tokens) >= 1000)
    assert.ok(first.input_tokens < 20)
    const again = cache.take(body([{ role: 'user', content: 'something else' }], text(4000)), 'ok')
    assert.equal(again.cache_read_input_tokens, first.cache_creation_input_tokens)
    assert.equal(again.cache_creation_input_tokens, 0)
  })

  it('reads nothing when the front has changed, or without a mark', () => {
    const cache = createPromptCacheSimulator()
    cache.take(body([{ role: 'user', content: 'hi' }], text(4000)), 'ok')
    const other = cache.take(body([{ role: 'user', content: 'hi' }], `${text(4000)}!`), 'ok')
    assert.equal(other.cache_read_input_tokens, 0)
    const bare: MessagesBody = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: text(4000) }] }
    cache.take(bare, 'ok')
    const unmarked = cache.take(bare, 'ok')
    assert.deepEqual([unmarked.cache_read_input_tokens, unmarked.cache_creation_input_tokens], [0, 0])
  })

  it('looks back twenty blocks from a mark, and no further', () => {
    const conversation = (blocks: number): MessagesBody => ({
      model: 'm',
      max_tokens: 1,
      messages: [
        {
          role: 'user',
          content: Array.from({ length: blocks }, (_, at) => ({
            type: 'text' as const,
            text: `block ${at}`,
            ...(at === blocks - 1 ? marked : {}),
          })),
        },
      ],
    })
    const near = createPromptCacheSimulator()
    near.take(conversation(5), '')
    assert.ok(Number(near.take(conversation(24), '').cache_read_input_tokens) > 0)
    const far = createPromptCacheSimulator()
    far.take(conversation(5), '')
    assert.equal(far.take(conversation(25), '').cache_read_input_tokens, 0)
  })
})
