/** `kedge/harness` against the AI SDK's `HarnessAgent` on a real server. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HarnessCapabilityUnsupportedError, type HarnessV1, harnessV1StreamPartSchema } from '@ai-sdk/harness'
import { HarnessAgent } from '@ai-sdk/harness/agent'
import { type Client, type ClientSession, createClient } from 'kedge/client'
import { createHarness, serverFolder } from 'kedge/harness'
import { followTurn } from '../../src/client/bridges/follow-turn.js'
import type { HarnessPart } from '../../src/client/bridges/harness/harness-parts.js'
import { HarnessTurn } from '../../src/client/bridges/harness/harness-turn.js'
import { PartWriter } from '../../src/client/bridges/harness/part-writer.js'
import {
  assistantMessageEntry,
  createTestSession,
  modelToolUseBlock,
  openRequestEntries,
  queuedAndStartedPromptEntries,
} from '../../src/client/bridges/test-session.js'
import { TurnReader } from '../../src/client/bridges/turn-reader.js'
import { type Serving, serve, write } from '../server/serving.js'
import { sessionWith, TURNS } from './bridge-turns.js'

const clientOf = ({ url, server }: Serving): Client =>
  createClient({ url, token: server.token, backoff: { firstMs: 1, longestMs: 5 } })

/** What a framework gets of a turn, until it waits for an answer. */
async function partsOf(
  writeTurn: (typeof TURNS)[string]['write'],
): Promise<{ parts: HarnessPart[]; waits: boolean; error: unknown }> {
  const { session } = sessionWith(writeTurn)
  const writer = new PartWriter([])
  const parts: HarnessPart[] = []
  const reader = new TurnReader({ prompt: 'p', onRequest: 'wait' })
  for await (const step of followTurn(session, reader)) {
    for (let { events } = step; events.length > 0; ) {
      const written = writer.write({ ...step, events })
      parts.push(...written.parts)
      events = written.rest
    }
    const waits = step.value.requests.length > 0
    if (waits) return { parts, waits, error: undefined }
  }
  return { parts, waits: false, error: writer.error }
}

for (const [name, { write: writeTurn, waits: isWaiting = false }] of Object.entries(TURNS)) {
  test(`the specification has every part of a turn: ${name}`, async () => {
    const { parts, waits, error } = await partsOf(writeTurn)
    for (const part of parts) harnessV1StreamPartSchema.parse(JSON.parse(JSON.stringify(part)))
    assert.deepEqual([parts[0]?.type, waits], ['stream-start', isWaiting])
    assert.equal(parts.at(-1)?.type === 'finish', !waits && error === undefined)
  })
}

const folder = (serving: Serving) => ({ sandboxSession: serverFolder(serving.options.cwd) })

/** The types of a result's parts, and the fields of the first of a type. */
type Content = readonly { type: string }[]

test('an agent of the AI SDK runs turns of a session, one after the other', async () => {
  await using serving = await serve([{ text: 'I write.', ...write('a.txt') }, 'Written.', 'Again.'])
  const harness: HarnessV1 = createHarness(clientOf(serving))
  const agent = new HarnessAgent({ harness, permissionMode: 'allow-edits' })
  const session = await agent.createSession(folder(serving))
  const first = await agent.generate({ session, prompt: 'go' })
  assert.equal(first.text, 'Written.')
  assert.ok(existsSync(join(serving.options.cwd, 'a.txt')))
  assert.deepEqual(
    first.steps.map(({ content }) => (content as Content).map(({ type }) => type)),
    [['text', 'tool-call', 'tool-result'], ['text']],
  )
  assert.ok((first.totalUsage.inputTokens ?? 0) > 0)
  const second = await agent.stream({ session, prompt: 'again' })
  let text = ''
  for await (const piece of second.textStream) text += piece
  assert.equal(text, 'Again.')
  await session.destroy()
})

