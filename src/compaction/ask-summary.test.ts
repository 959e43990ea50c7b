import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { EngineRequest, ModelEvent } from '../engine/ports.js'
import { failureEvents, testAssistantMessage, textBlock, toolUse } from '../engine/test-ports.js'
import type { ContentBlock, MessageParam } from '../protocol/content.js'
import { askForSummary, isPromptMessage, keepNewerHalf } from './ask-summary.js'
import { continuationText, SUMMARIZER_PROMPT, summaryRequestText } from './summary-texts.js'

const never = new AbortController().signal
const user = (words: string): MessageParam => ({ role: 'user', content: [{ type: 'text', text: words }] })
const says = (words: string): MessageParam => ({ role: 'assistant', content: [textBlock(words)] })
const calls = (id: string): MessageParam => ({ role: 'assistant', content: [toolUse(id, 'Bash')] })
const results = (id: string): MessageParam => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }],
})
const answers = (content: ContentBlock[]): ModelEvent[] => [
  {
    type: 'end',
    outcome: { ok: true, message: testAssistantMessage(content, 'end_turn'), streamed: true, requestId: null },
  },
]

const TOOLS = ['Bash', 'Read'].map((name) => ({ name, description: '', input_schema: {} }))
/** A separate request, made when the request inside the conversation returned no summary. */
const APART = {
  model: 'big',
  system: [SUMMARIZER_PROMPT],
  tools: [TOOLS[1]],
  partial: false,
  plain: true,
  maxTokens: 20_000,
}

function scripted(...script: ModelEvent[][]) {
  const requests: EngineRequest[] = []
  const port = {
    async *stream(request: EngineRequest) {
      requests.push(request)
      yield* script.shift() ?? []
    },
  }
  const ask = (messages: readonly MessageParam[], wishes: readonly string[] = [], signal = never) =>
    askForSummary({ port, model: 'big', system: ['Be exact.'], tools: TOOLS, messages, wishes }, signal)
  return { requests, ask }
}

test('the question comes after all that was said, with the same system prompt and tools, and the texts of the answer are the summary', async () => {
  const { requests, ask } = scripted(answers([textBlock(' What'), textBlock(' happened.\n')]))
  const messages = [user('Hi'), says('Hello')]
  assert.equal(await ask(messages, ['Keep names.']), 'What happened.')
  assert.deepEqual(requests, [
    {
      model: 'big',
      system: ['Be exact.'],
      tools: TOOLS,
      partial: false,
      messages: [...messages, user(summaryRequestText(['Keep names.']))],
    },
  ])
})

test('a model that calls a tool instead is asked once more, apart from the conversation', async () => {
  const { requests, ask } = scripted(
    answers([textBlock('Let me look first.'), toolUse('toolu_1', 'Bash')]),
    answers([textBlock('Sum.')]),
  )
  assert.equal(await ask([user('Hi')]), 'Sum.')
  const [first, second] = requests
  assert.deepEqual(second, { ...APART, messages: first?.messages })
})

test('where the user spoke last the question joins that message: roles have to alternate', async () => {
  for (const last of [user('Hi'), { role: 'user', content: 'Hi' } as const]) {
    const { requests, ask } = scripted(answers([textBlock('Sum.')]))
    await ask([last])
    const block = (words: string) => ({ type: 'text', text: words })
    assert.deepEqual(requests[0]?.messages, [{ role: 'user', content: [block('Hi'), block(summaryRequestText([]))] }])
  }
})

test('an answer without words is no summary', async () => {
  const expected = { kind: 'unknown', code: 'empty_summary', text: 'the model wrote no summary', status: null }
  for (const content of [[], [textBlock(' \n')], [toolUse('toolu_1', 'Read')]]) {
    const { requests, ask } = scripted(answers(content), answers(content))
    assert.deepEqual(await ask([user('Hi')]), expected)
    assert.equal(requests.length, 2)
  }
})

test('a failure is handed back as it is, after one try', async () => {
  const { requests, ask } = scripted(failureEvents('overloaded'), answers([textBlock('never asked')]))
  const outcome = await ask([user('Hi')])
  assert.ok(typeof outcome !== 'string')
  assert.deepEqual([outcome.code, requests.length], ['overloaded', 1])
})

