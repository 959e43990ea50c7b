import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SendMessageInput } from '../../tools/send-message/send-message.js'
import { createTestConversation } from '../test-conversation.js'
import type { Mate } from './mate.js'
import type { RunningTeam } from './running-team.js'
import { sendTeamMessage } from './send-team-message.js'

const LEAD = 'team-lead'
const NOW = 1_767_225_600_000
const timestamp = new Date(NOW).toISOString()

/** A team of these mates, and the mail that was posted in it. */
function start(...names: string[]) {
  const mail: { to: string; from: string; text: unknown; summary?: string }[] = []
  const mates = new Map(
    names.map((name) => [
      name,
      // Only what messages look at.
      { name, color: `color of ${name}`, shutdowns: new Set(), hasEnded: false, isLeaving: false } as unknown as Mate,
    ]),
  )
  const running = {
    mates,
    alive: () => [...mates.values()].filter((mate) => !mate.hasEnded),
    async post(to: string, from: Mate | undefined, text: string, summary?: string) {
      mail.push({ to, from: from?.name ?? LEAD, text, ...(summary === undefined ? {} : { summary }) })
    },
    async tell(to: string, from: Mate | undefined, text: unknown) {
      mail.push({ to, from: from?.name ?? LEAD, text })
    },
  } as unknown as RunningTeam
  const { conversation } = createTestConversation({ permissions: { mode: () => 'acceptEdits' } })
  const mate = (name: string) => mates.get(name) ?? assert.fail(name)
  const send = (input: SendMessageInput, from?: string) =>
    sendTeamMessage(conversation, running, input, from === undefined ? undefined : mate(from))
  const refusal = async (input: SendMessageInput, from?: string) => {
    const result = await send(input, from)
    assert.equal(mail.length, 0, 'nothing is sent')
    return result.ok ? 'none' : result.error
  }
  return { mail, mate, send, refusal }
}
const message = (recipient: string): SendMessageInput => ({
  type: 'message',
  recipient,
  content: 'hello',
  summary: 'a greeting',
})

describe('a message', () => {
  it('goes to one member', async () => {
    const { mail, send, mate } = start('ann', 'bob')
    const result = await send(message('bob'), 'ann')
    assert.deepEqual(mail, [{ to: 'bob', from: 'ann', text: 'hello', summary: 'a greeting' }])
    assert.deepEqual(result, {
      ok: true,
      output: {
        success: true,
        message: 'The message is in the mailbox of bob.',
        routing: {
          sender: 'ann',
          senderColor: 'color of ann',
          target: '@bob',
          targetColor: 'color of bob',
          summary: 'a greeting',
          content: 'hello',
        },
      },
    })
    assert.equal(mate('ann').lastWords, '[to bob] a greeting')
  })

  it('goes to the lead, and from it', async () => {
    const { mail, send, mate } = start('ann')
    await send(message(LEAD), 'ann')
    const fromLead = await send(message('ann'))
    assert.deepEqual(
      mail.map(({ to, from }) => [from, to]),
      [
        ['ann', LEAD],
        [LEAD, 'ann'],
      ],
    )
    assert.equal(mate('ann').lastWords, undefined, 'what the lead is told it reads by itself')
    assert.ok(fromLead.ok)
    assert.equal('senderColor' in (fromLead.output.routing ?? {}), false)
  })

  it('goes to nobody who will not read it', async () => {
    const { mate, refusal } = start('ann', 'bob', 'cyd')
    mate('bob').hasEnded = true
    mate('cyd').isLeaving = true
    assert.match(await refusal(message('bob')), /^bob has ended\. Start another teammate/)
    assert.match(await refusal(message('cyd')), /^cyd has ended/)
    assert.equal(await refusal(message('dan'), 'ann'), 'There is no "dan" in the team. Members: team-lead, cyd')
    assert.equal(await refusal(message('ann'), 'ann'), 'That is you. Write to somebody else.')
    assert.equal(await refusal(message(LEAD)), 'That is you. Write to somebody else.')
    assert.match(
      await start().refusal(message('x'.repeat(500))),
      /^There is no "x{100}" in the team\. Members: none yet$/,
    )
  })

  it('to all reaches everybody else who is there', async () => {
    const { mail, mate, send } = start('ann', 'bob', 'cyd', 'dan')
    mate('cyd').hasEnded = true
    mate('dan').isLeaving = true
    const input: SendMessageInput = { type: 'broadcast', content: 'hello', summary: 's' }
    const result = await send(input, 'ann')
    assert.deepEqual(
      mail.map(({ to }) => to),
      [LEAD, 'bob'],
    )
    assert.ok(result.ok)
    assert.deepEqual([result.output.recipients, result.output.routing?.target], [[LEAD, 'bob'], '@team'])
    mail.length = 0
    await send(input)
    assert.deepEqual(
      mail.map(({ to }) => to),
      ['ann', 'bob'],
    )
    assert.equal(await start().refusal(input), 'There is nobody else in the team.')
  })
})

