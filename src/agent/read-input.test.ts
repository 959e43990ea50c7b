import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import type { Session } from '../runtime/session.js'
import { settleConversation } from '../runtime/test-conversation.js'
import { MalformedLine } from '../transport/channel.js'
import type { Peer } from '../transport/peer.js'
import { type HostInputOptions, readHostMessages } from './read-input.js'

const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const request = (id: string, subtype: string) => ({ type: 'control_request', request_id: id, request: { subtype } })
const answer = { type: 'control_response', response: { subtype: 'success', request_id: '1' } }

type Told = { log: string[]; stderr: string }

/** What came of these messages, in order. `more` puts other parts in the place of those that only remember. */
async function read(
  messages: Iterable<unknown>,
  more: Partial<HostInputOptions> & { replay?: boolean; size?: () => number } = {},
) {
  const told: Told = { log: [], stderr: '' }
  const { replay = false, size = () => 0, ...parts } = more
  const session = {
    submit: ({ text }: { text: string }) => void told.log.push(`submit ${text}`),
    queue: {
      size,
      changed: async () => void told.log.push('waited'),
    },
    main: { shared: { settings: { replay } } },
  }
  const peer = { openRequests: () => 0, receive: ({ type }: { type: string }) => void told.log.push(type) }
  const fatal = await readHostMessages({
    incoming: (async function* () {
      yield* messages
    })() as HostInputOptions['incoming'],
    // Only these parts of them are used.
    session: session as unknown as Session,
    peer: peer as unknown as Peer,
    stderr(text) {
      told.stderr += text
    },
    reject: (problem) => void told.log.push(`reject ${problem}`),
    caughtUp: () => undefined,
    echo: (message) => void told.log.push(`echo ${String('type' in message && message.type)}`),
    ...parts,
  })
  return { ...told, fatal }
}
const fatal = (message?: string) => ({
  ...(message === undefined ? {} : { message }),
  code: 'invalid_input',
  reason: 'invalid_input',
})

describe('messages of a host', () => {
  it('reach whom they concern, in order', async () => {
    const messages = [
      user('one'),
      request('1', 'interrupt'),
      { type: 'keep_alive' },
      user([{ type: 'text', text: 'two' }]),
      answer,
    ]
    assert.deepEqual(await read(messages), {
      log: ['submit one', 'control_request', 'submit two', 'control_response'],
      stderr: '',
      fatal: undefined,
    })
  })

  it('of unknown types are passed over; without a type that is said', async () => {
    const { log, stderr, fatal: end } = await read([{ type: 'later_invention' }, { type: 7 }, {}, user('x')])
    assert.deepEqual([log, end], [['submit x'], undefined])
    assert.equal(stderr, 'Ignored: a message whose `type` is not a string\n'.repeat(2))
  })

  it('that can not be used are rejected by name, and the next one is read', async () => {
    const { log, fatal: end } = await read([user(''), { type: 'user' }, user('x')])
    assert.deepEqual(log, [
      'reject user message: `content` is empty',
      'reject user message: `message` must be an object',
      'submit x',
    ])
    assert.equal(end, undefined)
  })

  it('in the name of somebody else end it', async () => {
    const wrong = { type: 'user', message: { role: 'assistant', content: 'x' } }
    const { log, stderr, fatal: end } = await read([wrong, user('never read')])
    assert.deepEqual([log, end], [[], fatal()])
    assert.equal(stderr, "Error: Expected message role 'user', got 'assistant'\n")
    const long = await read([{ type: 'user', message: { role: 'x'.repeat(5000) } }])
    assert.ok(long.stderr.length < 200)
  })

  for (const odd of [null, 7, 'text', []]) {
    it(`that are no objects end it: ${JSON.stringify(odd)}`, async () => {
      const message = 'Error parsing streaming input line: not a JSON object'
      assert.deepEqual(await read([odd, user('never read')]), {
        log: [],
        stderr: `${message}\n`,
        fatal: fatal(message),
      })
    })
  }

  it('that throw when they are looked at end it', async () => {
    const trap = new Proxy(
      {},
      {
        has: () => {
          throw new Error('do not look')
        },
      },
    )
    assert.deepEqual((await read([trap])).fatal, fatal('Error parsing streaming input line: do not look'))
  })

  it('are given back where the host wants answers back', async () => {
    const { log } = await read([answer, request('1', 'interrupt')], { replay: true })
    assert.deepEqual(log, ['echo control_response', 'control_response', 'control_request'])
  })
})

