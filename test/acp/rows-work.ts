/** Rows about work beside the conversation, and about what happens around a turn: hooks, compaction, retries, rewinding. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from './acp-schema.js'
import type { Rig, Session } from './rig.js'
import type { Row } from './rows.js'
import { bash, callsOf, lastOf, statusesOf, use } from './rows-turn.js'
import type { Heard } from './tap.js'

const isRich = ({ kind }: Rig) => kind === 'rich'
const RELEASE = 'while [ ! -e go ]; do sleep 0.2; done'
const background = { run_in_background: true }
const write = (path: string, content: string) => use('Write', { file_path: path, content })
/** Lets the command in this folder go on. */
const release = ({ cwd }: Session) => writeFileSync(join(cwd, 'go'), '')

/** The launching call stays in progress while the turn is over, and ends when the work does. */
const tasks: Row = async (rig) => {
  const session = await rig.begin()
  const played = await session.play([bash(`${RELEASE}; echo all done`, background), 'Started.', 'Heard of it.'])
  const [{ toolCallId }] = callsOf(played, 'Bash') as [Wire]
  assert.equal(played.response.stopReason, 'end_turn')
  assert.equal(statusesOf(callsOf(played, 'Bash')).at(-1), 'in_progress')
  // Whoever loads the session meanwhile sees that it runs, and when it has ended.
  assert.equal((await loadedCall(rig, session, toolCallId)).status, 'in_progress')
  const from = rig.agent.tap.heard.length
  release(session)
  const end = await session.update(
    'tool_call_update',
    (update) => update.toolCallId === toolCallId && update.status === 'completed',
    from,
  )
  const { id, status, outputFile } = end._meta.kedge.task
  assert.deepEqual([typeof id, status], ['string', 'completed'])
  assert.match(readFileSync(outputFile, 'utf8'), /all done/)
  await session.update('agent_message_chunk', ({ content }) => /Heard/.test(content.text))
  assert.equal((await loadedCall(rig, session, toolCallId)).status, 'completed')
  await lostTask(rig)
}

/** A task ends with the agent of its session. */
async function lostTask(rig: Rig): Promise<void> {
  const session = await rig.begin()
  const played = await session.play([bash(`${RELEASE}; echo all done`, background), 'Started.'])
  const [{ toolCallId }] = callsOf(played, 'Bash') as [Wire]
  await rig.request('session/close', { sessionId: session.id })
  const { status, task } = await loadedCall(rig, session, toolCallId)
  assert.deepEqual([status, task?.status], ['failed', 'stopped'])
}

/** Loads the session, and returns what a client is told of the call: its status, and its task. */
async function loadedCall(rig: Rig, { id, cwd }: Session, call: string): Promise<Wire> {
  const from = rig.agent.tap.heard.length
  await rig.request('session/load', { sessionId: id, cwd, mcpServers: [] })
  const told = rig.agent.tap.heard.slice(from).flatMap(({ message }) => message?.params?.update ?? [])
  const ofCall = told.filter(({ toolCallId }) => toolCallId === call)
  return {
    status: ofCall.findLast(({ status }) => status)?.status,
    task: ofCall.findLast(({ _meta }) => _meta?.kedge?.task)?._meta.kedge.task,
  }
}

/** What a command prints is there while it runs. */
const backgroundBash: Row = async (rig) => {
  const session = await rig.begin()
  const from = rig.agent.tap.heard.length
  const started = await session.play([bash(`echo early; ${RELEASE}; echo late`, background), 'Started.', 'Noted.'])
  const [{ toolCallId }] = callsOf(started, 'Bash') as [Wire]
  const isOf = (update: Wire) => update.toolCallId === toolCallId
  const early = await session.update(
    'tool_call_update',
    (update) => isOf(update) && /early/.test(liveText(update)),
    from,
  )
  assert.equal(early.status ?? 'in_progress', 'in_progress')
  assert.doesNotMatch(liveText(early), /late/)
  if (isRich(rig)) assert.match(early._meta.terminal_output.data, /early/)
  else assert.equal(early.content[0].type, 'content')
  release(session)
  const end = await session.update('tool_call_update', (update) => isOf(update) && update.status === 'completed')
  if (!isRich(rig)) assert.match(liveText(end), /early.*late/)
  const all = session.updates('tool_call_update').filter(isOf).map(liveText).join('\n')
  assert.match(all, /late/)
}
const liveText = ({ content, _meta }: Wire): string => JSON.stringify([content, _meta?.terminal_output])

