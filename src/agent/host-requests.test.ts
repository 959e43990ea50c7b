import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { neverAborted } from '../runtime/test-conversation.js'
import { createPeer } from '../transport/peer.js'
import { createHostRequests, type HostState } from './host-requests.js'

/** Questions to a host that gives this answer; and what it was asked. */
function ask(answer: Record<string, unknown>, state: Partial<HostState> = {}) {
  const asked: Record<string, unknown>[] = []
  const peer = createPeer({
    send(message) {
      if (message.type !== 'control_request') return
      asked.push(message.request as Record<string, unknown>)
      const response = { subtype: 'success' as const, request_id: message.request_id, response: answer }
      queueMicrotask(() => void peer.receive({ type: 'control_response', response }))
    },
    newId: () => String(asked.length),
    handle: async () => ({}),
    report() {},
  })
  const questions = createHostRequests(peer, {
    isInitialized: () => true,
    hasLeft: () => false,
    parksAsks: false,
    ...state,
  })
  return { questions, asked }
}
const call = { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }

describe('a question for permission', () => {
  it('says all that is known of the call, and nothing that is not', async () => {
    const { questions, asked } = ask({ behavior: 'allow', updatedInput: { command: 'ls -l' } })
    const suggestions = [{ type: 'setMode' as const, mode: 'acceptEdits' as const, destination: 'session' as const }]
    assert.deepEqual(await questions.askHost({ call }, neverAborted), {
      behavior: 'allow',
      input: { command: 'ls -l' },
      updates: [],
    })
    await questions.askHost(
      {
        call,
        suggestions,
        blockedPath: '/etc',
        decisionReason: 'a rule',
        warning: 'be careful',
        agentId: 'agent-1',
      },
      neverAborted,
    )
    const named = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' }
    assert.deepEqual(asked, [
      named,
      {
        ...named,
        permission_suggestions: suggestions,
        blocked_path: '/etc',
        decision_reason: 'a rule',
        description: 'be careful',
        agent_id: 'agent-1',
      },
    ])
  })

  it('gives a copy of the input, which the host may change', async () => {
    const { questions, asked } = ask({ behavior: 'allow' })
    await questions.askHost({ call }, neverAborted)
    assert.notEqual(asked[0]?.['input'], call.input)
  })

  it('takes only a clear answer', async () => {
    const { questions } = ask({ behavior: 'deny', message: ' ', interrupt: true })
    assert.deepEqual(await questions.askHost({ call }, neverAborted), {
      behavior: 'deny',
      message: 'Permission denied.',
      interrupt: true,
    })
    await assert.rejects(
      ask({ behavior: 'maybe' }).questions.askHost({ call }, neverAborted),
      /Invalid permission result/,
    )
    await assert.rejects(ask({}).questions.askHost({ call }, neverAborted), /Invalid permission result/)
  })

  it('can be taken back', async () => {
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(ask({}).questions.askHost({ call }, stop.signal), { name: 'AbortError' })
  })
})

describe('other questions', () => {
  it('for a summary take a text', async () => {
    const request = { trigger: 'manual' as const, instructions: ['short'], messages: [] }
    const { questions, asked } = ask({ summary: 'All was well.' })
    assert.equal(await questions.summarize(request, neverAborted), 'All was well.')
    assert.deepEqual(asked, [{ subtype: 'summarize', ...request }])
    for (const summary of ['', ' \n', 7, null, undefined])
      await assert.rejects(ask({ summary }).questions.summarize(request, neverAborted), {
        message: 'summarize answered with no text',
      })
  })

  it('for an MCP server hand its answer on', async () => {
    const { questions, asked } = ask({ mcp_response: { jsonrpc: '2.0', id: 1, result: {} }, more: 1 })
    const message = { jsonrpc: '2.0' as const, id: 1, method: 'ping' }
    assert.deepEqual(await questions.sendMcp('web', message), { jsonrpc: '2.0', id: 1, result: {} })
    assert.deepEqual(asked, [{ subtype: 'mcp_message', server_name: 'web', message }])
  })

  it('for the user are asked of a host that said hello', async () => {
    const question = { mcp_server_name: 'web', message: 'Your name?' }
    const { questions, asked } = ask({ action: 'accept' })
    assert.deepEqual(await questions.elicit(question, neverAborted), { action: 'accept' })
    assert.deepEqual(asked, [{ subtype: 'elicitation', ...question }])
    const silent = ask({ action: 'accept' }, { isInitialized: () => false })
    assert.equal(await silent.questions.elicit(question, neverAborted), undefined)
    assert.deepEqual(silent.asked, [])
  })

  it('for a hook are asked while the host is there', async () => {
    const { questions, asked } = ask({ continue: true })
    assert.deepEqual(await questions.callHook('hook_0', { a: 1 }, 'toolu_1', neverAborted), { continue: true })
    assert.deepEqual(asked, [
      { subtype: 'hook_callback', callback_id: 'hook_0', input: { a: 1 }, tool_use_id: 'toolu_1' },
    ])
    const gone = ask({}, { hasLeft: () => true })
    await assert.rejects(gone.questions.callHook('hook_0', {}, 'toolu_1', neverAborted), { message: 'Stream closed' })
    assert.deepEqual(gone.asked, [])
  })
})
