/** Rows of the feature table that a turn is made of: words, thoughts, tool calls, plans, questions. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAcpClientAbilities } from '../../src/acp/acp-client.js'
import { AcpUpdateTranslator } from '../../src/acp/updates/translator.js'
import type { Wire } from './acp-schema.js'
import { capabilities, select } from './clients.js'
import type { Played, Rig } from './rig.js'
import type { Row } from './rows.js'
import { createTap } from './tap.js'

export const use = (name: string, input: object) => ({ tools: [{ name, input }] })
export const bash = (command: string, more: object = {}) => use('Bash', { command, description: 'Run it', ...more })

/** All that was said about one tool call, in order. */
export function callsOf(played: Pick<Played, 'updates'>, name: string): Wire[] {
  const [first] = played.updates('tool_call').filter((update) => update.name === name)
  assert.ok(first, `no tool_call ${name}`)
  return [first, ...played.updates('tool_call_update').filter(({ toolCallId }) => toolCallId === first.toolCallId)]
}
export const statusesOf = (updates: readonly Wire[]): string[] =>
  updates.flatMap(({ status }) => status ?? []).filter((status, index, all) => status !== all[index - 1])
export const lastOf = (updates: readonly Wire[], field: string): Wire =>
  updates.filter((update) => update[field] != null).at(-1)?.[field]
export const textsIn = (content: Wire): string =>
  (content ?? []).map((part: Wire) => part.content?.text ?? '').join('\n')
const isRich = ({ kind }: Rig) => kind === 'rich'

const textStreaming: Row = async (rig) => {
  const played = await (await rig.begin()).play([{ text: 'Hello there, Ada.', chunk: 4 }])
  const chunks = played.updates('agent_message_chunk')
  assert.ok(chunks.length >= 3, 'it came in pieces')
  assert.equal(played.text(), 'Hello there, Ada.')
  const ids = new Set(chunks.map(({ messageId }) => messageId))
  assert.equal(ids.size, 1)
  assert.equal(typeof [...ids][0], 'string')
  const second = await (await rig.begin()).play([{ text: 'First.', ...bash('true') }, 'Second.'])
  assert.equal(new Set(second.updates('agent_message_chunk').map(({ messageId }) => messageId)).size, 2)
}

const thinking: Row = async (rig) => {
  const session = await rig.begin()
  const played = await session.play([{ thinking: 'Let me see.', text: 'I see.' }])
  const thoughts = played.updates('agent_thought_chunk')
  assert.equal(thoughts.map(({ content }) => content.text).join(''), 'Let me see.')
  assert.equal(new Set(thoughts.map(({ messageId }) => messageId)).size, 1)
  assert.equal(typeof thoughts[0].messageId, 'string')
  const hidden = await session.play([
    {
      content: [
        { type: 'redacted_thinking', data: 'c2VjcmV0' },
        { type: 'text', text: 'Done.', citations: null },
      ] as Wire,
    },
  ])
  const [redacted] = hidden.updates('agent_thought_chunk')
  assert.equal(redacted.content.text, '')
  assert.equal(redacted._meta.kedge.redacted, true)
}

const toolCalls: Row = async (rig) => {
  const session = await rig.begin()
  const path = join(session.cwd, 'notes.txt')
  writeFileSync(path, 'Buy milk\n')
  const played = await session.play([use('Read', { file_path: path }), bash('echo one'), 'Done.'])
  const read = callsOf(played, 'Read')
  assert.deepEqual([read[0].status, read[0].kind], ['pending', 'read'])
  assert.equal(read[0]._meta.claudeCode.toolName, 'Read')
  assert.deepEqual(statusesOf(read), ['pending', 'in_progress', 'completed'])
  assert.equal(lastOf(read, 'locations')[0].path, path)
  assert.deepEqual(lastOf(read, 'rawInput').file_path, path)
  const run = callsOf(played, 'Bash')
  assert.deepEqual(statusesOf(run), ['pending', 'in_progress', 'completed'])
  assert.equal(run[0].kind, 'execute')
  assert.match(lastOf(run, 'title'), /echo one/)
}