describe('lines that are no messages', () => {
  it('end it, and say which', async () => {
    const line = new MalformedLine(3, 'Unexpected token', '{oops')
    assert.deepEqual(await read([line, user('never read')]), {
      log: [],
      stderr: 'Error parsing streaming input line: {oops: Unexpected token\n',
      fatal: fatal('Error parsing streaming input line: line 3 is not a JSON object: Unexpected token'),
    })
  })

  it('at the end of the input are dropped, which is said', async () => {
    const line = new MalformedLine(3, 'Unexpected end', '{"type', { atEnd: true })
    assert.deepEqual(await read([user('x'), line]), {
      log: ['submit x'],
      stderr: 'Note: the input ended inside line 3; it was dropped (Unexpected end)\n',
      fatal: undefined,
    })
  })

  it('that are too long are rejected like messages, since they may be one', async () => {
    const line = new MalformedLine(3, 'over 10 MB', '{"type', { tooLong: true })
    assert.deepEqual(await read([line, user('x')]), {
      log: ['reject line 3 was dropped: over 10 MB', 'submit x'],
      stderr: '',
      fatal: undefined,
    })
    const last = new MalformedLine(3, 'over 10 MB', '{"type', { tooLong: true, atEnd: true })
    assert.match((await read([last])).stderr, /^Note: /)
  })
})

describe('reading', () => {
  it('goes on after initialize only when that is over, and after others at once', async () => {
    let finish = () => {}
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const seen: unknown[] = []
    const peer = {
      openRequests: () => 0,
      receive: ({ request_id }: { request_id: string }) => {
        seen.push(request_id)
        return over
      },
    }
    const reading = read([request('1', 'interrupt'), request('2', 'initialize'), request('3', 'interrupt')], {
      peer: peer as unknown as Peer,
    })
    await settleConversation()
    assert.deepEqual(seen, ['1', '2'])
    finish()
    await reading
    assert.deepEqual(seen, ['1', '2', '3'])
  })

  it('waits for a host that is behind with its answers', async () => {
    let waits = 0
    const caughtUp = () => {
      waits += 1
      return waits === 1 ? Promise.resolve() : undefined
    }
    await read([request('1', 'x'), request('2', 'x'), user('x')], { caughtUp })
    assert.equal(waits, 2)
  })

  it('pauses while a thousand messages wait, unless an answer of the host is needed', async () => {
    const sizes = [1002, 1001, 1000]
    const { log } = await read([user('x')], { size: () => sizes.shift() ?? 0 })
    assert.deepEqual(log, ['submit x', 'waited', 'waited'])
    const asking = await read([user('x')], { size: () => 5000, peer: { openRequests: () => 1 } as Peer })
    assert.deepEqual(asking.log, ['submit x'])
  })

  it('survives a pipe that breaks', async () => {
    const broken = async function* () {
      yield user('x')
      throw new Error('EPIPE')
    }
    const { log, fatal: end } = await read([], { incoming: broken() })
    assert.deepEqual([log, end], [['submit x'], fatal('Error parsing streaming input line: EPIPE')])
  })

  it('never rejects, whatever comes', async () => {
    const message = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constantFrom('user', 'control_request', 'control_response', 'x'), message: fc.anything() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async (messages) => {
        const { fatal: end } = await read(messages)
        assert.ok(end === undefined || end.code === 'invalid_input')
      }),
    )
  })
})