test('a permission request is an approval, in the same process and in another', async () => {
  await using serving = await serve([write('a.txt'), 'Written.', write('b.txt'), 'Refused.'])
  const client = clientOf(serving)
  const agent = new HarnessAgent({ harness: createHarness(client), permissionMode: 'allow-reads' })
  const session = await agent.createSession(folder(serving))
  const asked = await agent.generate({ session, prompt: 'go' })
  const requests = (content: Content) =>
    content.filter(({ type }) => type === 'tool-approval-request') as never as { approvalId: string }[]
  const [request] = requests(asked.content as Content)
  assert.ok(request)
  const approved = { type: 'tool-approval-response' as const, approvalId: request.approvalId, approved: true }
  const answered = await agent.continueGenerate({ session, toolApprovalContinuations: [approved] })
  assert.equal(answered.text, 'Written.')
  assert.ok(existsSync(join(serving.options.cwd, 'a.txt')))
  const again = await agent.generate({ session, prompt: 'again' })
  const [second] = requests(again.content as Content)
  const state = JSON.parse(JSON.stringify(await session.suspendTurn()))
  const other = await agent.createSession({ ...folder(serving), sessionId: session.sessionId, continueFrom: state })
  const denied = {
    type: 'tool-approval-response' as const,
    approvalId: second?.approvalId ?? '',
    approved: false,
    reason: 'No.',
  }
  const refused = await agent.continueGenerate({ session: other, toolApprovalContinuations: [denied] })
  assert.equal(refused.text, 'Refused.')
  assert.match(serving.model.requests.at(-1)?.toolResults[0]?.text ?? '', /No\./)
  assert.equal(existsSync(join(serving.options.cwd, 'b.txt')), false)
})

test('a turn that is suspended at a request has the rest of it in the next process', async () => {
  const made = createTestSession()
  const calls = ['c1', 'c2'].map((id) => modelToolUseBlock(id, 'Bash', { command: id }))
  made.log(
    ...queuedAndStartedPromptEntries('p'),
    assistantMessageEntry('m1', calls),
    ...openRequestEntries('a1', 'c1', 'Bash'),
    ...openRequestEntries('a2', 'c2', 'Bash'),
  )
  // Nothing else of a session is needed here.
  const [client, session] = [{} as Client, made.session as ClientSession]
  const partsUntil = async (turn: HarnessTurn, isLast: (part: HarnessPart) => boolean) => {
    const parts: HarnessPart[] = []
    await new Promise<void>((resolve) => {
      turn.read((part) => {
        parts.push(part)
        if (isLast(part)) resolve()
      }, undefined)
    })
    return parts.map((part) => ('toolCallId' in part ? `${part.type} ${part.toolCallId}` : part.type))
  }
  const first = new HarnessTurn(client, session, { prompt: 'p' })
  assert.deepEqual(await partsUntil(first, ({ type }) => type === 'tool-approval-request'), [
    'stream-start',
    'tool-call c1',
    'tool-approval-request c1',
  ])
  const known = JSON.parse(JSON.stringify(first.suspend()))
  const second = new HarnessTurn(client, session, { prompt: 'p', known })
  assert.deepEqual(await partsUntil(second, ({ type }) => type === 'tool-approval-request'), [
    'stream-start',
    'tool-call c2',
    'tool-approval-request c2',
  ])
  second.suspend()
})

test('a question is the specification’s own tool, answered with its output', async () => {
  const option = (label: string) => ({ label, description: label })
  const questions = [
    { question: 'Which color?', header: 'Color', multiSelect: false, options: [option('Blue'), option('Red')] },
  ]
  await using serving = await serve([{ tools: [{ name: 'AskUserQuestion', input: { questions } }] }, 'Blue it is.'])
  const agent = new HarnessAgent({ harness: createHarness(clientOf(serving)), permissionMode: 'allow-edits' })
  const session = await agent.createSession(folder(serving))
  const asked = await agent.generate({ session, prompt: 'ask me' })
  const [call] = asked.toolCalls as { toolCallId: string; toolName: string; input: { questions: { id: string }[] } }[]
  assert.equal(call?.toolName, 'askUserQuestions')
  const value = { action: 'answered', answers: { [call?.input.questions[0]?.id ?? '']: { optionIds: ['Blue'] } } }
  const output = { type: 'json' as const, value }
  const toolResult = {
    type: 'tool-result' as const,
    toolCallId: call?.toolCallId ?? '',
    toolName: 'askUserQuestions',
    output,
  }
  const answered = await agent.continueGenerate({ session, toolResultContinuations: [toolResult] })
  assert.equal(answered.text, 'Blue it is.')
  assert.match(serving.model.requests.at(-1)?.toolResults[0]?.text ?? '', /"Which color\?"="Blue"/)
})

