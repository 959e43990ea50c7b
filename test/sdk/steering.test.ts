/**
 * C09: messages sent during a turn come too late, get lost, or answer the wrong question.
 * https://github.com/happier-dev/happier/issues/405 · https://github.com/vercel/eve/issues/786 · https://github.com/apache/maka/issues/3529
 *
 * T: every message with a uuid reaches exactly one end, which is reported; one that comes during the last text gets its step; one that is
 * older than a question is never taken for its answer; a thousand random interleavings lose none
 * (`test/sdk/turn-interleavings.test.ts`, all thousand in the long run).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { query, type SDKMessage } from 'kedge'
import { bash, call, prompts, say, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const ENDS = ['folded', 'completed', 'dropped']

/** How each message ended, by its uuid. */
function ends(messages: readonly SDKMessage[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const message of messages) {
    if (message.type !== 'command_lifecycle') continue
    const { command_uuid, state } = message
    if (ENDS.includes(state)) found.set(command_uuid, [...(found.get(command_uuid) ?? []), state])
  }
  return found
}

for (const isolation of isolationsOf('C09 steering while a tool runs')) {
  test(`C09 steering while a tool runs is read with the next request; during the last text it gets a turn of its own (${isolation})`, async () => {
    const [first, during, last] = [randomUUID(), randomUUID(), randomUUID()]
    let goOn = () => {}
    const sent = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const turns = [
      bash('sleep 0.3'),
      async () => {
        // The last text is on its way when the message comes.
        await sent
        return 'Nearly done.'
      },
      'And one more.',
    ]
    await withModel(turns, { isolation, allowedTools: ['Bash'] }, async ({ options, server }) => {
      const input = prompts()
      await using running = query({ prompt: input.stream, options })
      const messages: SDKMessage[] = []
      input.send(say('Go.', { uuid: first }))
      for await (const message of running) {
        messages.push(message)
        if (message.type === 'assistant' && server.requests.length === 1) input.send(say('STEER ONE', { uuid: during }))
        if (message.type === 'user' && server.requests.length <= 2) {
          while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
          input.send(say('STEER TWO', { uuid: last }))
          input.end()
          goOn()
        }
      }
      const texts = server.requests.map(({ body }) => JSON.stringify(body.messages))
      assert.deepEqual(
        texts.map((text) => [text.includes('STEER ONE'), text.includes('STEER TWO')]),
        [
          [false, false],
          [true, false],
          [true, true],
        ],
      )
      const found = ends(messages)
      for (const uuid of [first, during, last]) assert.equal(found.get(uuid)?.length, 1, `${uuid}: ${found.get(uuid)}`)
    })
  })
}

test('C09 a message that is older than a question is not taken for its answer', async () => {
  const question = {
    questions: [
      {
        question: 'Which?',
        header: 'Which',
        multiSelect: false,
        options: [
          { label: 'A', description: 'a' },
          { label: 'B', description: 'b' },
        ],
      },
    ],
  }
  await withModel(
    [bash('sleep 0.2'), call('AskUserQuestion', question, 'toolu_q'), 'Thanks.'],
    {},
    async ({ options, server }) => {
      const input = prompts()
      const asked: string[] = []
      const canUseTool = async (name: string, toolInput: Record<string, unknown>) => {
        asked.push(name)
        if (name !== 'AskUserQuestion') return { behavior: 'allow' as const }
        return { behavior: 'allow' as const, updatedInput: { ...toolInput, answers: { 'Which?': 'B' } } }
      }
      await using running = query({ prompt: input.stream, options: { ...options, canUseTool } })
      input.send(say('Go.', { uuid: randomUUID() }))
      for await (const message of running) {
        if (message.type === 'assistant' && server.requests.length === 1) {
          input.send(say('A', { uuid: randomUUID() }))
          input.end()
        }
      }
      assert.deepEqual(asked.filter((name) => name === 'AskUserQuestion').length, 1)
      assert.match(server.requests[2]?.toolResults.at(-1)?.text ?? '', /B/)
      assert.doesNotMatch(server.requests[2]?.toolResults.at(-1)?.text ?? '', /="?A"?/)
    },
  )
})

test('C09 what an interrupt of everything drops is reported as dropped', async () => {
  const [first, waits] = [randomUUID(), randomUUID()]
  await withModel(
    [{ text: 'A long story.', stallAfterEvents: 3 }],
    { includePartialMessages: true },
    async ({ options }) => {
      const input = prompts()
      await using running = query({ prompt: input.stream, options })
      const messages: SDKMessage[] = []
      input.send(say('Go.', { uuid: first }))
      let sent = false
      for await (const message of running) {
        messages.push(message)
        if (message.type === 'stream_event' && !sent) {
          sent = true
          input.send(say('Wait.', { uuid: waits }))
        }
        if (message.type === 'command_lifecycle' && message.command_uuid === waits) {
          if (message.state === 'queued') await running.interrupt({ scope: 'all' })
          input.end()
        }
      }
      const found = ends(messages)
      assert.deepEqual([found.get(first)?.length, found.get(waits)], [1, ['dropped']])
    },
  )
})
