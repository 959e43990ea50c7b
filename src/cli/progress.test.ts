import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { testAssistantMessage, textBlock, toolUse } from '../engine/test-ports.js'
import type { ContentBlock } from '../protocol/content.js'
import type { SDKMessage } from '../protocol/messages.js'
import { createManualClock } from '../runtime/test-conversation.js'
import { createProgressLine, type ProgressLine } from './progress.js'

const ERASE = '\r\u001b[K'
const id = '00000000-0000-4000-8000-000000000000'
const base = { uuid: id, session_id: id } as const

function said(content: ContentBlock[], tokens = 0, parent: string | null = null): SDKMessage {
  const whole = testAssistantMessage(content, 'tool_use')
  const usage = {
    ...whole.usage,
    input_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: 1,
  }
  return {
    type: 'assistant',
    ...base,
    parent_tool_use_id: parent,
    message: { ...whole, usage: tokens === 0 ? { ...usage, cache_creation_input_tokens: 0 } : usage },
  }
}
function results(parent: string | null = null): SDKMessage {
  return { type: 'user', ...base, parent_tool_use_id: parent, message: { role: 'user', content: 'x' } }
}
// Only the kind counts.
const init = { type: 'system', subtype: 'init', ...base } as unknown as SDKMessage
const retry: SDKMessage = {
  type: 'system',
  subtype: 'api_retry',
  ...base,
  attempt: 1,
  max_retries: 3,
  retry_delay_ms: 500,
  error_status: 500,
  error: 'api_error',
}

describe('the line of progress', () => {
  let written: string[] = []
  let time = createManualClock()
  let progress: ProgressLine | undefined
  const start = (env: NodeJS.ProcessEnv = { NO_COLOR: '1' }, columns = 200) => {
    const stream = { columns, write: (chunk: string) => written.push(chunk) }
    progress = createProgressLine(stream as unknown as NodeJS.WriteStream, env)
    return progress
  }
  /** What stands on the line now. */
  const line = () => {
    const last = written.at(-1) ?? ''
    assert.ok(last.startsWith(ERASE), JSON.stringify(last))
    return last.slice(ERASE.length)
  }
  beforeEach(() => {
    written = []
    time = createManualClock()
    const every = (callback: () => void, ms: number) => ({ unref() {}, stop: time.clock.every(ms, callback) })
    mock.method(Date, 'now', time.clock.now)
    mock.method(globalThis, 'setInterval', every as never)
    mock.method(globalThis, 'clearInterval', ((timer: ReturnType<typeof every>) => timer.stop()) as never)
  })
  afterEach(() => {
    progress?.end()
    mock.restoreAll()
  })

  it('is not there before something happens, and says how long it takes', () => {
    start()
    assert.deepEqual(written, [])
    time.pass(1000)
    assert.equal(line(), 'starting · 1 s')
    time.pass(61_000)
    assert.equal(line(), 'starting · 62 s')
  })

  it('says what the agent does', () => {
    const { see } = start()
    see(init)
    assert.equal(line(), 'thinking · 0 s')
    see(
      said([textBlock('hm'), toolUse('1', 'Bash', { command: 'npm test' }), toolUse('2', 'Read', { file_path: '/a' })]),
    )
    assert.equal(line(), 'Bash npm test, Read /a · 0 s')
    see(results())
    assert.equal(line(), 'thinking · 0 s')
    see(retry)
    assert.equal(line(), 'the API did not answer (500 api_error), try 1 of 3 in 1 s · 0 s')
  })

  it('goes on with what it did where a message says nothing of that', () => {
    const { see } = start()
    see(said([toolUse('1', 'Agent', { description: 'look' })]))
    see(said([textBlock('just words')]))
    see(results('toolu_1'))
    see({ type: 'system', subtype: 'status', ...base, status: null })
    assert.equal(line(), 'Agent look · 0 s')
    see(said([toolUse('2', 'Grep', { pattern: 'x' })], 0, 'toolu_1'))
    assert.equal(line(), 'agent: Grep x · 0 s')
  })

  it('says how much is in the context, of the main thread', () => {
    const { see } = start()
    see(said([textBlock('a')], 400))
    assert.equal(line(), 'starting · 0 s · 801 tokens in context')
    see(said([textBlock('a')], 12_345))
    assert.equal(line(), 'starting · 0 s · 24.7k tokens in context')
    see(said([textBlock('a')], 7, 'toolu_1'))
    assert.equal(line(), 'starting · 0 s · 24.7k tokens in context')
    // Messages of our own count nothing.
    see(said([textBlock('a')], 0))
    assert.equal(line(), 'starting · 0 s · 24.7k tokens in context')
  })

  it('stays on one line of the terminal', () => {
    const { see } = start({ NO_COLOR: '1' }, 20)
    see(said([toolUse('1', 'Bash', { command: 'a very long\ncommand line' })]))
    assert.equal(line(), 'Bash a very long c…')
    assert.equal(line().length, 19)
    written = []
    start({ NO_COLOR: '1' }, 0).see(said([toolUse('1', 'Bash', { command: 'x'.repeat(70) }), toolUse('2', 'Read')]))
    assert.ok(line().length <= 79)
  })

  it('is dim, unless colors are not wanted', () => {
    start({}).see(init)
    assert.equal(line(), '\u001b[2mthinking · 0 s\u001b[22m')
  })

  it('is erased once, and comes back with the next message', () => {
    const { see, clear, end } = start()
    clear()
    assert.deepEqual(written, [])
    see(init)
    clear()
    clear()
    assert.deepEqual(written.slice(1), [ERASE])
    see(init)
    end()
    assert.equal(line(), '')
    const count = written.length
    time.pass(5000)
    assert.equal(written.length, count, 'the clock stands still')
  })
})
