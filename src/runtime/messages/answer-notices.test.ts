import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineRequest, ModelEvent } from '../../engine/ports.js'
import { testAssistantMessage, textBlock, toolUse } from '../../engine/test-ports.js'
import type { ContentBlock, MessageParam } from '../../protocol/content.js'
import { createLiveSettings } from '../live-settings.js'
import { createTestConversation, neverAborted } from '../test-conversation.js'
import { modelWithCacheNotices, warnOfFabricatedCalls } from './answer-notices.js'

const tool = (name: string) => ({ name, description: '', input_schema: {} })
const prompt: MessageParam = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const REQUEST: EngineRequest = {
  model: 'big',
  system: ['You.'],
  tools: [tool('Read')],
  messages: [prompt],
  partial: false,
}

async function* answersNothing(): AsyncGenerator<ModelEvent> {
  yield* []
}

function start() {
  const asked: EngineRequest[] = []
  const port = {
    stream(request: EngineRequest) {
      asked.push(request)
      return answersNothing()
    },
  }
  const live = createLiveSettings({ env: {}, settingsHooks: [], hookLimits: undefined })
  const { conversation, sent } = createTestConversation({ ports: { model: port }, shared: { live } })
  const model = modelWithCacheNotices(conversation)
  return {
    asked,
    ask: (more: Partial<EngineRequest> = {}) => void model.stream({ ...REQUEST, ...more }, neverAborted),
    /** The API says what it had in its cache. */
    answered(read: number | null, created: number | null = null, content: ContentBlock[] = [textBlock('Yes.')]) {
      const whole = testAssistantMessage(content, 'end_turn')
      const usage = { ...whole.usage, cache_read_input_tokens: read, cache_creation_input_tokens: created }
      warnOfFabricatedCalls(conversation, { ...whole, usage })
    },
    told: () =>
      sent.flatMap((one) =>
        one.type === 'system' && one.subtype === 'informational' ? [[one.code, one.details]] : [],
      ),
    sent,
    live,
  }
}

test('a cache that holds is not worth a word', () => {
  const { ask, answered, told } = start()
  ask()
  answered(0, 500)
  const more: MessageParam = { role: 'assistant', content: [textBlock('Yes.')] }
  ask({ messages: [prompt, more] })
  answered(500)
  // A message that continues where it ended is still the same to the cache.
  const [block] = prompt.content as [ContentBlock]
  const longer: MessageParam = { role: 'user', content: [block, { type: 'text', text: 'and' }] }
  ask({ messages: [prompt, more, longer] })
  assert.deepEqual(told(), [])
})

test('what breaks it is named to the block: model, tools, system prompt, and the first message of another past', () => {
  const [read, bash] = [tool('Read'), tool('Bash')]
  const said: MessageParam[] = ['Hi', 'Yes.', 'And?'].map((words, index) => ({
    role: index === 1 ? 'assistant' : 'user',
    content: [{ type: 'text', text: words }],
  }))
  const [first, second, third] = said as [MessageParam, MessageParam, MessageParam]
  const other: MessageParam = { role: 'assistant', content: [{ type: 'text', text: 'No.' }] }
  const longer: MessageParam = { role: 'user', content: [...(third.content as ContentBlock[]), textBlock('More.')] }
  const table: [Partial<EngineRequest>, Record<string, string> | undefined][] = [
    [{ model: 'small' }, { reason: 'model', before: 'big', now: 'small' }],
    [{ tools: [read, bash, tool('Grep')] }, { reason: 'tools', added: 'Grep' }],
    [{ tools: [read] }, { reason: 'tools', removed: 'Bash' }],
    [{ tools: [{ ...read, description: 'x' }, bash] }, { reason: 'tools', changed: 'Read' }],
    [{ tools: [{ ...bash, input_schema: { a: 1 } }, tool('Grep')] }, toolsAll],
    [{ tools: [bash, read] }, { reason: 'tools', order: 'Bash, Read' }],
    [{ tools: [tool('Read'), bash] }, undefined],
    [{ system: ['You.', 'Else.'] }, { reason: 'system prompt', block: '1' }],
    [{ system: ['You.'] }, { reason: 'system prompt', block: '1' }],
    [{ system: ['You.', 'There.', 'More.'] }, { reason: 'system prompt', block: '2' }],
    [{ messages: [first, other, third] }, { reason: 'history', message: '1', block: '0' }],
    [{ messages: [first] }, { reason: 'history', message: '1' }],
    [{ messages: [] }, { reason: 'history', message: '0' }],
    [{ messages: [first, second, { role: 'user', content: 'Else' }] }, { reason: 'history', message: '2', block: '0' }],
    // Made again with the same words, or longer than before: the API sees no difference.
    [{ messages: [{ role: 'user', content: 'Hi' }, second, longer, other] }, undefined],
    [
      { model: 'small', system: [], messages: [] },
      { reason: 'model', before: 'big', now: 'small' },
    ],
    [{}, undefined],
  ]
  for (const [change, details] of table) {
    const { ask, answered, told } = start()
    const base = { system: ['You.', 'There.'], tools: [read, bash], messages: [...said] }
    ask(base)
    answered(null, 1)
    ask({ ...base, ...change })
    assert.deepEqual(told(), details === undefined ? [] : [['cache_break', details]], JSON.stringify(change))
  }
})

