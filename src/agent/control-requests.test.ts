import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Session } from '../runtime/session.js'
import { createManualClock, type DeepPartial } from '../runtime/test-conversation.js'
import { ControlError } from '../transport/peer.js'
import type { ControlContext } from './control-context.js'
import { answerControlRequest } from './control-requests.js'

type Log = unknown[][]

/** A context over a session of which there is only what a test gives; who reaches for more fails. */
function contextOf(session: DeepPartial<Session>, log: Log = [], more: Partial<ControlContext> = {}): ControlContext {
  return {
    session: session as unknown as Session,
    initialized: false,
    began: 0,
    openAsks: () => [],
    over: new AbortController().signal,
    end: async () => void log.push(['end']),
    refuse: (...args) => void log.push(['refuse', ...args]),
    warn: (...args) => void log.push(['warn', ...args]),
    ...more,
  }
}
const noted =
  (log: Log, name: string, value?: unknown) =>
  (...args: unknown[]) => {
    log.push([name, ...args])
    return value as never
  }
/** The error code of a refusal, and its text. */
async function refusal(answer: Promise<unknown>): Promise<[string | undefined, string]> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ControlError, String(error))
  return [error.errorCode, error.message]
}

describe('a request that is none', () => {
  it('is refused by what is wrong with it', async () => {
    const context = contextOf({})
    const ask = (request: Record<string, unknown>) => refusal(answerControlRequest(request, context))
    assert.equal((await ask({ subtype: 'novelty' }))[0], 'unsupported_request')
    assert.equal((await ask({}))[0], 'unsupported_request')
    assert.equal((await ask({ subtype: 'set_model', model: 7 }))[0], 'invalid_request')
    const [code, text] = await ask({ subtype: 'set_permission_mode', mode: 'auto' })
    assert.equal(code, 'invalid_mode')
    assert.match(text, /auto, which Kedge does not support/)
  })

  it('ends the session when it was to set its terms', async () => {
    const log: Log = []
    const broken = { subtype: 'initialize', hooks: 7 }
    const [code, text] = await refusal(answerControlRequest(broken, contextOf({}, log)))
    assert.equal(code, 'invalid_request')
    assert.deepEqual(log, [['refuse', text, 'invalid_request']])
    const later: Log = []
    await refusal(answerControlRequest(broken, contextOf({}, later, { initialized: true })))
    assert.deepEqual(later, [], 'terms that hold already are not touched')
  })
})

describe('requests about the turn', () => {
  const interruptible = (log: Log, stopAll: () => Promise<void>) => {
    const time = createManualClock()
    const session: DeepPartial<Session> = {
      interrupt: noted(log, 'interrupt'),
      queue: { clear: noted(log, 'clear'), waitingIds: () => [] },
      main: {
        shared: {
          platform: { clock: time.clock },
          background: { table: { stopAll: noted(log, 'stopAll', stopAll()) } },
        },
      },
    }
    return { time, context: contextOf(session, log) }
  }

  it('interrupt it, and only all of it when asked', async () => {
    const log: Log = []
    const { context } = interruptible(log, async () => {})
    assert.deepEqual(await answerControlRequest({ subtype: 'interrupt' }, context), { still_queued: [] })
    assert.deepEqual(log, [['interrupt']])
    log.length = 0
    await answerControlRequest({ subtype: 'interrupt', scope: 'all' }, context)
    assert.deepEqual(log, [['clear'], ['interrupt'], ['stopAll', 'interrupted']])
  })

  it('do not wait for ever for work that does not end', async () => {
    const { context, time } = interruptible([], () => new Promise(() => {}))
    const answered = answerControlRequest({ subtype: 'interrupt', scope: 'all' }, context)
    await Promise.resolve()
    time.pass(300)
    assert.deepEqual(await answered, { still_queued: [] })
  })

  it('set model and mode', async () => {
    const log: Log = []
    const session: DeepPartial<Session> = {
      setMode: noted(log, 'mode', { ok: true }),
      main: { model: { set: noted(log, 'model') } },
    }
    const context = contextOf(session, log)
    await answerControlRequest({ subtype: 'set_model', model: 'opus' }, context)
    await answerControlRequest({ subtype: 'set_model' }, context)
    assert.deepEqual(await answerControlRequest({ subtype: 'set_permission_mode', mode: 'plan' }, context), {
      mode: 'plan',
    })
    assert.deepEqual(log, [
      ['model', 'opus', 'sdk'],
      ['model', undefined, 'sdk'],
      ['mode', 'plan'],
    ])
  })

  it('are refused a mode that the session does not take', async () => {
    const session: DeepPartial<Session> = {
      setMode: noted([], '', { ok: false, message: 'not here', code: 'invalid_mode' }),
    }
    const asked = answerControlRequest(
      { subtype: 'set_permission_mode', mode: 'bypassPermissions' },
      contextOf(session),
    )
    assert.deepEqual(await refusal(asked), ['invalid_mode', 'not here'])
  })

  it('set how much is thought, within bounds', async () => {
    const log: Log = []
    const context = contextOf({ main: { shared: { live: { setThinking: noted(log, 'thinking') } } } })
    const set = (tokens: unknown) =>
      answerControlRequest({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens }, context)
    for (const good of [null, 0, 4000, 1_000_000]) assert.equal(await set(good), undefined)
    assert.equal(log.length, 4)
    for (const bad of [-1, 1.5, 1_000_001]) assert.equal((await refusal(set(bad)))[0], 'invalid_request')
    assert.equal(log.length, 4)
  })

  it('change of the settings only the model', async () => {
    const log: Log = []
    const context = contextOf({ main: { model: { set: noted(log, 'model') } } })
    const apply = (settings: object) => answerControlRequest({ subtype: 'apply_flag_settings', settings }, context)
    await apply({ model: 'opus' })
    await apply({ model: null })
    assert.deepEqual(log, [
      ['model', 'opus', 'sdk'],
      ['model', undefined, 'sdk'],
    ])
    assert.deepEqual(await refusal(apply({ env: {} })), [
      ...['invalid_request', "apply_flag_settings: 'env' can't be changed while a session runs"],
    ])
    assert.equal((await refusal(apply({ model: 7 })))[0], 'invalid_request')
  })

  it('end the session', async () => {
    const log: Log = []
    assert.equal(await answerControlRequest({ subtype: 'end_session' }, contextOf({}, log)), undefined)
    assert.deepEqual(log, [['end']])
  })
})