const helper = (rig: Rig, steps: Parameters<Rig['model']['plan']>[0], more: object = {}) =>
  use('Task', {
    description: 'Count files',
    prompt: `Count them. ${rig.model.plan(steps)}`,
    subagent_type: 'general-purpose',
    ...more,
  })

const backgroundAgents: Row = async (rig) => {
  const session = await rig.begin()
  const agent = helper(rig, ['There are twelve.'], background)
  const from = rig.agent.tap.heard.length
  await session.play([agent, 'It is on its way.', 'It says a dozen.'])
  if (isRich(rig)) {
    const isIn = (state: string) => (update: Wire) => update.state?.state === state
    const running = await session.update('subagent_update', isIn('running'), from)
    const idle = await session.update('subagent_update', isIn('idle'), from)
    assert.equal(running.sessionId, idle.sessionId)
    assert.notEqual(running.sessionId, session.id)
  } else {
    const isEnd = ({ status, _meta }: Wire) => status === 'completed' && _meta?.kedge?.task?.status === 'completed'
    await session.update('tool_call_update', isEnd, from)
  }
  // What the agent says of it, not what the sub-agent said: the next row must not hear the rest of this one.
  await session.update('agent_message_chunk', ({ content }) => /dozen/.test(content.text), from)
}

const subAgents: Row = async (rig) => {
  const session = await rig.begin()
  const inner = bash('echo inner')
  const played = await session.play([helper(rig, [inner, 'There are twelve.']), 'Twelve.'])
  const live = shownIn(played.heard)
  await rig.request('session/close', { sessionId: session.id })
  const loaded = rig.agent.tap.heard.length
  await rig.request('session/load', { sessionId: session.id, cwd: session.cwd, mcpServers: [] })
  // Whoever loads the session sees what they saw live, in the same sessions and under the same calls.
  assert.deepEqual(shownIn(rig.agent.tap.heard.slice(loaded)), live)
  assert.match(JSON.stringify(live), /inner/)
  if (isRich(rig)) {
    const [child] = played.updates('subagent_update')
    assert.match(child.title, /Count files/)
    const updates = played.heard.flatMap(({ from, message }) =>
      from === 'agent' && message.params?.sessionId === child.sessionId ? [message.params.update] : [],
    )
    const kinds = new Set(updates.map((update) => update?.sessionUpdate))
    assert.ok(kinds.has('tool_call') && kinds.has('agent_message_chunk'), [...kinds].join())
    const messages = [
      ...played.updates('session_message'),
      ...updates.filter((u) => u?.sessionUpdate === 'session_message'),
    ]
    assert.ok(messages.some(({ recipientSessionId }) => recipientSessionId === child.sessionId))
    return
  }
  const [parent] = callsOf(played, 'Task') as [Wire]
  const ofChild = played.updates().filter(({ _meta }) => _meta?.kedge?.parentToolUseId === parent.toolCallId)
  assert.ok(ofChild.every(({ _meta }) => _meta.claudeCode.parentToolUseId === parent.toolCallId))
  const kinds = new Set(ofChild.map(({ sessionUpdate }) => sessionUpdate))
  assert.ok(kinds.has('tool_call') && kinds.has('agent_message_chunk'), [...kinds].join())
}