const toolsAll = { reason: 'tools', added: 'Grep', removed: 'Read', changed: 'Bash' }

test('a conversation that grows in place is not looked through again', () => {
  const { ask, answered, told } = start()
  let looks = 0
  const counted = (words: string): MessageParam => ({
    role: 'user',
    get content() {
      looks += 1
      return [textBlock(words)]
    },
  })
  const messages = Array.from({ length: 1000 }, (_, index) => counted(`Message ${index}`))
  ask({ messages })
  for (let turn = 0; turn < 20; turn++) {
    answered(1)
    messages.push(counted('More.'))
    ask({ messages })
  }
  assert.deepEqual(told(), [])
  assert.ok(looks <= 40, `${looks} looks`)
})

test('thinking and speed are part of it; and it is said in words', () => {
  const { ask, answered, told, sent, live } = start()
  ask()
  answered(1)
  live.setThinking({ type: 'disabled' })
  ask()
  answered(1)
  live.setFast(true)
  ask()
  answered(1)
  ask({ tools: [] })
  assert.deepEqual(told(), [
    ['cache_break', { reason: 'thinking' }],
    ['cache_break', { reason: 'speed' }],
    ['cache_break', { reason: 'tools', removed: 'Read' }],
  ])
  assert.match(JSON.stringify(sent.at(-1)), /can not be used: the tools changed \(removed: Read\)\./)
})

test('nothing was lost where nothing was cached: of the last request, not of one before it', () => {
  const { ask, answered, told, asked } = start()
  ask()
  answered(0, 500)
  ask()
  answered(0, 0)
  ask({ model: 'small' })
  assert.deepEqual(told(), [])
  assert.equal(asked.length, 3)
})

test('a request is only compared with one that was answered', () => {
  const { ask, answered, told } = start()
  ask()
  answered(100)
  ask()
  // No answer came: what the API has of it is not known.
  ask({ model: 'small' })
  assert.deepEqual(told(), [])
})

test('a call that is only text is told with the name of the tool, in each shape models write it', () => {
  const table: [string, string | undefined][] = [
    ['<tool_call>{"name": "Bash", "arguments": {}}</tool_call>', 'Bash'],
    ['I run it.\n<function_calls>\n<invoke name="Read">', 'Read'],
    ['<invoke name="mcp__a__b-c">', 'mcp__a__b-c'],
    ['<tool_use>{"id":1,"name":"Grep"}</tool_use>', 'Grep'],
    ['{"name": "Bash"} <tool_call>', undefined],
    ['<tool_calls_are_nice name="Bash">', undefined],
    ['<tool_call>{"name": "not a tool name!"}', undefined],
    [`<tool_call>${' '.repeat(3000)}"name": "Bash"`, undefined],
    ['Use the name="Bash" attribute.', undefined],
    ['', undefined],
  ]
  for (const [words, name] of table) {
    const { answered, told } = start()
    answered(0, 0, [textBlock(words)])
    const expected = name === undefined ? [] : [['suspect_fabrication', { tool: name, parent_tool_use_id: null }]]
    assert.deepEqual(told(), expected, words.slice(0, 60))
  }
})

test('an answer that calls a tool may quote calls as it likes; one split over two texts is still found', () => {
  const quoting = start()
  quoting.answered(0, 0, [textBlock('<invoke name="Read">'), toolUse('toolu_1', 'Read')])
  assert.deepEqual(quoting.told(), [])
  const split = start()
  split.answered(0, 0, [textBlock('<tool_call>'), textBlock('{"name":"Bash"}')])
  assert.equal(split.told().length, 1)
})
