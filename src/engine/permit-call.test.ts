/** Whether a call runs: what rules, hooks and whoever is asked say, what is told of it, and which of them has the last word. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PermissionAnswer, PermissionDecision, PermissionPort } from './approval-port.js'
import type { PreToolVerdict } from './hook-port.js'
import { permitCall, recheckChangedInput } from './permit-call.js'
import type { EnginePorts } from './ports.js'
import { createTestPorts, errorBlock } from './test-ports.js'
import type { EngineTool } from './tool-port.js'

const call = { id: 'toolu_1', name: 'T', input: { path: '/a' } }
const facts = { kind: 'none' as const }
const quiet: PreToolVerdict = { context: [] }
const question: PermissionDecision = {
  behavior: 'ask',
  message: 'nobody there',
  reasonType: 'mode',
  decisionReason: 'because',
}
const refusal = (text: string, output: unknown = `Error: ${text}`) => ({
  go: 'refuse',
  result: { call, block: errorBlock('toolu_1', text), output, context: [] },
})

type Stage = {
  decide?: PermissionDecision[]
  ask?: PermissionPort['ask']
  apply?: PermissionPort['apply']
  failOnAsk?: boolean
  verdict?: PreToolVerdict
  tool?: Partial<EngineTool>
  signal?: AbortSignal
  saved?: EnginePorts['saved']
}

/** What came of it, and all that was told and asked on the way. */
async function permit({ decide = [question], ask, apply, failOnAsk, verdict = quiet, tool, signal, saved }: Stage) {
  const decisions = [...decide]
  const asked: unknown[] = []
  const { ports, events, log } = createTestPorts({
    tools: [{ name: 'T', ...tool }],
    ...(saved ? { more: { saved } } : {}),
    permissions: {
      decide: async (...about) => {
        asked.push(about)
        return decisions.shift() ?? assert.fail('asked once too often')
      },
      ...(ask ? { ask } : {}),
      ...(apply ? { apply } : {}),
      ...(failOnAsk ? { failOnAsk } : {}),
    },
  })
  const bound = ports.tools.find('T') ?? assert.fail()
  const permission = await permitCall(call, facts, bound, verdict, ports, signal ?? new AbortController().signal)
  return { permission, events, log, asked }
}

const allow = (
  input: Record<string, unknown>,
  updates: Extract<PermissionAnswer, { behavior: 'allow' }>['updates'] = [],
) => (async () => ({ behavior: 'allow' as const, input, updates })) satisfies PermissionPort['ask']

describe('rules alone', () => {
  it('let a call run, and nothing is told', async () => {
    const { permission, events } = await permit({ decide: [{ behavior: 'allow' }] })
    assert.deepEqual([permission, events], [{ go: 'run', call }, []])
  })

  it('hear of the hook what it decided, and of no decision that there is none', async () => {
    const contextFor = async (decision?: PreToolVerdict['decision']) => {
      const verdict: PreToolVerdict = decision ? { context: [], decision } : quiet
      return (await permit({ decide: [{ behavior: 'allow' }], verdict })).asked
    }
    assert.deepEqual(await contextFor(), [[call, facts, { approvedByHook: false, askedByHook: false }]])
    assert.deepEqual(await contextFor('allow'), [[call, facts, { approvedByHook: true, askedByHook: false }]])
    assert.deepEqual(await contextFor('ask'), [[call, facts, { approvedByHook: false, askedByHook: true }]])
  })

  it('deny it, with the reason where there is one', async () => {
    const denied: PermissionDecision = { behavior: 'deny', message: 'no', reasonType: 'rule', reason: 'Bash(rm)' }
    const { permission, events } = await permit({ decide: [denied] })
    assert.deepEqual(permission, refusal('no'))
    assert.deepEqual(events, [
      { type: 'denied', call, message: 'no', automatic: true, reasonType: 'rule', reason: 'Bash(rm)' },
    ])
    const bare = await permit({ decide: [{ behavior: 'deny', message: 'no', reasonType: 'mode' }] })
    assert.deepEqual(bare.events, [{ type: 'denied', call, message: 'no', automatic: true, reasonType: 'mode' }])
  })

  it('of paths make it a call that could not be made: no denial is told', async () => {
    const { permission, events } = await permit({
      decide: [{ behavior: 'deny', message: 'no', reasonType: 'denied_path' }],
    })
    assert.deepEqual(permission, refusal('<tool_use_error>no</tool_use_error>', 'Error: no'))
    assert.deepEqual(events, [])
  })
})