test('a session is detached, stopped, and continued elsewhere with its conversation; destroyed, it is gone if you say so', async () => {
  await using serving = await serve(['One.', 'Two.', 'Three.'])
  const client = clientOf(serving)
  const agent = new HarnessAgent({
    harness: createHarness(client, { onDestroy: 'delete', create: { title: 'From a harness' } }),
    permissionMode: 'allow-edits',
  })
  const session = await agent.createSession(folder(serving))
  assert.equal((await agent.generate({ session, prompt: 'a' })).text, 'One.')
  const detached = await session.detach()
  const second = await agent.createSession({ ...folder(serving), sessionId: session.sessionId, resumeFrom: detached })
  assert.equal((await agent.generate({ session: second, prompt: 'b' })).text, 'Two.')
  const stopped = await second.stop()
  const third = await agent.createSession({ ...folder(serving), sessionId: session.sessionId, resumeFrom: stopped })
  assert.equal((await agent.generate({ session: third, prompt: 'c' })).text, 'Three.')
  const [info, ...others] = (await client.list()).sessions
  assert.deepEqual([info?.title, others], ['From a harness', []])
  await third.destroy()
  assert.deepEqual((await client.list()).sessions, [])
})

test('what a session can’t do is refused by name', async () => {
  await using serving = await serve([])
  const harness = createHarness(clientOf(serving))
  const refuses = async (agent: HarnessAgent, words: RegExp) => {
    const session = await agent.createSession(folder(serving))
    await assert.rejects(agent.generate({ session, prompt: 'go' }), (error) => {
      assert.ok(HarnessCapabilityUnsupportedError.isInstance(error), String(error))
      return words.test(error.message)
    })
  }
  await refuses(new HarnessAgent({ harness, instructions: 'Be brief.' }), /CLAUDE\.md/)
  const skills = [{ name: 's', description: 'd', content: 'c' }]
  await refuses(new HarnessAgent({ harness, skills }), /skills/)
  await assert.rejects(serverFolder('/srv').readTextFile(), (error) =>
    HarnessCapabilityUnsupportedError.isInstance(error),
  )
  const state = {
    type: 'resume-session' as const,
    harnessId: 'kedge',
    specificationVersion: 'harness-v1' as const,
    data: {},
  }
  await assert.rejects(
    async () => harness.doStart({ sessionId: 's', sessionWorkDir: '/', resumeFrom: state }),
    /isn't|not one/,
  )
})

test('an aborted turn is interrupted', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  await using serving = await serve([
    () => {
      asked()
      return { noAnswer: 'hang' as const }
    },
  ])
  const client = clientOf(serving)
  const agent = new HarnessAgent({ harness: createHarness(client), permissionMode: 'allow-edits' })
  const session = await agent.createSession(folder(serving))
  const stop = new AbortController()
  const running = agent.generate({ session, prompt: 'go', abortSignal: stop.signal })
  const failed = assert.rejects(running)
  await isAsked
  stop.abort(new Error('Enough.'))
  await failed
  const [info] = (await client.list()).sessions
  await client
    .session(info?.id ?? '')
    .view()
    .until(({ facts }) => facts.status === 'idle')
})

test('a session is compacted, and the next turn says so', async () => {
  await using serving = await serve(['One.', 'A summary of it.', 'Two.'])
  const harness = createHarness(clientOf(serving))
  const session = await harness.doStart({
    sessionId: 's',
    sessionWorkDir: serving.options.cwd,
    permissionMode: 'allow-edits',
  })
  const parts: HarnessPart[] = []
  const turn = { tools: [], skills: [], emit: (part: HarnessPart) => void parts.push(part) }
  await (await session.doPromptTurn({ ...turn, prompt: 'a' })).done
  await session.doCompact('Keep the names.')
  await (
    await session.doPromptTurn({
      ...turn,
      prompt: { role: 'user', content: [{ type: 'text', text: 'b' } as object as { type: string }] },
    })
  ).done
  const compactions = parts.flatMap((part) => (part.type === 'compaction' ? [part.trigger, part.summary] : []))
  assert.equal(compactions[0], 'manual')
  assert.match(compactions[1] ?? '', /A summary of it\./)
  assert.deepEqual(parts.at(-1)?.type, 'finish')
  await session.doDestroy()
})