describe('requests about servers', () => {
  const mcp = (parts: object, log: Log = []) =>
    contextOf({ main: { shared: { mcp: parts } } } as DeepPartial<Session>, log)

  it('give what the servers say', async () => {
    const log: Log = []
    const context = mcp(
      {
        statuses: () => [{ name: 'web', status: 'connected' }],
        set: noted(log, 'set', { added: ['a'], removed: [], errors: {} }),
        reconnect: async (...args: unknown[]) => void log.push(['reconnect', ...args]),
        toggle: async (...args: unknown[]) => void log.push(['toggle', ...args]),
        receive: noted(log, 'receive'),
      },
      log,
    )
    const ask = (request: Record<string, unknown>) => answerControlRequest(request, context)
    assert.deepEqual(await ask({ subtype: 'mcp_status' }), { mcpServers: [{ name: 'web', status: 'connected' }] })
    assert.deepEqual(await ask({ subtype: 'mcp_set_servers', servers: { a: { type: 'sdk', name: 'a' } } }), {
      added: ['a'],
      removed: [],
      errors: {},
    })
    assert.equal(await ask({ subtype: 'mcp_reconnect', serverName: 'web' }), undefined)
    assert.equal(await ask({ subtype: 'mcp_toggle', serverName: 'web', enabled: false }), undefined)
    const message = { jsonrpc: '2.0', method: 'notifications/x' }
    assert.deepEqual(await ask({ subtype: 'mcp_message', server_name: 'web', message }), {})
    assert.deepEqual(log.slice(1), [
      ['reconnect', 'web'],
      ['toggle', 'web', false],
      ['receive', 'web', message],
    ])
  })

  it('are refused as the servers say', async () => {
    const problem = { problem: 'There is no server web.', code: 'server_not_found' }
    const context = mcp({ reconnect: async () => problem, toggle: async () => problem, receive: () => problem })
    for (const request of [
      { subtype: 'mcp_reconnect', serverName: 'web' },
      { subtype: 'mcp_toggle', serverName: 'web', enabled: true },
      { subtype: 'mcp_message', server_name: 'web', message: { jsonrpc: '2.0', method: 'x' } },
    ])
      assert.deepEqual(await refusal(answerControlRequest(request, context)), ['server_not_found', problem.problem])
  })
})