describe('whoever is asked', () => {
  it('gets all there is to know of the call', async () => {
    const decision: PermissionDecision = {
      ...question,
      suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      blockedPath: '/b',
      onlyAPerson: true,
    }
    const { events } = await permit({ decide: [decision], tool: { warning: 'sharp' } })
    assert.deepEqual(events[0], {
      type: 'asked',
      question: {
        call,
        suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        blockedPath: '/b',
        decisionReason: 'because',
        warning: 'sharp',
        onlyAPerson: true,
      },
    })
  })

  it('reads the reason of the hook that wants it asked, in place of the rules', async () => {
    const verdict: PreToolVerdict = { context: [], decision: 'ask', reason: 'hook says' }
    const { events } = await permit({ verdict })
    const [asked] = events
    assert.equal(asked?.type === 'asked' && asked.question.decisionReason, 'hook says')
  })

  it('says yes to the call as it is: it runs, untouched, and the updates are kept', async () => {
    const kept: unknown[] = []
    const update = { type: 'setMode', mode: 'plan', destination: 'session' } as const
    const { permission, events, log } = await permit({
      ask: allow(call.input, [update]),
      apply: async (updates) => {
        kept.push(...updates)
        return []
      },
    })
    assert.deepEqual(permission, { go: 'run', call })
    assert.deepEqual(events.slice(1), [{ type: 'settled', call, answer: 'allowed' }])
    // The input is the one that was read before: nobody reads it again.
    assert.deepEqual([kept, log], [[update], []])
  })

  it('says no, and may end the turn with it', async () => {
    const deny = (interrupt: boolean) =>
      permit({ ask: async () => ({ behavior: 'deny', message: 'never', interrupt }) })
    const { permission, events } = await deny(false)
    assert.deepEqual(permission, refusal('never'))
    assert.deepEqual(events.slice(1), [
      { type: 'settled', call, answer: 'denied', message: 'never' },
      { type: 'denied', call, message: 'never', automatic: false },
    ])
    const ended = (await deny(true)).permission
    assert.equal(ended.go === 'refuse' && ended.result.stop, 'permission')
  })

  it('leaves the question open', async () => {
    const { permission, events } = await permit({ ask: async () => ({ behavior: 'park' }) })
    assert.deepEqual(permission, { go: 'park' })
    assert.deepEqual(events.slice(1), [{ type: 'settled', call, answer: 'parked' }])
  })
})

describe('a question that can not be kept', () => {
  it('is not asked, and nothing is decided', async () => {
    const { permission, events } = await permit({
      ask: async () => assert.fail('asked'),
      saved: async () => 'session_taken_over',
    })
    assert.deepEqual(permission, { go: 'leave', why: 'session_taken_over' })
    assert.deepEqual(
      events.map(({ type }) => type),
      ['asked'],
    )
  })
})

describe('where there is nobody to ask', () => {
  it('the call is denied with the words of the rules', async () => {
    const { permission, events } = await permit({})
    assert.deepEqual(permission, refusal('nobody there'))
    assert.deepEqual(events.slice(1), [
      { type: 'settled', call, answer: 'unanswered' },
      { type: 'denied', call, message: 'nobody there', automatic: true, reasonType: 'mode' },
    ])
  })

  it('a question that only a hook asked is denied with its reason, or with the words of the rules where it gave none', async () => {
    const byHook: PermissionDecision = { ...question, reasonType: 'hook' }
    const withReason = await permit({ decide: [byHook], verdict: { context: [], decision: 'ask', reason: 'mine' } })
    assert.deepEqual(withReason.permission, refusal('mine'))
    const without = await permit({ decide: [byHook], verdict: { context: [], decision: 'ask' } })
    assert.deepEqual(without.permission, refusal('nobody there'))
    // The rules ask too: theirs is the reason.
    const both = await permit({ verdict: { context: [], decision: 'ask', reason: 'mine' } })
    assert.deepEqual(both.permission, refusal('nobody there'))
  })

  it('the turn ends where that was asked for', async () => {
    const { permission } = await permit({ failOnAsk: true })
    assert.deepEqual(permission, {
      ...refusal('nobody there'),
      result: { ...refusal('nobody there').result, stop: 'nobody-to-ask' },
    })
  })
})