const toolResults: Row = async (rig) => {
  const session = await rig.begin()
  const path = join(session.cwd, 'old.txt')
  const created = join(session.cwd, 'new.txt')
  writeFileSync(path, 'first\nsecond\nthird\n')
  const played = await session.play([
    use('Read', { file_path: path }),
    use('Edit', { file_path: path, old_string: 'second', new_string: 'SECOND' }),
    use('Write', { file_path: created, content: 'one\n' }),
    bash('echo out; exit 3'),
    'Done.',
  ])
  const edit = callsOf(played, 'Edit')
  const diff = { type: 'diff', path, oldText: 'first\nsecond\nthird\n', newText: 'first\nSECOND\nthird\n' }
  assert.deepEqual(withoutMeta(lastOf(edit, 'content')), [diff])
  assert.equal(edit.at(-1).status, 'completed')
  assert.ok(edit.some(({ _meta }) => _meta?.claudeCode?.toolResponse !== undefined))
  const write = callsOf(played, 'Write')
  const [made] = withoutMeta(lastOf(write, 'content'))
  assert.deepEqual(
    { ...made, oldText: made.oldText ?? null },
    { type: 'diff', path: created, oldText: null, newText: 'one\n' },
  )
  assert.equal(readFileSync(created, 'utf8'), 'one\n')
  const failed = callsOf(played, 'Bash')
  assert.equal(statusesOf(failed).at(-1), 'failed')
  assert.match(JSON.stringify(failed), /out/)
  assert.ok(lastOf(failed, 'rawOutput') !== undefined)
}

const plan: Row = async (rig) => {
  const todos = [
    { content: 'Look', status: 'completed', activeForm: 'Looking' },
    { content: 'Mend', status: 'in_progress', activeForm: 'Mending' },
    { content: 'Rest', status: 'pending', activeForm: 'Resting' },
  ]
  const played = await (await rig.begin()).play([use('TodoWrite', { todos }), 'Planned.'])
  const [update] = played.updates(isRich(rig) ? 'plan_update' : 'plan')
  if (isRich(rig)) assert.deepEqual([update.plan.type, update.plan.planId], ['items', 'todos'])
  const { entries } = isRich(rig) ? update.plan : update
  assert.deepEqual(
    entries.map(({ status }: Wire) => status),
    ['completed', 'in_progress', 'pending'],
  )
  assert.match(entries.map(({ content }: Wire) => content).join(), /^Look,Mend(ing)?,Rest$/)
  assert.ok(entries.every(({ priority }: Wire) => /^(high|medium|low)$/.test(priority)))
}

const exitPlan: Row = async (rig) => {
  const session = await rig.begin()
  await rig.request('session/set_mode', { sessionId: session.id, modeId: 'plan' })
  const leave = use('ExitPlanMode', { plan: '# The plan\n\n1. Look\n' })
  const yes = rig.person.permission
  rig.person.permission = (request) => select(request, 'reject_once')
  const refused = await session.play([leave, 'Then I think again.'])
  assert.deepEqual(refused.updates('current_mode_update'), [])
  rig.person.permission = yes
  const played = await session.play([leave, 'Off I go.'])
  const [asked] = played.asked('session/request_permission')
  assert.equal(asked.toolCall.kind, 'switch_mode')
  assert.match(textsIn(asked.toolCall.content), /The plan/)
  assert.ok(asked.options.filter(({ kind }: Wire) => kind.startsWith('allow')).length >= 2, 'one per mode to go on in')
  const [mode] = played.updates('current_mode_update')
  assert.ok(mode && mode.currentModeId !== 'plan')
  const options = played.updates('config_option_update').at(-1).configOptions
  assert.equal(options.find(({ id }: Wire) => id === 'mode').currentValue, mode.currentModeId)
  const markdown = played.updates('plan_update').map(({ plan }) => plan)
  if (isRich(rig)) assert.match(markdown.find(({ type }) => type === 'markdown').content, /The plan/)
}

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `${label}, please` }))
const QUESTIONS = [
  { question: 'Which drink?', header: 'Drink', multiSelect: false, options: options('Tea', 'Coffee') },
  { question: 'Which extras?', header: 'Extras', multiSelect: true, options: options('Milk', 'Sugar', 'Ice') },
]