describe('requests about tasks', () => {
  const table = (parts: object) =>
    contextOf({ main: { shared: { background: { table: parts } } } } as DeepPartial<Session>)

  it('stop one that runs', async () => {
    const log: Log = []
    const task = { id: 't1', status: 'running' }
    const context = table({ find: () => task, stop: async (...args: unknown[]) => void log.push(args) })
    assert.deepEqual(await answerControlRequest({ subtype: 'stop_task', task_id: 't1' }, context), {})
    assert.deepEqual(log, [[task]])
  })

  it('say why one can not be stopped', async () => {
    const ask = (found?: object) =>
      refusal(answerControlRequest({ subtype: 'stop_task', task_id: 't1' }, table({ find: () => found })))
    assert.deepEqual(await ask(), ['task_not_found', 'No task found with ID: t1'])
    assert.deepEqual(await ask({ id: 't1', status: 'completed' }), [
      ...['task_not_running', 'Task t1 is not running (status: completed)'],
    ])
  })

  it('move calls to the background, and say whether there was one', async () => {
    const log: Log = []
    const move = (count: number) =>
      answerControlRequest(
        { subtype: 'background_tasks', tool_use_id: 'toolu_1' },
        table({ moveToBackground: noted(log, 'move', count) }),
      )
    assert.deepEqual([await move(0), await move(2)], [{ moved: false }, { moved: true }])
    assert.deepEqual(log[0], ['move', 'toolu_1'])
  })
})

describe('a request to rewind', () => {
  const ask = (checkpoints: boolean, rewind: (...args: unknown[]) => Promise<unknown>, more: object = {}) =>
    answerControlRequest(
      { subtype: 'rewind_files', user_message_id: 'm1', ...more },
      contextOf({
        main: { shared: { settings: { checkpoints }, checkpoints: { rewind } } },
      } as unknown as DeepPartial<Session>),
    )

  it('is carried out, or only tried', async () => {
    const log: Log = []
    const rewind = async (...args: unknown[]) => {
      log.push(args)
      return { canRewind: true }
    }
    assert.deepEqual(await ask(true, rewind), { canRewind: true })
    await ask(true, rewind, { dry_run: true })
    await ask(true, rewind, { force: true })
    assert.deepEqual(log, [
      ['m1', { dryRun: false, force: false }],
      ['m1', { dryRun: true, force: false }],
      ['m1', { dryRun: false, force: true }],
    ])
  })

  it('is refused where nothing is kept, or nothing is known', async () => {
    const nothing = async () => undefined
    assert.equal((await refusal(ask(false, nothing)))[0], 'rewind_disabled')
    assert.equal((await refusal(ask(true, nothing)))[0], 'checkpoint_not_found')
  })
})

describe('an initialize without a first', () => {
  const session = (busy: boolean, count: number): DeepPartial<Session> => ({
    queue: { isBusy: () => busy },
    main: { shared: { results: { count, lastIsError: false } } },
  })
  const late: [string, DeepPartial<Session>][] = [
    ['while a turn runs', session(true, 0)],
    ['after a turn', session(false, 1)],
  ]
  for (const [name, parts] of late) {
    it(`comes too late ${name}`, async () => {
      const asked = answerControlRequest({ subtype: 'initialize' }, contextOf(parts))
      assert.deepEqual(await refusal(asked), ['already_initialized', 'Already initialized'])
      const error = await asked.catch((reason) => reason)
      assert.deepEqual(error.fields, { pending_permission_requests: [] })
    })
  }
})

describe('an initialize that asks for more than there is', () => {
  const parts = (more: DeepPartial<Session> = {}): DeepPartial<Session> => ({
    queue: { isBusy: () => false },
    main: { shared: { results: { count: 0, lastIsError: false } }, prompt: { system: undefined, append: undefined } },
    ...more,
  })
  const ask = async (request: object, session: DeepPartial<Session>, log: Log) =>
    refusal(answerControlRequest({ subtype: 'initialize', ...request }, contextOf(session, log)))

  it('ends the session, by name', async () => {
    const log: Log = []
    const text = 'The option plugins is not supported by this version of Kedge.'
    assert.deepEqual(await ask({ plugins: [] }, parts(), log), ['unsupported_option', text])
    assert.deepEqual(log, [['refuse', text, 'unsupported_option']])
  })

  it('ends the session for a schema or an agent that can not be used', async () => {
    const log: Log = []
    const badSchema = parts({ requireOutput: async () => 'no schema' })
    assert.deepEqual(await ask({ jsonSchema: { type: 'object' } }, badSchema, log), ['invalid_option', 'no schema'])
    const badAgent = parts({ defineAgents: () => 'no agent' })
    assert.deepEqual(await ask({}, badAgent, log), ['invalid_option', 'no agent'])
    assert.deepEqual(
      log.map(([what]) => what),
      ['refuse', 'refuse'],
    )
  })

  it('says what it goes on without', async () => {
    const log: Log = []
    await ask(
      { agentProgressSummaries: true, excludeDynamicSections: true },
      parts({ defineAgents: () => 'stop here' }),
      log,
    )
    assert.deepEqual(log[0], [
      'warn',
      'options that this version of Kedge does not have: agentProgressSummaries, excludeDynamicSections',
    ])
  })
})
