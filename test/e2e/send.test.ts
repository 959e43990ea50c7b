/** `Query.send()`: a conversation held with the handle of a query, whatever it began with. */
import assert from 'node:assert/strict'
import { type Query, query, type SDKResultMessage, startup } from 'kedge'
import { bothWays } from './both-ways.js'

/** Reads up to the result of a turn, and leaves the query open. */
async function turn(running: Query): Promise<SDKResultMessage | undefined> {
  for (;;) {
    const { value, done } = await running.next()
    if (done) return undefined
    if (value.type === 'result') return value
  }
}
const textOf = (result: SDKResultMessage | undefined) =>
  result?.subtype === 'success' ? result.result : result?.subtype
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

bothWays(
  'prompt: null begins with the first send() and stays open until endInput(); model and mode change in between',
  () => ['One.', 'Two.', 'Three.'],
  { persistSession: false },
  async ({ options, server }) => {
    const running = query({ prompt: null, options })
    await running.send('First.')
    assert.equal(textOf(await turn(running)), 'One.')
    // As long as a person thinks.
    await pause()
    await running.setModel('claude-opus-4-5-20251101')
    await running.setPermissionMode('plan')
    await running.send({
      type: 'user',
      message: { role: 'user', content: 'Second.' },
      parent_tool_use_id: null,
      session_id: '',
    })
    assert.equal(textOf(await turn(running)), 'Two.')
    await running.send('Third.')
    running.endInput()
    // What was sent before is still answered.
    assert.equal(textOf(await turn(running)), 'Three.')
    assert.equal(await turn(running), undefined)
    await running.closed
    assert.deepEqual(
      server.requests.map(({ body }) => body.model),
      ['claude-sonnet-4-5-20250929', 'claude-opus-4-5-20251101', 'claude-opus-4-5-20251101'],
    )
    await assert.rejects(running.send('Too late.'), { code: 'transport_closed' })
  },
)

bothWays(
  'send() with a text as prompt: the query ends when the last message is answered, not before',
  () => ['One.', 'Two.', 'Three.'],
  {},
  async ({ options }) => {
    const running = query({ prompt: 'First.', options })
    const answers: (string | undefined)[] = []
    for await (const message of running) {
      if (message.type !== 'result') continue
      answers.push(textOf(message))
      if (answers.length < 3) await running.send(`Message ${answers.length}.`)
    }
    assert.deepEqual(answers, ['One.', 'Two.', 'Three.'])
  },
)

bothWays(
  'send() beside a stream that is still open, and an interrupt: the conversation goes on',
  () => [{ text: 'A long answer that never ends', chunk: 4, gapMs: 100 }, 'After.'],
  { includePartialMessages: true },
  async ({ options, server }) => {
    let endStream = () => {}
    const open = new Promise<void>((resolve) => {
      endStream = resolve
    })
    // A stream that says nothing itself.
    const running = query({ prompt: (async function* () { await open; yield* [] })(), options }) // biome-ignore format: one line
    await running.send('Interrupt me.')
    let interrupted = false
    const results: SDKResultMessage[] = []
    for await (const message of running) {
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta' && !interrupted) {
        interrupted = true
        await running.interrupt()
      }
      if (message.type !== 'result') continue
      results.push(message)
      if (results.length === 1) await running.send('Next.')
      else endStream()
    }
    assert.deepEqual(
      results.map(({ subtype }) => subtype),
      ['error_during_execution', 'success'],
    )
    assert.match(JSON.stringify(server.requests.at(-1)?.body.messages), /Next\./)
  },
)

bothWays(
  'startup() gives a conversation too, and close() ends one that is open',
  () => ['One.', 'Two.'],
  {},
  async ({ options }) => {
    const warm = await startup({ options })
    const running = warm.query(null)
    for (const text of ['One.', 'Two.']) {
      await running.send('Go on.')
      assert.equal(textOf(await turn(running)), text)
    }
    running.close()
    assert.equal(await turn(running), undefined)
    await running.closed
  },
)
