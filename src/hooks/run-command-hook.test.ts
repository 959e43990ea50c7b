import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProcessEnd, StartProcessOptions } from '../platform/processes/process-runner.js'
import type { HookInput } from '../protocol/hooks.js'
import { createListeners } from './listeners.js'
import { runHookCommand } from './run-command-hook.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A command that prints and ends when the test says so. `stays`: it does not end when it is told to. */
function start({
  seconds = 60,
  stays = false,
  startsWith,
}: {
  seconds?: number
  stays?: boolean
  startsWith?: Error
} = {}) {
  const timers = new Map<() => void, number>()
  const log: string[] = []
  const cancel = createListeners()
  let options: StartProcessOptions | undefined
  let exit: (end: Partial<ProcessEnd>) => void = () => {}
  let letStart = () => {}
  const started = new Promise<void>((resolve) => {
    letStart = resolve
  })
  const ended = new Promise<ProcessEnd>((resolve) => {
    exit = (end) => resolve({ exitCode: 0, signal: null, ...end } as ProcessEnd)
  })
  const child = {
    ended,
    end(how: string) {
      log.push(`end ${how}`)
      if (!stays) exit({ exitCode: null, signal: 'SIGTERM' })
    },
  }
  const input = { hook_event_name: 'Stop', session_id: 's' } as unknown as HookInput
  const run = { command: 'guard --all', input, cwd: '/repo', env: { A: '1' }, seconds, onCancel: cancel.subscribe }
  const running = runHookCommand(run, {
    processes: {
      async start(given) {
        options = given
        if (startsWith) throw startsWith
        await started
        return child as never
      },
    },
    after(ms, callback) {
      timers.set(callback, ms)
      return () => void timers.delete(callback)
    },
    onAsync: (ms) => log.push(`async ${ms}`),
    onProgress: (stdout, stderr) => log.push(`progress ${stdout}|${stderr}`),
  })
  return {
    running,
    log,
    cancel: cancel.tell,
    timers: () => [...timers.values()],
    begin: async () => {
      letStart()
      await settle()
    },
    options: () => options ?? assert.fail('nothing was started'),
    print: (text: string) => options?.onOutput?.(bytes(text)),
    complain: (text: string) => options?.onErrorOutput?.(bytes(text)),
    exit: (end: Partial<ProcessEnd> = {}) => exit(end),
    /** The timer of so many ms goes off. */
    fire(ms: number) {
      const found = [...timers].find(([, at]) => at === ms) ?? assert.fail(`no timer of ${ms}`)
      timers.delete(found[0])
      found[0]()
    },
  }
}

describe('a command hook', () => {
  test('goes to a shell as it is, with the event as a line of JSON', async () => {
    const { options, begin } = start()
    await begin()
    const { command, args, cwd, env, input, leftovers } = options()
    assert.deepEqual(
      { command, args, cwd, env, leftovers },
      {
        command: 'bash',
        args: ['-c', 'guard --all'],
        cwd: '/repo',
        env: { A: '1' },
        leftovers: 'keep',
      },
    )
    assert.equal(input, '{"hook_event_name":"Stop","session_id":"s"}\n')
  })

  test('its end: exit code and what it printed', async () => {
    const { begin, print, complain, exit, running, timers } = start()
    await begin()
    print('{"decision"')
    print(':"block"}')
    complain('a warning')
    exit({ exitCode: 2 })
    assert.deepEqual(await running.ended, {
      exitCode: 2,
      signal: null,
      stdout: '{"decision":"block"}',
      stderr: 'a warning',
      isCut: false,
    })
    assert.deepEqual(timers(), [])
  })

  test('beyond its time it is ended, and that is said', async () => {
    const { begin, fire, running, log } = start({ seconds: 5 })
    await begin()
    fire(5000)
    assert.deepEqual(await running.ended, {
      exitCode: null,
      signal: 'SIGTERM',
      stdout: '',
      stderr: '',
      isCut: false,
      timedOutAfter: 5,
    })
    assert.deepEqual(log, ['end politely'])
  })

  test('late before it has begun: ended as soon as it has', async () => {
    const { begin, fire, running, log } = start({ seconds: 5 })
    fire(5000)
    assert.deepEqual(log, [])
    await begin()
    assert.equal(((await running.ended) as { timedOutAfter?: number }).timedOutAfter, 5)
    assert.deepEqual(log, ['end politely'])
  })

  test('canceled, nobody waits for its end', async () => {
    const { begin, cancel, running, log, options, timers } = start({ stays: true })
    await begin()
    cancel()
    assert.deepEqual(await running.ended, { canceled: true })
    assert.deepEqual(log, ['end at once'])
    assert.equal(options().unless?.aborted, true)
    assert.deepEqual(timers(), [])
  })

  test('that can not be started', async () => {
    const { running, timers } = start({ startsWith: new Error('spawn bash ENOENT') })
    assert.deepEqual(await running.ended, { unstarted: 'spawn bash ENOENT' })
    assert.deepEqual(timers(), [])
  })

  test('what it prints is told once a second, all of it', async () => {
    const { begin, print, complain, fire, log, timers, exit, running } = start()
    await begin()
    print('a')
    complain('b')
    print('c')
    assert.deepEqual(timers(), [60_000, 1000])
    fire(1000)
    assert.deepEqual(log, ['progress ac|b'])
    print('d')
    fire(1000)
    assert.deepEqual(log, ['progress ac|b', 'progress acd|b'])
    print('e')
    exit()
    await running.ended
    assert.deepEqual(timers(), [])
  })
})

describe('a hook that says not to wait for it', () => {
  test('is told of with the time it wants; what comes behind is its answer', async () => {
    const { begin, print, exit, running, log } = start()
    await begin()
    print('{"async":true,"asyncTimeout":2000}\n{"systemMess')
    assert.deepEqual(log, ['async 2000'])
    print('age":"done"}')
    exit()
    const end = await running.ended
    assert.equal('stdout' in end && end.stdout, '{"systemMessage":"done"}')
  })

  test('in several pieces: none of that line is its answer', async () => {
    const { begin, print, exit, running, log } = start()
    await begin()
    print('{"async":')
    print(' true}')
    print('\n{}')
    exit()
    const end = await running.ended
    assert.deepEqual(log, ['async undefined'])
    assert.equal('stdout' in end && end.stdout, '\n{}')
  })

  test('has from then on the time it is given, and only that ends it early', async () => {
    const { begin, cancel, fire, running, log, timers } = start({ seconds: 5 })
    await begin()
    const later = createListeners()
    running.letGo(30, later.subscribe)
    assert.deepEqual(timers(), [30_000])
    cancel()
    assert.deepEqual(log, [])
    fire(30_000)
    assert.equal(((await running.ended) as { timedOutAfter?: number }).timedOutAfter, 30)
  })

  test('is ended by whoever has it then', async () => {
    const { begin, running, log } = start({ stays: true })
    await begin()
    const later = createListeners()
    running.letGo(30, later.subscribe)
    later.tell()
    assert.deepEqual(await running.ended, { canceled: true })
    assert.deepEqual(log, ['end at once'])
  })
})