describe('a request to shut down', () => {
  const ask = (content?: string): SendMessageInput => ({
    type: 'shutdown_request',
    recipient: 'ann',
    ...(content === undefined ? {} : { content }),
  })
  const requestId = `shutdown-${NOW}@ann`

  it('is told with its id, and may be agreed to', async () => {
    const { mail, mate, send } = start('ann')
    const asked = await send(ask('all is done'))
    assert.ok(asked.ok)
    assert.deepEqual([asked.output.request_id, asked.output.target], [requestId, 'ann'])
    assert.deepEqual(mail.shift(), {
      to: 'ann',
      from: LEAD,
      text: { type: 'shutdown_request', requestId, from: LEAD, reason: 'all is done', timestamp },
    })
    assert.ok((await send({ type: 'shutdown_response', request_id: requestId, approve: true }, 'ann')).ok)
    assert.equal(mate('ann').isLeaving, true)
    assert.deepEqual(mail.shift(), {
      to: LEAD,
      from: 'ann',
      text: {
        type: 'shutdown_approved',
        requestId,
        from: 'ann',
        timestamp,
        paneId: 'in-process',
        backendType: 'in-process',
      },
    })
  })

  it('may be refused, with or without a reason', async () => {
    for (const content of [undefined, 'not done']) {
      const { mail, mate, send } = start('ann')
      await send(ask())
      assert.equal(JSON.stringify(mail[0]).includes('reason'), false)
      const answer = { type: 'shutdown_response', request_id: requestId, approve: false } as const
      await send(content === undefined ? answer : { ...answer, content }, 'ann')
      assert.equal(mate('ann').isLeaving, false)
      assert.deepEqual(mail[1]?.text, {
        type: 'shutdown_rejected',
        requestId,
        from: 'ann',
        timestamp,
        reason: content ?? 'It gave no reason.',
      })
    }
  })

  it('is answered once, by whom it was for', async () => {
    const { mail, send } = start('ann', 'bob')
    await send(ask())
    const answer: SendMessageInput = { type: 'shutdown_response', request_id: requestId, approve: false }
    const other = await send(answer, 'bob')
    assert.equal(
      other.ok || other.error,
      `No request with the id "${requestId}" waits for an answer. There is none to answer.`,
    )
    const wrong = await send({ ...answer, request_id: 'x' }, 'ann')
    assert.equal(wrong.ok || wrong.error, `No request with the id "x" waits for an answer. Open: ${requestId}.`)
    await send(answer, 'ann')
    assert.equal((await send(answer, 'ann')).ok, false)
    assert.equal(mail.length, 2)
  })

  it('is neither for the lead nor answered by it', async () => {
    assert.match(
      await start('ann').refusal({ type: 'shutdown_request', recipient: LEAD }, 'ann'),
      /ends with the session/,
    )
    assert.match(
      await start().refusal({ type: 'shutdown_response', request_id: 'x', approve: true }),
      /^Only a teammate/,
    )
  })
})

describe('the answer to a plan', () => {
  const answer = (approve: boolean, content?: string): SendMessageInput => ({
    type: 'plan_approval_response',
    recipient: 'ann',
    request_id: 'plan-1',
    approve,
    ...(content === undefined ? {} : { content }),
  })
  const waiting = () => {
    const team = start('ann', 'bob')
    Object.assign(team.mate('ann'), { plan: 'plan-1', mode: 'plan' })
    return team
  }

  it('lets it be carried out, in the mode of the lead', async () => {
    const { mail, mate, send } = waiting()
    assert.ok((await send(answer(true))).ok)
    assert.deepEqual([mate('ann').plan, mate('ann').mode], [undefined, undefined])
    assert.deepEqual(mail[0]?.text, {
      type: 'plan_approval_response',
      requestId: 'plan-1',
      approved: true,
      timestamp,
      permissionMode: 'acceptEdits',
    })
  })

  it('asks for another one', async () => {
    const { mail, mate, send } = waiting()
    const result = await send(answer(false, 'smaller steps'))
    assert.equal(result.ok && result.output.message, 'ann was asked for another plan: smaller steps')
    assert.deepEqual([mate('ann').plan, mate('ann').mode], [undefined, 'plan'])
    assert.deepEqual(mail[0]?.text, {
      type: 'plan_approval_response',
      requestId: 'plan-1',
      approved: false,
      timestamp,
      feedback: 'smaller steps',
    })
  })

  it('is the lead’s, and to a plan that waits', async () => {
    assert.equal(await waiting().refusal(answer(true), 'bob'), 'Only team-lead can approve plans.')
    assert.match(
      await waiting().refusal({ ...answer(true), request_id: 'plan-0' }),
      /"plan-0" waits for an answer\. Open: plan-1\.$/,
    )
    assert.match(await waiting().refusal({ ...answer(true), recipient: 'bob' }), /There is none to answer\.$/)
    assert.match(await waiting().refusal({ ...answer(true), recipient: 'cyd' }), /^There is no "cyd"/)
  })
})