/** What a client has in the end of sub-agents and their calls: texts put together, calls and agents as they were left. */
function shownIn(heard: readonly Heard[]): Wire {
  const shown: Wire = {}
  for (const { from, message } of heard) {
    if (from !== 'agent' || message?.method !== 'session/update') continue
    const { sessionId, update } = message.params
    const { sessionUpdate: kind, toolCallId, content, messageId } = update
    const parent = update._meta?.kedge?.parentToolUseId ?? null
    if (/^tool_call/.test(kind)) {
      const before = shown[`${sessionId} call ${toolCallId}`] ?? {}
      const { status = before.status, title = before.title, content: said = before.content } = update
      shown[`${sessionId} call ${toolCallId}`] = { parent, status, title, content: said }
    } else if (/^agent_(message|thought)_chunk$/.test(kind)) {
      const said = `${sessionId} says ${messageId}`
      shown[said] = { parent, text: `${shown[said]?.text ?? ''}${content.text}` }
    } else if (kind === 'subagent_update') {
      const agent = `${sessionId} agent ${update.sessionId}`
      shown[agent] = { ...shown[agent], ...update }
    } else if (kind === 'session_message') shown[`${sessionId} message ${messageId}`] = update
  }
  return shown
}

/** In the settings of the rig, every Glob is refused by a hook. */
export const HOOKS = {
  PreToolUse: [{ matcher: 'Glob', hooks: [{ type: 'command', command: 'echo Not on my watch >&2; exit 2' }] }],
  PostToolUse: [{ matcher: 'Grep', hooks: [{ type: 'command', command: 'true' }] }],
}

const hooks: Row = async (rig) => {
  const session = await rig.begin()
  const from = rig.agent.tap.heard.length
  const played = await session.play([use('Glob', { pattern: '*' }), use('Grep', { pattern: 'x' }), 'Then not.'])
  const blocked = callsOf(played, 'Glob')
  assert.equal(statusesOf(blocked).at(-1), 'failed')
  assert.match(JSON.stringify(lastOf(blocked, 'content')), /Not on my watch/)
  if (!isRich(rig)) assert.ok(blocked.some(({ _meta }) => _meta?.kedge?.hook))
  const events = rig.agent.tap.heard.slice(from).filter(({ message }) => message?.method === '_kedge/hook')
  assert.equal(events.length > 0, isRich(rig))
  const notices = played.updates('notice').filter(({ severity }) => severity === 'warning')
  if (isRich(rig)) assert.match(JSON.stringify(notices), /Not on my watch|PreToolUse/)
}

const compaction: Row = async (rig) => {
  const session = await rig.begin()
  await session.play(['One.'], 'Tell me a long story.')
  await session.play(['Two.'], 'And another one.')
  const played = await session.prompt('/compact')
  assert.equal(played.response.stopReason, 'end_turn')
  if (isRich(rig)) {
    const updates = played.updates('compaction_update')
    assert.deepEqual(
      updates.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]),
      ['in_progress', 'completed'],
    )
    assert.equal(new Set(updates.map(({ compactionId }) => compactionId)).size, 1)
    const summaries = [
      ...updates.flatMap(({ summary }) => summary ?? []),
      ...played.updates('compaction_summary_chunk'),
    ]
    assert.match(JSON.stringify(summaries), /What was said so far/)
  } else {
    const [call] = played.updates('tool_call').filter(({ kind }) => kind === 'think')
    assert.ok(call, 'a call of kind think')
    const { toolCallId } = call
    const end =
      played
        .updates('tool_call_update')
        .filter((update) => update.toolCallId === toolCallId)
        .at(-1) ?? call
    assert.equal(end.status, 'completed')
  }
  assert.ok(played.updates('usage_update').length > 0)
  await compactedLoad(rig, session)
}