test('what is too long is asked apart, then loses its older half, again and again, and then it is over', async () => {
  const long = Array.from({ length: 32 }, (_, n) => (n % 2 === 0 ? user(`q${n}`) : says(`a${n}`)))
  const once = scripted(
    failureEvents('prompt_too_long'),
    failureEvents('prompt_too_long'),
    answers([textBlock('Sum.')]),
  )
  assert.equal(await once.ask(long), 'Sum.')
  assert.deepEqual(once.requests[1], { ...APART, messages: once.requests[0]?.messages })
  assert.deepEqual(once.requests[2]?.messages.slice(0, -1), long.slice(16))
  const tooLong = scripted(...Array.from({ length: 9 }, () => failureEvents('prompt_too_long')))
  const outcome = await tooLong.ask(long)
  assert.ok(typeof outcome !== 'string' && outcome.code === 'prompt_too_long')
  assert.deepEqual(
    tooLong.requests.map(({ messages }) => messages.length),
    [33, 33, 17, 9, 5, 3],
  )
})

test('an interruption ends it: no more tries, and the stream may just stop', async () => {
  const controller = new AbortController()
  controller.abort()
  const { requests, ask } = scripted(failureEvents('prompt_too_long'))
  const outcome = await ask([user('Hi'), says('Hello')], [], controller.signal)
  assert.ok(typeof outcome !== 'string')
  assert.deepEqual([outcome.code, requests.length], ['prompt_too_long', 1])
  const stopped = await scripted([]).ask([user('Hi')])
  assert.ok(typeof stopped !== 'string')
  assert.deepEqual([stopped.code, stopped.text], ['aborted', 'it was interrupted'])
})

test('the newer half begins with a prompt, so that no result stands without its call', () => {
  const turn = (n: number) => [user(`q${n}`), calls(`t${n}`), results(`t${n}`), says(`a${n}`)]
  const messages = [...turn(1), ...turn(2), ...turn(3)]
  assert.deepEqual(keepNewerHalf(messages), turn(3))
  const endless = [user('q'), calls('t1'), results('t1'), calls('t2'), results('t2'), calls('t3'), results('t3')]
  const note: MessageParam = { role: 'user', content: 'The beginning was left out.' }
  assert.deepEqual(keepNewerHalf(endless), [note, calls('t3'), results('t3')])
  assert.deepEqual(keepNewerHalf(endless.slice(0, 5)), [note, calls('t2'), results('t2')])
})

test('however long a conversation is: the half is shorter, begins with the user, and has a call for each result', () => {
  const step = fc.constantFrom('turn', 'call')
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const messages = steps.flatMap((one, n) =>
        one === 'turn' || n === 0 ? [user(`q${n}`), says(`a${n}`)] : [calls(`t${n}`), results(`t${n}`)],
      )
      const half = keepNewerHalf(messages)
      assert.ok(half.length <= Math.max(messages.length / 2 + 1, 1) + 1)
      assert.equal(half[0]?.role, 'user')
      const made = new Set<string>()
      for (const { content } of half) {
        for (const block of typeof content === 'string' ? [] : content) {
          if (block.type === 'tool_use') made.add(block.id)
          if (block.type === 'tool_result') assert.ok(made.has(block.tool_use_id), block.tool_use_id)
        }
      }
    }),
  )
})

test('a prompt is what the user says by himself', () => {
  assert.equal(isPromptMessage(user('Hi')), true)
  assert.equal(isPromptMessage({ role: 'user', content: 'Hi' }), true)
  assert.equal(isPromptMessage(says('Hello')), false)
  const [result] = results('t1').content as [ContentBlock]
  assert.equal(isPromptMessage({ role: 'user', content: [{ type: 'text', text: 'beside' }, result as never] }), false)
})

test('wishes are put at the end, all of them, and without any there is no word of them', () => {
  const asked = summaryRequestText(['Keep names.', 'And dates.'])
  assert.match(asked, /Above all:\n\nKeep names\.\n\nAnd dates\.\n\nAnswer with the summary/)
  assert.doesNotMatch(summaryRequestText([]), /above all/i)
  assert.ok(continuationText('So far.').endsWith('\n\nSo far.'))
})