describe('a question that fails', () => {
  const failing = (error: unknown, signal?: AbortSignal) =>
    permit({ ask: () => Promise.reject(error), ...(signal ? { signal } : {}) })

  it('denies the call, with what went wrong', async () => {
    const { permission, events } = await failing(new Error('the host is gone'))
    const message = 'Tool permission request failed: Error: the host is gone'
    assert.deepEqual(permission, refusal(message))
    assert.deepEqual(events.slice(1), [
      { type: 'settled', call, answer: 'failed' },
      { type: 'denied', call, message, automatic: false },
    ])
    assert.deepEqual((await failing('thrown')).permission, refusal('Tool permission request failed: Error: thrown'))
  })

  it('tells programs apart an answer that meant nothing', async () => {
    const { events } = await failing(new Error('invalid permission result: no behavior'))
    const [, , denied] = events
    assert.deepEqual(denied, {
      type: 'denied',
      call,
      message: 'Tool permission request failed: Error: invalid permission result: no behavior',
      automatic: false,
      reasonType: 'invalid_permission_result',
      reason: 'Error: invalid permission result: no behavior',
    })
  })

  it('says of an abort that it was one, whatever the error says', async () => {
    const { permission, events } = await failing(new Error('invalid result'), AbortSignal.abort())
    assert.deepEqual(permission, refusal('Tool permission request failed: AbortError'))
    assert.equal(
      events.some((event) => event.type === 'denied' && event.reasonType !== undefined),
      false,
    )
  })
})

describe('an input that the host gave', () => {
  const parse: EngineTool['parse'] = (input) => ({ ok: true, input: { ...(input as object), preset: true } })

  it('is read by the tool and judged by the rules again, without what a hook said of the first one', async () => {
    const { permission, asked, log } = await permit({
      decide: [question, { behavior: 'allow' }],
      ask: allow({ path: '/b' }),
      verdict: { context: [], decision: 'allow' },
      tool: { parse, facts: (input) => ({ kind: 'edit', path: String(input['path']) }) },
    })
    const changed = { ...call, input: { path: '/b', preset: true } }
    assert.deepEqual(permission, { go: 'run', call: changed })
    assert.deepEqual(asked[1], [changed, { kind: 'edit', path: '/b' }])
    assert.deepEqual(log, ['parse T', 'check T'])
  })

  it('is not asked about again: who was asked wrote it', async () => {
    const { permission } = await permit({ decide: [question, question], ask: allow({ path: '/b' }) })
    assert.deepEqual(permission, { go: 'run', call: { ...call, input: { path: '/b' } } })
  })

  it('gets not past a deny rule, and what is told names the call as it was', async () => {
    const { permission, events } = await permit({
      decide: [question, { behavior: 'deny', message: 'not there', reasonType: 'rule' }],
      ask: allow({ path: '/etc' }),
    })
    assert.deepEqual(permission, refusal('not there'))
    assert.deepEqual(events.at(-1), { type: 'denied', call, message: 'not there', automatic: true, reasonType: 'rule' })
  })

  it('is refused like one of the model when the tool does not take it', async () => {
    const bad = await permit({ ask: allow({}), tool: { parse: () => ({ ok: false, error: 'bad', output: 'issues' }) } })
    assert.deepEqual(bad.permission, refusal('<tool_use_error>bad</tool_use_error>', 'issues'))
    const unfit = await permit({ ask: allow({}), tool: { check: async () => 'not read yet' } })
    assert.deepEqual(unfit.permission, refusal('<tool_use_error>not read yet</tool_use_error>', 'Error: not read yet'))
  })

  it('keeps id and name of its call', async () => {
    const { ports } = createTestPorts({ tools: [{ name: 'T', parse }] })
    const checked = await recheckChangedInput(call, { path: '/c' }, ports.tools.find('T') ?? assert.fail())
    assert.deepEqual(checked, { go: 'run', call: { id: 'toolu_1', name: 'T', input: { path: '/c', preset: true } } })
  })
})