const questions: Row = async (rig) => {
  const session = await rig.begin()
  const { permission, elicitation } = rig.person
  rig.person.elicitation = () => ({ action: 'accept', content: { question_0: 'Coffee', question_1: ['Milk', 'Ice'] } })
  const wanted = ['Coffee', 'Milk', 'Ice']
  rig.person.permission = (request) => {
    const next = request.options.find(({ name }: Wire) => name.includes(wanted[0] ?? 'Done'))
    wanted.shift()
    return { outcome: { outcome: 'selected', optionId: next.optionId } }
  }
  const played = await session.play([use('AskUserQuestion', { questions: QUESTIONS }), 'Chosen.'])
  Object.assign(rig.person, { permission, elicitation })
  const [result] = rig.model.requestsOf(played.word)[1]?.toolResults ?? []
  assert.match(result?.text ?? '', /Coffee.*Milk.*Ice/s)
  const [call] = callsOf(played, 'AskUserQuestion')
  if (isRich(rig)) {
    const [form] = played.asked('elicitation/create')
    assert.deepEqual([form.mode, form.toolCallId, form.sessionId], ['form', call.toolCallId, session.id])
    const fields = form.requestedSchema.properties
    assert.deepEqual(Object.keys(fields).sort(), ['question_0', 'question_0_custom', 'question_1', 'question_1_custom'])
    assert.deepEqual(
      fields.question_0.oneOf.map(({ const: value }: Wire) => value),
      ['Tea', 'Coffee'],
    )
    assert.equal(fields.question_1.type, 'array')
    return
  }
  const asked = played.asked('session/request_permission')
  assert.ok(asked.length >= 4, 'one for the first, and one for each choice of the second until it is done')
  assert.ok(asked.every(({ toolCall }) => toolCall.toolCallId === call.toolCallId))
  const [first] = asked
  assert.deepEqual(
    first.options.map(({ kind }: Wire) => kind),
    ['allow_once', 'allow_once', 'reject_once'],
  )
  assert.equal(first.options.at(-1).name, 'Skip')
}

const progress: Row = async (rig) => {
  const session = await rig.begin()
  const played = await session.play([bash('sleep 2.4'), 'Done.'])
  const updates = callsOf(played, 'Bash').filter(({ _meta }) => _meta?.kedge?.elapsedSeconds !== undefined)
  assert.ok(updates.length >= 1)
  const [{ status, _meta }] = updates
  assert.equal(status, 'in_progress')
  assert.ok(_meta.kedge.elapsedSeconds >= 1)
  assert.equal(_meta.claudeCode.toolResponse.elapsedTimeSeconds, _meta.kedge.elapsedSeconds)
}

/**
 * Ours does not write summaries; agents of others do (docs/compatibility.md). So what one of them says is put to the translator
 * itself, and what comes out to the tap.
 */
const summary: Row = async ({ kind, agent }) => {
  const clientCapabilities = capabilities[kind === 'rich' ? 'rich' : 'poor']
  const client = readAcpClientAbilities({ protocolVersion: 1, clientCapabilities })
  const translator = new AcpUpdateTranslator({ client, session: 's', cwd: '/home/ada', now: () => 0 })
  const tail = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 's' } as const
  const calls = ['one', 'two'].map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }))
  const message: Wire = { id: 'm', content: calls }
  const announced = translator.take({ type: 'assistant', parent_tool_use_id: null, message, ...tail })
  const told = translator.take({
    type: 'tool_use_summary',
    summary: 'Looked around.',
    preceding_tool_use_ids: ['one', 'two'],
    ...tail,
  })
  const about = { summary: 'Looked around.', toolCallIds: ['one', 'two'] }
  const [update, event]: Wire[] = told
  assert.equal(update.update.toolCallId, 'two')
  assert.deepEqual(update.update._meta.kedge.toolUseSummary, about)
  const opted =
    kind === 'rich' ? { method: '_kedge/tool_use_summary', params: { sessionId: 's', ...about } } : undefined
  assert.deepEqual(event, opted)
  const tap = createTap(agent.tap.flavor)
  const say = (id: number, method: string, params: object, result: object) => {
    tap.line('client', JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    tap.line('agent', JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  say(0, 'initialize', { protocolVersion: 1, clientCapabilities }, { protocolVersion: 1 })
  say(1, 'session/new', { cwd: '/home/ada', mcpServers: [] }, { sessionId: 's' })
  for (const one of [...announced, ...told]) {
    const line = 'method' in one ? one : { method: 'session/update', params: one }
    tap.line('agent', JSON.stringify({ jsonrpc: '2.0', ...line }))
  }
  assert.deepEqual(tap.violations, [])
}

const withoutMeta = (content: Wire): Wire[] => (content ?? []).map(({ _meta, ...rest }: Wire) => rest)

export const turnRows: Record<number, [string, Row]> = {
  1: ['text as it is written', textStreaming],
  2: ['thinking', thinking],
  3: ['tool calls', toolCalls],
  4: ['tool results', toolResults],
  5: ['plan', plan],
  6: ['leaving plan mode', exitPlan],
  16: ['questions', questions],
  17: ['progress of a tool', progress],
  18: ['summary of tools', summary],
}
