import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTeamCreateTool } from '../team-create/team-create.js'
import { createTeamDeleteTool } from '../team-delete/team-delete.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createSendMessageTool, findMissingFields, type SendMessageInput } from './send-message.js'

let test: TestContext
beforeEach(async () => {
  test = await createTestContext()
})
afterEach(() => test.dispose())

describe('what a message needs', () => {
  const cases: [SendMessageInput, string[]][] = [
    [{ type: 'message' }, ['recipient', 'content', 'summary']],
    [{ type: 'message', recipient: 'bob', content: '', summary: '' }, []],
    [{ type: 'broadcast' }, ['content', 'summary']],
    [{ type: 'shutdown_request' }, ['recipient']],
    [{ type: 'shutdown_response', request_id: 'r' }, ['approve']],
    [{ type: 'shutdown_response', request_id: 'r', approve: false }, []],
    [{ type: 'plan_approval_response', approve: true }, ['recipient', 'request_id']],
  ]
  for (const [input, missing] of cases)
    it(JSON.stringify(input), () => assert.deepEqual(findMissingFields(input), missing))

  it('is said by name before anything is sent', async () => {
    const { check } = createSendMessageTool({ send: async () => assert.fail('nothing is sent') })
    const problem = await check?.({ type: 'shutdown_response' }, test.context)
    assert.match(problem ?? '', /SendMessage failed/)
    for (const field of ['request_id', 'approve']) assert.match(problem ?? '', new RegExp(`\`${field}\` is missing`))
    assert.doesNotMatch(problem ?? '', /recipient/)
    assert.equal(await check?.({ type: 'shutdown_request', recipient: 'bob' }, test.context), undefined)
  })
})

describe('tools of a team', () => {
  it('hand their input on, and show what came of it', async () => {
    const output = { success: true, message: 'sent' }
    const seen: unknown[] = []
    const tool = createSendMessageTool({
      async send(input, context) {
        seen.push(input, context === test.context)
        return { ok: true, output }
      },
    })
    const input: SendMessageInput = { type: 'shutdown_request', recipient: 'bob' }
    assert.deepEqual(await tool.execute(input, test.context), {
      ok: true,
      content: [{ type: 'text', text: '{\n  "success": true,\n  "message": "sent"\n}' }],
      output,
    })
    assert.deepEqual(seen, [input, true])
  })

  it('say what went wrong', async () => {
    const failed = { ok: false as const, error: 'there is nobody' }
    const send = createSendMessageTool({ send: async () => failed })
    assert.deepEqual(await send.execute({ type: 'broadcast' }, test.context), failed)
    const create = createTeamCreateTool({ create: async () => failed })
    assert.deepEqual(await create.execute({ team_name: 'x' }, test.context), failed)
  })

  it('make a team, and take it away', async () => {
    const made = { team_name: 'alpha-2', team_file_path: '/t/config.json', lead_agent_id: 'team-lead@alpha-2' }
    const create = createTeamCreateTool({
      create: async ({ team_name }) => ({ ok: true, output: { ...made, team_name: `${team_name}-2` } }),
    })
    const created = await create.execute({ team_name: 'alpha' }, test.context)
    assert.ok(created.ok)
    assert.deepEqual(created.output, made)
    const gone = { success: false, message: 'bob still runs', team_name: 'alpha-2' }
    const removed = await createTeamDeleteTool({ delete: async () => gone }).execute({}, test.context)
    // Told in the result, not by an error.
    assert.ok(removed.ok)
    assert.deepEqual(removed.output, gone)
  })
})
