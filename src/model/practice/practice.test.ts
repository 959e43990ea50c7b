import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { ModelEvent } from '../../engine/ports.js'
import type { AssistantMessage, ContentBlock, MessageParam } from '../../protocol/content.js'
import { createLedger } from '../ledger.js'
import { createPracticeModel } from './practice.js'
import { collectPracticeEvents, createTestRequest, PRACTICE_TEST_TOOLS, playPracticeTurn } from './test-conversation.js'

const ask = (text: string): MessageParam[] => [{ role: 'user', content: [{ type: 'text', text }] }]

describe('the practice model', () => {
  it('streams an answer in the order of the contract', async () => {
    const usage = { input_tokens: 128, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const content: ContentBlock[] = [
      { type: 'text', text: 'I read notes.txt.' },
      { type: 'tool_use', id: 'toolu_practice_1', name: 'Read', input: { file_path: '/project/notes.txt' } },
    ]
    const header: AssistantMessage = {
      id: 'msg_practice_1',
      type: 'message',
      role: 'assistant',
      model: 'practice',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 0 },
    }
    const message = { ...header, content, stop_reason: 'tool_use' as const, usage: { ...usage, output_tokens: 37 } }
    const [text, use] = content
    assert.ok(text && use)
    const delta = (index: number, partial: object) => ({ type: 'content_block_delta', index, delta: partial })
    const raw = (...events: object[]) => ({ type: 'events', events })
    const expected = [
      raw({ type: 'message_start', message: header }),
      raw({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      raw(delta(0, { type: 'text_delta', text: 'I' })),
      raw(delta(0, { type: 'text_delta', text: ' read' })),
      raw(delta(0, { type: 'text_delta', text: ' notes.txt.' })),
      { type: 'block', block: text, header, requestId: null },
      raw({ type: 'content_block_stop', index: 0 }),
      raw({ type: 'content_block_start', index: 1, content_block: { ...use, input: {} } }),
      raw(delta(1, { type: 'input_json_delta', partial_json: '{"file_path":"/p' })),
      raw(delta(1, { type: 'input_json_delta', partial_json: 'roject/notes.txt' })),
      raw(delta(1, { type: 'input_json_delta', partial_json: '"}' })),
      { type: 'block', block: use, header, requestId: null },
      raw({ type: 'content_block_stop', index: 1 }),
      raw(
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { output_tokens: 37 },
        },
        { type: 'message_stop' },
      ),
      { type: 'end', outcome: { ok: true, message, streamed: true, requestId: null } },
    ]
    const request = createTestRequest(ask('read notes.txt'))
    assert.deepEqual(await collectPracticeEvents({ ...request, partial: true }), expected)
    assert.deepEqual(
      await collectPracticeEvents(request),
      expected.filter(({ type }) => type !== 'events'),
    )
  })

  it('ends early when it is aborted', async () => {
    const request = { ...createTestRequest(ask('help')), partial: true }
    assert.deepEqual(await collectPracticeEvents(request, AbortSignal.abort()), [])
    const controller = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of createPracticeModel({ cwd: '/' }).stream(request, controller.signal)) {
      events.push(event)
      if (events.length === 4) controller.abort()
    }
    assert.equal(events.length, 4)
  })

  it('enters what it used into the ledger, at no cost', async () => {
    const ledger = createLedger()
    const request = createTestRequest(ask('read a'))
    for await (const _ of createPracticeModel({ cwd: '/project', ledger }).stream(
      request,
      new AbortController().signal,
    ));
    const { inputTokens, outputTokens, costUSD } = ledger.all().modelUsage['practice'] ?? {}
    assert.deepEqual({ inputTokens, outputTokens, costUSD }, { inputTokens: 126, outputTokens: 33, costUSD: 0 })
    assert.deepEqual(ledger.unpricedModels(), [])
  })

  it('says the same in the same conversation, with ids that never repeat', async () => {
    const prompt = 'plan: list the files, sing, create a.txt with x\nreplace x with y in a.txt then run `cat a.txt`'
    const run = () => playPracticeTurn(prompt, ({ name }) => ({ text: `done by ${name}`, isError: false }))
    const first = await run()
    assert.deepEqual(await run(), first)
    const ids = first.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((block) => (block.type === 'tool_use' ? block.id : [])),
    )
    assert.deepEqual([ids.length, new Set(ids).size], [9, 9])
    const again = await playPracticeTurn('read b', () => ({ text: '', isError: false }), { before: first.messages })
    assert.deepEqual(again.calls, [{ name: 'Read', input: { file_path: '/project/b' } }])
  })

  it('ends, whatever it is told and whatever the tools answer, and uses no tool that is not there', async () => {
    const words = fc.constantFrom(
      ...['list', 'the files', 'read', 'search for', 'create', 'with', 'write', 'to', 'in', 'replace', 'append', 'run'],
      ...[
        'plan:',
        'ask me',
        'then',
        ';',
        ',',
        'and',
        '\n',
        '"',
        '`',
        "'",
        ':',
        'a.txt',
        'x',
        '.',
        '```',
        '*',
        '\uE000',
      ],
    )
    const prompt = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
    )
    const outcome = fc.record({
      text: fc.oneof(
        fc.string(),
        fc.constantFrom(
          '     1→a\n     2→',
          '<tool_use_error>File has not been read yet.</tool_use_error>',
          'Exit code 1',
        ),
      ),
      isError: fc.boolean(),
    })
    const tools = fc.subarray(PRACTICE_TEST_TOOLS)
    await fc.assert(
      fc.asyncProperty(prompt, fc.infiniteStream(outcome), tools, async (text, outcomes, available) => {
        const { calls, said } = await playPracticeTurn(text, () => outcomes.next().value, { tools: available })
        for (const { name } of calls) assert.ok(available.includes(name))
        for (const line of said) assert.notEqual(line, '')
      }),
      { numRuns: byTier({ quick: 75, all: 300 }) },
    )
  })
})