/** Whoever loads it has all of it: what was said, that it was summed up, and what was said since. */
async function compactedLoad(rig: Rig, session: Session): Promise<void> {
  await session.play(['Three.'], 'Go on.')
  await rig.request('session/close', { sessionId: session.id })
  const from = rig.agent.tap.heard.length
  await rig.request('session/load', { sessionId: session.id, cwd: session.cwd, mcpServers: [] })
  const told = rig.agent.tap.heard.slice(from).flatMap(({ message }) => message?.params?.update ?? [])
  const texts = told.map(({ content, status, summary }) => JSON.stringify([content, status, summary])).join('\n')
  assert.match(texts, /long story.*One\..*another one.*Two\..*What was said so far.*Go on.*Three\./s)
  assert.doesNotMatch(JSON.stringify(told.filter(({ sessionUpdate }) => /user/.test(sessionUpdate))), /said so far/)
  const ends = told.filter(({ sessionUpdate, toolCallId }) =>
    isRich(rig) ? sessionUpdate === 'compaction_update' : toolCallId?.startsWith('compaction'),
  )
  assert.equal(ends.at(-1)?.status, 'completed')
}

const filesPersisted: Row = async (rig) => {
  const session = await rig.begin()
  const path = join(session.cwd, 'kept.txt')
  const played = await session.play([write(path, 'kept\n'), 'Written.'])
  const files = played.updates('session_info_update').flatMap(({ _meta }) => _meta?.kedge?.filesPersisted ?? [])
  assert.match(JSON.stringify(files), /kept\.txt/)
}

const status: Row = async (rig) => {
  const session = await rig.begin()
  const played = await session.play([{ status: 529, retryAfter: 0.05 }, 'At last.'])
  assert.equal(played.text().includes('At last.'), true)
  const told = played.updates().filter((update) => /retr|overloaded|529/i.test(JSON.stringify(update)))
  if (isRich(rig)) assert.ok(told.some(({ sessionUpdate }) => sessionUpdate === 'notice'))
  assert.ok(told.length > 0, 'somebody is told of the retry')
}

const checkpoints: Row = async (rig) => {
  const { rewind } = rig.initialized.agentCapabilities._meta.kedge
  assert.ok(rewind)
  const session = await rig.begin()
  const path = join(session.cwd, 'made.txt')
  await session.play(['Ready.'], 'First.')
  const played = await session.play([write(path, 'made\n'), 'Written.'], 'Write it.')
  const [{ messageId }] = played.updates('user_message_chunk') as [Wire]
  assert.equal(typeof messageId, 'string')
  const params = { sessionId: session.id, messageId, mode: 'both' }
  const planned = await rig.request('_kedge/session/rewind', { ...params, dryRun: true })
  assert.match(JSON.stringify(planned), /made\.txt/)
  assert.ok(existsSync(path))
  await rig.request('_kedge/session/rewind', params)
  assert.equal(existsSync(path), false)
  const after = await session.play(['On.'], 'And now?')
  const asked = JSON.stringify(rig.model.requestsOf(after.word)[0]?.body.messages)
  assert.match(asked, /First\./)
  assert.doesNotMatch(asked, /Write it\./)
  await rewindCommand(rig)
}

/** Every client has the command: it asks which message, in the way the client can be asked. */
async function rewindCommand(rig: Rig): Promise<void> {
  const session = await rig.begin()
  const path = join(session.cwd, 'again.txt')
  await session.play([write(path, 'made\n'), 'Written.'], 'Write it.')
  const played = await session.prompt('/rewind')
  const asked = played.asked(isRich(rig) ? 'elicitation/create' : 'session/request_permission')
  assert.ok(asked.length > 0)
  assert.match(JSON.stringify(asked), /Write it/)
  assert.equal(played.response.stopReason, 'end_turn')
  assert.equal(existsSync(path), false)
  assert.match(played.text(), /The files were restored\. Nothing comes before the first prompt/)
}

export const workRows: Record<number, [string, Row]> = {
  7: ['work in the background', tasks],
  8: ['commands in the background', backgroundBash],
  9: ['agents in the background', backgroundAgents],
  10: ['what sub-agents say', subAgents],
  20: ['hooks', hooks],
  21: ['compaction', compaction],
  22: ['files kept', filesPersisted],
  23: ['status', status],
  24: ['rewinding', checkpoints],
}
