import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookCallback } from '../../protocol/hooks.js'
import type { Options } from '../../protocol/options.js'
import { NoAnswerWantedError } from '../../transport/peer.js'
import { createCallbacks } from './callbacks.js'

function stage(options: Options) {
  const mistakes: string[] = []
  const callbacks = createCallbacks(options, ({ message }) => void mistakes.push(message), {
    handle: async () => ({ mcp_response: 'm' }),
  })
  const ask = (request: Record<string, unknown>, signal = new AbortController().signal) =>
    callbacks.handle(request, signal, 'r1')
  return { ...callbacks, ask, mistakes }
}
const question = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' }

test('ids of hooks count over all events; events without any are not told', async () => {
  const called: unknown[] = []
  const hook: HookCallback = async (input, toolUseId) => {
    called.push([input.hook_event_name, toolUseId])
    return { continue: true }
  }
  const { hooks, ask } = stage({
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [hook, hook], timeout: 5 }],
      Stop: [],
      SessionEnd: [{ hooks: [hook] }],
    },
  })
  assert.deepEqual(hooks, {
    PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 5 }],
    SessionEnd: [{ hookCallbackIds: ['hook_2'] }],
  })
  const request = { subtype: 'hook_callback', callback_id: 'hook_2', input: { hook_event_name: 'SessionEnd' } }
  assert.deepEqual(await ask(request), { continue: true })
  assert.deepEqual(called, [['SessionEnd', undefined]])
  await assert.rejects(ask({ ...request, callback_id: 'hook_9' }), /No hook callback found for ID: hook_9/)
  assert.equal(stage({ hooks: { Stop: [] } }).hooks, undefined)
})

test('an answer of canUseTool that means nothing is an error for the agent and a mistake of the caller', async () => {
  const answers: [unknown, RegExp][] = [
    [undefined, /expected an object, got undefined/],
    [null, /expected an object, got null/],
    [{ behavior: 'ask' }, /`behavior` must be 'allow' or 'deny'/],
    [{ behavior: 'allow', updatedInput: [] }, /`updatedInput` must be an object/],
  ]
  for (const [answer, text] of answers) {
    const { ask, mistakes } = stage({ canUseTool: async () => answer as never })
    await assert.rejects(ask(question), text)
    assert.match(mistakes.join(), text)
  }
  const allowed = stage({ canUseTool: async () => ({ behavior: 'allow' }) })
  assert.deepEqual(await allowed.ask(question), { behavior: 'allow', toolUseID: 'toolu_1' })
  assert.deepEqual(allowed.mistakes, [])
  const denied = stage({ canUseTool: async () => ({ behavior: 'deny' }) as never })
  assert.deepEqual(await denied.ask(question), { behavior: 'deny', toolUseID: 'toolu_1' })
  assert.deepEqual(denied.mistakes, [])
})

test('an answer that nobody waits for any more can not be wrong', async () => {
  const { ask, mistakes } = stage({ canUseTool: async () => undefined as never })
  await assert.rejects(ask(question, AbortSignal.abort()), /aborted/)
  assert.deepEqual(mistakes, [])
})

test('request_user_dialog: nobody to ask and null are no answer, what the user chose is passed on', async () => {
  const asked = { subtype: 'request_user_dialog', dialog_kind: 'pick', payload: { of: [1, 2] }, tool_use_id: 'toolu_1' }
  await assert.rejects(stage({}).ask(asked), NoAnswerWantedError)
  await assert.rejects(stage({ onUserDialog: async () => null }).ask(asked), NoAnswerWantedError)
  await assert.rejects(stage({ onUserDialog: async () => ({}) as never }).ask(asked), /must answer with a behavior/)
  const closed = { behavior: 'cancelled' } as const
  assert.deepEqual(await stage({ onUserDialog: async () => closed }).ask(asked), closed)
  const told = await stage({ onUserDialog: async (given) => ({ behavior: 'completed', result: given }) }).ask(asked)
  const result = { dialogKind: 'pick', payload: { of: [1, 2] }, toolUseID: 'toolu_1' }
  assert.deepEqual(told, { behavior: 'completed', result })
})

test('elicitation: nobody to ask is a no, null is no answer, accepting takes the defaults', async () => {
  const asked = {
    subtype: 'elicitation',
    mcp_server_name: 's',
    message: 'Which?',
    requested_schema: { properties: { a: { default: 1 }, b: {} } },
  }
  assert.deepEqual(await stage({}).ask(asked), { action: 'decline' })
  await assert.rejects(stage({ onElicitation: async () => null }).ask(asked), NoAnswerWantedError)
  await assert.rejects(stage({ onElicitation: async () => ({}) as never }).ask(asked), /must answer with an action/)
  const accepted = await stage({ onElicitation: async () => ({ action: 'accept' }) }).ask(asked)
  assert.deepEqual(accepted, { action: 'accept', content: { a: 1 } })
})

test('elicitation: a request without a mode is a form, or an address', async () => {
  const modes: unknown[] = []
  const onElicitation: Options['onElicitation'] = async ({ mode }) => {
    modes.push(mode)
    return { action: 'decline' }
  }
  const asked = { subtype: 'elicitation', mcp_server_name: 's', message: 'Which?' }
  for (const more of [{}, { url: 'https://example.com' }, { mode: 'form' }, { mode: 'url' }])
    await stage({ onElicitation }).ask({ ...asked, ...more })
  assert.deepEqual(modes, ['form', 'url', 'form', 'url'])
})

test('what this version does not know is refused by name', async () => {
  await assert.rejects(stage({}).ask({ subtype: 'dance' }), /Unsupported control request subtype: dance/)
  await assert.rejects(stage({}).ask(question), /canUseTool callback is not provided/)
})
