import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProcessEnd, StartProcessOptions } from '../../platform/processes/process-runner.js'
import { waitForPendingWork } from '../test-answering-server.js'
import { createStdioTransport } from './stdio-transport.js'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A child that does what the test says. `stays`: it does not end by itself when its input does. */
function start({ stays = false } = {}) {
  const log: string[] = []
  const events: unknown[] = []
  let options: StartProcessOptions | undefined
  let exit: (end: Partial<ProcessEnd>) => void = () => {}
  const ended = new Promise<ProcessEnd>((resolve) => {
    exit = (end) => resolve({ exitCode: 0, signal: null, ...end } as ProcessEnd)
  })
  const child = {
    pid: 1,
    ended,
    input: {
      async write(text: string) {
        log.push(`in ${text}`)
      },
      close() {
        log.push('input closed')
        if (!stays) exit({ exitCode: 0 })
      },
    },
    end(how: string) {
      log.push(`end ${how}`)
      exit({ exitCode: null, signal: 'SIGTERM' })
    },
  }
  const processes = {
    async start(given: StartProcessOptions) {
      options = given
      return child as never
    },
  }
  // Time is over at once for what has not happened by itself.
  const atMost = async <T>(ms: number, work: Promise<T>) => {
    log.push(`waits ${ms}`)
    return Promise.race([work, waitForPendingWork().then(() => undefined)])
  }
  const server = { command: 'my-server', args: ['--stdio'], env: { A: '1' }, cwd: '/repo' }
  const transport = createStdioTransport(server, { processes, clock: { atMost } as never })
  const begin = () =>
    transport.start({
      message: (message) => events.push(message),
      closed: (reason) => events.push(`closed: ${reason}`),
      note: (text) => events.push(`note: ${text}`),
    })
  return {
    transport,
    begin,
    log,
    events,
    options: () => options,
    print: (text: string) => options?.onOutput?.(bytes(text)),
    complain: (text: string) => options?.onErrorOutput?.(bytes(text)),
    exit: async (end: Partial<ProcessEnd>) => {
      exit(end)
      await waitForPendingWork()
    },
  }
}

describe('a server as a child process', () => {
  test('is started as it is configured', async () => {
    const { begin, options } = start()
    await begin()
    const { command, args, cwd, env, interactive } = options() ?? assert.fail()
    assert.deepEqual(
      { command, args, cwd, env, interactive },
      {
        command: 'my-server',
        args: ['--stdio'],
        cwd: '/repo',
        env: { A: '1' },
        interactive: true,
      },
    )
  })

  test('one message a line, in both directions', async () => {
    const { begin, transport, log, events, print } = start()
    await begin()
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    assert.deepEqual(log, ['in {"jsonrpc":"2.0","id":1,"method":"ping"}\n'])
    print('{"id":1,"res')
    assert.deepEqual(events, [])
    print('ult":{}}\n{"method":"x"}\n')
    assert.deepEqual(events, [{ id: 1, result: {} }, { method: 'x' }])
  })

  test('a banner on stdout does no harm, and is told of five times', async () => {
    const { begin, events, print } = start()
    await begin()
    print('Listening on stdio\x1b[0m\n')
    assert.match(String(events[0]), /^note: printed a line that isn't a JSON message: Listening on stdio/)
    assert.ok(!String(events[0]).includes('\x1b'))
    for (let n = 0; n < 20; n += 1) print(`line ${n}\n`)
    print('{"id":1}\n')
    assert.equal(events.length, 6)
    assert.deepEqual(events[5], { id: 1 })
  })

  const ends: [end: Partial<ProcessEnd>, stderr: string, reason: string][] = [
    [{ exitCode: 0 }, '', 'closed: The server exited with code 0.'],
    [{ exitCode: 1 }, ' no such file\n', 'closed: The server exited with code 1. It said: no such file'],
    [{ exitCode: null, signal: 'SIGKILL' }, '', 'closed: The server was ended by SIGKILL.'],
    [{ exitCode: null, signal: null }, '', 'closed: The server was ended by a signal.'],
  ]
  for (const [end, stderr, reason] of ends) {
    test(reason, async () => {
      const { begin, complain, exit, events } = start()
      await begin()
      if (stderr) complain(stderr)
      await exit(end)
      assert.deepEqual(events, [reason])
    })
  }

  test('of what it said on stderr the end counts', async () => {
    const { begin, complain, exit, events } = start()
    await begin()
    for (let n = 0; n < 100; n += 1) complain('noise '.repeat(100))
    complain('the reason')
    await exit({ exitCode: 1 })
    assert.match(String(events[0]), /the reason$/)
    assert.ok(String(events[0]).length < 1100)
  })

  test('a last message without an end of line is a message; half of one is nothing', async () => {
    const whole = start()
    await whole.begin()
    whole.print('{"id":1}')
    await whole.exit({ exitCode: 0 })
    assert.deepEqual(whole.events, [{ id: 1 }, 'closed: The server exited with code 0.'])
    const half = start()
    await half.begin()
    half.print('{"id":')
    await half.exit({ exitCode: 0 })
    assert.deepEqual(half.events, ['closed: The server exited with code 0.'])
  })

  test('closing: its input ends, and that is enough for one that reads', async () => {
    const { begin, transport, log } = start()
    await begin()
    await transport.close()
    assert.deepEqual(log, ['input closed', 'waits 250'])
  })

  test('closing: one that stays is told to end', async () => {
    const { begin, transport, log, events } = start({ stays: true })
    await begin()
    await transport.close()
    await waitForPendingWork()
    assert.deepEqual(log, ['input closed', 'waits 250', 'end politely'])
    assert.deepEqual(events, ['closed: The server was ended by SIGTERM.'])
  })

  test('closing before it was started: it never is', async () => {
    const { begin, transport, options, log } = start()
    await transport.close()
    await begin()
    assert.equal(options()?.unless?.aborted, true)
    assert.deepEqual(log, [])
  })
})
