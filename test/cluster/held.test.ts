/** A session that waits and keeps its worker says why, wherever somebody looks. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { z } from 'zod'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { entriesOf, isEndOf, readUntil } from '../hub/hub-stage.js'
import { openStage } from './stage.js'
import { stepModel } from './step-model.js'

const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}

it('says why it keeps its worker: a sub-agent that asks, work in the background', { timeout: 180_000 }, async () => {
  const step = (kind: string) =>
    tool(kind, 'Takes a step', { name: z.string() }, async () => ({ content: [{ type: 'text', text: 'stepped' }] }))
  const mcpServers = { steps: createSdkMcpServer({ name: 'steps', tools: ['step', 'risky'].map(step) }) }
  const allowedTools = ['mcp__steps__step', 'Task', 'Agent']
  await using stage = await openStage(stepModel, { options: { mcpServers, allowedTools }, silentMs: 60_000 })
  const { hub, tables } = stage
  const session = await stage.begin()
  const env = { KEDGE_DATABASE: tables.url }
  const admin = (command: string, ...more: string[]) => runAdmin([command, '--tenant', 'acme', ...more], env)
  const held = () =>
    until(async (): Promise<string | undefined> => JSON.parse((await admin('list', '--json')).out)[0].held ?? undefined)
  await hub.send(session, { id: 'a', content: 'kept: subask bg risky' })
  const { id } = await until(async () => (await hub.asks({ session }))[0])
  assert.equal(await held(), 'a sub-agent asks, and only the one that runs can take the answer')
  assert.match((await admin('list')).out, /running .*\(can't be parked: a sub-agent asks, /)
  const problem = async () => /problem: (1 session keeps .*)/.exec((await runAdmin(['status'], env)).out)?.[1]
  const place = `1 session keeps its place on a worker, because`
  assert.equal(
    await problem(),
    `${place} ${await held()} (session ${session} of acme). Answer the request, or end the turn with \`kedge admin cancel ${session} --tenant acme\`.`,
  )
  await hub.answer(session, id, { kind: 'allow' }, { name: 'ada' })
  // The next could wait anywhere, and what the command left in the background could not.
  const risky = await until(async () => (await hub.asks({ session })).find((ask) => ask.id !== id))
  assert.equal(await held(), 'work in the background would end: a command')
  assert.equal(
    await problem(),
    `${place} ${await held()} (session ${session} of acme). Wait for the work, or end it with \`kedge admin move ${session} --tenant acme\`.`,
  )
  await hub.answer(session, risky.id, { kind: 'allow' }, { name: 'ada' })
  const items = await readUntil(hub, session, isEndOf('a'), { deltas: false })
  const said = entriesOf(items).flatMap(({ data }) =>
    'code' in data && data.code === 'session_not_parked' ? [data] : [],
  )
  assert.equal(said.length, 2)
})

it('a sub-agent that works in the background keeps the worker', { timeout: 180_000 }, async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const step = (kind: string, work?: Promise<void>) =>
    tool(kind, 'Takes a step', { name: z.string() }, async () => {
      await work
      return { content: [{ type: 'text', text: 'stepped' }] }
    })
  const mcpServers = { steps: createSdkMcpServer({ name: 'steps', tools: [step('slow', finished), step('risky')] }) }
  const allowedTools = ['mcp__steps__slow', 'Task', 'Agent']
  await using stage = await openStage(stepModel, { options: { mcpServers, allowedTools }, silentMs: 60_000 })
  const { hub, tables } = stage
  const session = await stage.begin()
  const row = async () => {
    const args = ['list', '--json', '--tenant', 'acme']
    return JSON.parse((await runAdmin(args, { KEDGE_DATABASE: tables.url })).out)[0]
  }
  await hub.send(session, { id: 'a', content: 'alone: bgsub risky' })
  await until(async () => (await hub.asks({ session }))[0])
  assert.equal(
    await until(async () => (await row()).held ?? undefined),
    'work in the background would end: a sub-agent',
  )
  // The command that status names gives the place free; the question waits without a worker.
  const status = await runAdmin(['status'], { KEDGE_DATABASE: tables.url })
  const [, command = ''] = /end it with `kedge admin (.*)`/.exec(status.out) ?? []
  await runAdmin(command.split(' '), { KEDGE_DATABASE: tables.url })
  await until(async () => ((await row()).state === 'waiting' ? true : undefined))
  assert.doesNotMatch((await runAdmin(['status'], { KEDGE_DATABASE: tables.url })).out, /problem/)
  finish()
  const [ask] = await hub.asks({ session })
  await hub.answer(session, ask?.id ?? '', { kind: 'allow' }, { name: 'ada' })
  await readUntil(hub, session, isEndOf('a'), { deltas: false })
})
