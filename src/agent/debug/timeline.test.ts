import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpRequest, HttpResponse } from '../../platform/http/http.js'
import type { Platform } from '../../platform/platform.js'
import { DEBUG_KINDS, type DebugKind } from '../../protocol/debug-filter.js'
import { createManualClock } from '../../runtime/test-conversation.js'
import { createChannelPair, MalformedLine } from '../../transport/channel.js'
import { recordDebugTimeline } from './timeline.js'

type Answer = Partial<HttpResponse> | Error

function start({
  kinds = DEBUG_KINDS,
  file,
  env = {},
  answers = [],
}: {
  kinds?: readonly DebugKind[]
  file?: string
  env?: Record<string, string>
  answers?: Answer[]
} = {}) {
  const [host, agent] = createChannelPair<object, object | MalformedLine>()
  const time = createManualClock()
  const said: string[] = []
  const appended: [string, string][] = []
  const platform = {
    clock: time.clock,
    files: {
      appendSync(path: string, text: string) {
        if (path === '/full') throw new Error('ENOSPC')
        appended.push([path, text])
      },
    },
    http: {
      close() {},
      async request() {
        time.pass(250)
        const answer = answers.shift()
        if (answer instanceof Error) throw answer
        return { status: 200, headers: {}, body: bodyOf(), discard() {}, ...answer }
      },
    },
  }
  const settings = { env, mcpServers: {}, settingsFlag: undefined, debug: { kinds: new Set(kinds), file } }
  const watched = recordDebugTimeline(
    agent,
    // Only these parts of them are used.
    settings as unknown as Parameters<typeof recordDebugTimeline>[1],
    platform as unknown as Platform,
    (text) => void said.push(text),
  )
  return { host, watched, said, appended, time }
}
async function* bodyOf(...chunks: string[]) {
  yield* chunks
}
const request = (body?: string[]): HttpRequest =>
  // What is not looked at is left out.
  ({
    method: 'POST',
    url: new URL('https://api.example/v1/messages?beta=true'),
    ...(body ? { body } : {}),
  }) as HttpRequest

describe('a session that is watched', () => {
  it('is not changed by it', async () => {
    const { host, watched, said } = start()
    watched.channel.send({ type: 'system', subtype: 'status' })
    host.send({ type: 'user', message: { content: 'hi' } })
    host.end()
    watched.channel.end()
    const received: unknown[] = []
    for await (const message of watched.channel.incoming) received.push(message)
    assert.deepEqual(received, [{ type: 'user', message: { content: 'hi' } }])
    const sent: unknown[] = []
    for await (const message of host.incoming) sent.push(message)
    assert.deepEqual(sent, [{ type: 'system', subtype: 'status' }])
    assert.deepEqual(said, ['[kedge 0.000] → status     {}\n', '[kedge 0.000] ← user       "hi"\n'])
  })

  it('shows lines that are no messages', async () => {
    const { host, watched, said } = start()
    host.send(new MalformedLine(7, 'no JSON', '{'))
    host.end()
    for await (const _ of watched.channel.incoming);
    assert.deepEqual(said, ['[kedge 0.000] ← malformed  line 7: no JSON\n'])
  })

  it('shows the kinds that were asked for, with the time since the start', () => {
    const { watched, said, time } = start({ kinds: ['hooks'] })
    time.pass(1234)
    watched.note('hooks', 'PreToolUse')
    watched.note('mcp', 'not wanted')
    assert.deepEqual(said, ['[kedge 1.234] PreToolUse\n'])
  })

  it('shows no secrets', () => {
    const { watched, said } = start({ env: { MY_TOKEN: 'hunter2hunter2', PLAIN: 'plain-value' } })
    watched.note('mcp', 'hunter2hunter2 plain-value sk-ant-abc Bearer xyz')
    assert.deepEqual(said, ['[kedge 0.000] … plain-value sk-ant-… Bearer …\n'])
  })

  it('goes to a file where one is named, and is not stopped by it', () => {
    const { watched, said, appended } = start({ file: '/log' })
    watched.note('mcp', 'one')
    assert.deepEqual([said, appended], [[], [['/log', '[kedge 0.000] one\n']]])
    start({ file: '/full' }).watched.note('mcp', 'lost')
  })
})

describe('requests to the API', () => {
  it('are shown with what they ask for, take and cost', async () => {
    const body = bodyOf(
      'data: {"usage":{"input_tokens":12000,"cache_read_input_tokens":9000,"output_tokens":1}}\n',
      'data: {"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":42}}\n',
    )
    const { watched, said, time } = start({ answers: [{ body, headers: { 'request-id': 'req_1' } }] })
    const { http } = watched.platform
    const response = await http.request(request(['{"model":"opus","messages":[]}', 'x'.repeat(10)]))
    time.pass(1000)
    let text = ''
    for await (const chunk of response.body) text += chunk
    assert.match(text, /output_tokens":42/)
    assert.deepEqual(said, [
      '[kedge 0.000] ⇒ api #1     POST api.example/v1/messages opus, 40 characters\n',
      '[kedge 0.250] ⇐ api #1     200 after 0.250 s, request req_1\n',
      '[kedge 1.250] ⇐ api #1     ended after 1.250 s, 12.0k tokens in, 9000 cached, 42 out, end_turn\n',
    ])
  })

  it('that are left in the middle are ended too', async () => {
    const { watched, said } = start({ answers: [{ status: 529, body: bodyOf('a', 'b') }] })
    const { body } = await watched.platform.http.request(request())
    for await (const _ of body) break
    assert.deepEqual(said.slice(1), [
      '[kedge 0.250] ⇐ api #1     529 after 0.250 s\n',
      '[kedge 0.250] ⇐ api #1     ended after 0.250 s\n',
    ])
  })

  it('that fail are shown, and fail', async () => {
    const error = new Error('ECONNREFUSED')
    const { watched, said } = start({ answers: [error] })
    await assert.rejects(watched.platform.http.request(request()), error)
    assert.deepEqual(said, [
      '[kedge 0.000] ⇒ api #1     POST api.example/v1/messages\n',
      '[kedge 0.250] ⇐ api #1     failed after 0.250 s: ECONNREFUSED\n',
    ])
  })
})
