/** The generated family of the control protocol: every request × wrong ids and fields, every question × wrong answers. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest, Turn } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import {
  type Agent,
  answerTo,
  failure,
  isHookCall,
  isQuestion,
  isResult,
  request,
  startAgent,
  success,
  user,
} from './agent-process.js'

/** For each request a host may send: a body that is right, and values that are wrong for each of its fields. */
const REQUESTS: Record<string, { body: Record<string, unknown>; wrong: Record<string, unknown[]> }> = {
  initialize: {
    body: {},
    wrong: {
      hooks: [7, [], { PreToolUse: 'x' }, { PreToolUse: [{}] }, { PreToolUse: [{ hookCallbackIds: 'hook_0' }] }],
      sdkMcpServers: ['calc', [7]],
      systemPrompt: [7, {}, [7]],
      appendSystemPrompt: [7, []],
      agents: [7, { a: 7 }, { a: { description: 'd' } }],
      jsonSchema: ['{}'],
      promptSuggestions: ['yes'],
    },
  },
  interrupt: { body: {}, wrong: { scope: [7, 'everything', {}] } },
  set_model: { body: { model: 'sonnet' }, wrong: { model: [7, {}, ['sonnet']] } },
  set_permission_mode: { body: { mode: 'plan' }, wrong: { mode: [undefined, null, 7, 'zzz', ['plan'], {}] } },
  set_max_thinking_tokens: {
    body: { max_thinking_tokens: 2048 },
    wrong: { max_thinking_tokens: [undefined, '2048', -1, 1e12, 0.5, {}, true] },
  },
  mcp_status: { body: {}, wrong: {} },
  mcp_set_servers: {
    body: { servers: {} },
    wrong: { servers: [undefined, null, 7, [], { a: 7 }, { a: { type: 'pigeon' } }] },
  },
  mcp_reconnect: {
    body: { serverName: 'x' },
    wrong: { serverName: [undefined, null, 7, {}, '__proto__', 'constructor'] },
  },
  mcp_toggle: {
    body: { serverName: 'x', enabled: true },
    wrong: { serverName: [7, 'toString'], enabled: [undefined, 'yes', 1] },
  },
  rewind_files: {
    body: { user_message_id: 'x' },
    wrong: { user_message_id: [undefined, null, 7, {}], dry_run: ['no'] },
  },
  stop_task: { body: { task_id: 'x' }, wrong: { task_id: [undefined, null, 7, []] } },
  background_tasks: { body: {}, wrong: { tool_use_id: [7, {}] } },
  apply_flag_settings: {
    body: { settings: {} },
    wrong: {
      settings: [undefined, null, 7, 'x', [], { permissions: { allow: ['*'] } }, { model: 7 }, { env: { PATH: '/' } }],
    },
  },
  get_context_usage: { body: {}, wrong: {} },
  read_file: {
    body: { path: 'a.txt' },
    wrong: {
      path: [undefined, null, 7, {}, '', '\0', '/etc/shadow', '../../..'],
      max_bytes: ['1', -1, 0.5],
      encoding: ['latin1', 7],
    },
  },
  mcp_read_resource: {
    body: { serverName: 'x', uri: 'ui://a' },
    wrong: { serverName: [undefined, null, 7, {}, '__proto__', 'constructor'], uri: [undefined, null, 7] },
  },
  seed_read_state: {
    body: { path: 'a.txt', mtime: 1 },
    wrong: { path: [undefined, null, 7, {}, '\0', '/etc/shadow', '../../..'], mtime: [undefined, null, '1'] },
  },
  rename_session: {
    body: { title: 'A title' },
    wrong: { title: [undefined, null, 7, '', '  ', {}], session_id: [7, 'another'], source: ['nobody', 7] },
  },
  get_session_cost: { body: {}, wrong: {} },
  list_models: { body: {}, wrong: {} },
  get_usage: { body: {}, wrong: { skip_behaviors: ['yes', 7] } },
  get_binary_version: { body: {}, wrong: {} },
  mcp_call: {
    body: { tool: 'mcp__x__y' },
    wrong: {
      tool: [undefined, null, 7, {}, '', 'Bash', '__proto__', 'mcp__x__y'],
      arguments: [7, 'x', []],
      timeout_ms: ['1', {}],
      check_permissions: ['no', 1],
      input_files: [[], [{ name: 'a' }]],
      expires_at: ['2026-01-01T00:00:00Z'],
    },
  },
  file_suggestions: { body: { query: 'a.t' }, wrong: { query: [undefined, null, 7, {}] } },
  cancel_async_message: { body: { message_uuid: 'x' }, wrong: { message_uuid: [undefined, null, 7, []] } },
  register_repo_root: {
    body: { directory: 'sub' },
    wrong: {
      directory: [undefined, null, 7, '', '.', '..', '/', '/etc', '\0', 'no such folder', 'a.txt'],
      reload_skills: ['yes'],
      reload_plugins: [1],
      reload_claude_md: [{}],
    },
  },
  reload_plugins: {
    body: {},
    wrong: {
      add_plugins: [
        7,
        {},
        ['x'],
        [{ path: 7 }],
        [{ type: 'local', path: 'relative' }],
        [{ type: 'remote', path: '/x' }],
      ],
      hold_on_cache_impact: ['yes', 1],
      refuse_if_busy: ['yes', 1],
    },
  },
  reload_skills: { body: {}, wrong: {} },
  reload_output_styles: { body: {}, wrong: {} },
  reload: { body: {}, wrong: { parts: [7, 'skills', ['everything'], [7], {}] } },
  side_question: {
    body: { question: 'Why?' },
    wrong: { question: [undefined, null, 7, '', ' \n', {}, 'x'.repeat(100_001)] },
  },
  set_has_subscribers: { body: { has_subscribers: null }, wrong: { has_subscribers: [undefined, 'yes', 1, {}] } },
  get_task_output: {
    body: { task_id: 'x' },
    wrong: { task_id: [undefined, null, 7, [], '../../etc/passwd', '__proto__', 'x'] },
  },
  get_settings: { body: {}, wrong: {} },
  get_hooks_listing: { body: {}, wrong: {} },
  update_settings: {
    body: { source: 'localSettings', settings: { outputStyle: 'default' } },
    wrong: {
      source: [undefined, null, 'projectSettings', 'policySettings', 7],
      settings: [
        undefined,
        null,
        7,
        [],
        { hooks: {} },
        { apiKeyHelper: 'x' },
        { permissions: { allow: ['Bash'] } },
        { outputStyle: 7 },
        { outputStyle: null },
        { outputStyle: 'No such style' },
        { outputStyle: 'default', env: {} },
      ],
    },
  },
  list_permission_rules: { body: {}, wrong: {} },
  yield_turn: { body: {}, wrong: {} },
  end_session: { body: {}, wrong: {} },
}
const ALL = Object.entries(REQUESTS)
/** Those that end the session, ask the model, name a session, or tell how long it took. */
const PARTICULAR = ['end_session', 'side_question', 'rename_session', 'get_usage']
const PLAIN = ALL.filter(([name]) => !PARTICULAR.includes(name))
const WRONG_IDS = [undefined, null, 7, '', {}, ['id'], true]

/** Nothing a host got an error for has changed anything. */
async function isUnchanged(agent: Agent): Promise<void> {
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  const init = agent.lines.findLast(({ subtype }) => subtype === 'init')
  assert.equal(init?.permissionMode, 'default')
  const [asked] = agent.server.requests.slice(-1)
  assert.deepEqual([asked?.body.model, asked?.body.thinking], ['claude-sonnet-4-5-20250929', undefined])
}

test('C generated: every request × a request_id that is missing or of the wrong kind: reported, never answered, not done', async () => {
  await using agent = await startAgent(['Still here.'])
  await agent.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 })
  for (const [subtype, { body }] of ALL) {
    for (const id of WRONG_IDS) await agent.send(request(id, { subtype, ...body }))
  }
  await isUnchanged(agent)
  await agent.finish()
  assert.equal(agent.lines.filter(({ response }) => response).length, 2)
  const reports = agent.stderr().match(/^Ignored: control_request without a request_id$/gm)
  assert.equal(reports?.length, ALL.length * WRONG_IDS.length)
})

test('C generated: every request × every field with wrong values: one error each, nothing changed', async () => {
  await using agent = await startAgent(['Still here.'])
  await agent.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 })
  writeFileSync(join(agent.options.cwd, 'a.txt'), 'alpha')
  let count = 0
  for (const [subtype, { body, wrong }] of ALL) {
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await agent.ask({ subtype, ...body, [field]: value })
        assert.equal(answer.subtype, 'error', `${subtype} ${field} ${JSON.stringify(value)}`)
        assert.match(String(answer.error), /^[^\n]{5,400}$/)
        count += 1
      }
    }
  }
  assert.ok(count >= 60, String(count))
  await isUnchanged(agent)
  await agent.finish()
  assert.equal(agent.lines.filter(({ response }) => response).length, count + 2)
})

test('C generated: initialize with a wrong field ends the session: nothing may run without what it asked for', async () => {
  for (const [field, values] of Object.entries(REQUESTS['initialize']?.wrong ?? {})) {
    for (const value of values.slice(-1)) {
      await using agent = await startAgent([], { initialize: false })
      await agent.send(request('i', { subtype: 'initialize', [field]: value }), user('Run everything.'))
      assert.equal((await agent.take(answerTo('i'))).response?.subtype, 'error')
      const result = await agent.take(isResult)
      assert.deepEqual([result.is_error, result.terminal_reason], [true, 'invalid_input'])
      assert.match(String(result.errors?.[0]), new RegExp(field))
      await agent.finish({ code: 1 })
    }
  }
})

test('C generated: every request with the id of another session: it is no field of a request, and ignored', async () => {
  await using agent = await startAgent([])
  writeFileSync(join(agent.options.cwd, 'a.txt'), 'alpha')
  for (const [subtype, { body }] of PLAIN) {
    const plain = await agent.ask({ subtype, ...body })
    const other = { session_id: '00000000-0000-4000-8000-000000000000' }
    await agent.send({ ...request('o', { subtype, ...body, ...other }), ...other })
    const { response } = await agent.take(answerTo('o'))
    assert.deepEqual({ ...response, request_id: '' }, { ...plain, request_id: '' }, subtype)
  }
  await agent.finish()
})

test('C generated: every request with the id of one that is still open, and a cancel for it: one answer, one error, not done', async () => {
  await using agent = await startAgent(['Still here.'])
  await agent.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 })
  for (const [subtype, { body }] of PLAIN) {
    const open = request('twice', { subtype: 'read_file', path: 'none' })
    const cancel = { type: 'control_cancel_request', request_id: 'twice' }
    await agent.send(open, request('twice', { subtype, ...body }), cancel)
    const answers = [await agent.take(answerTo('twice')), await agent.take(answerTo('twice'))]
    const codes = answers.map(({ response }) => response?.error_code ?? response?.error)
    assert.deepEqual(codes.filter((code) => code === 'duplicate_request_id').length, 1, subtype)
  }
  await isUnchanged(agent)
  await agent.finish()
  assert.equal(agent.lines.filter(answerTo('twice')).length, 2 * PLAIN.length)
})

type Reply = {
  name: string
  says(agent: Agent, id: string | undefined): Promise<void>
  runs: boolean
  interrupts?: boolean
}

const reply = (name: string, runs: boolean, ...lines: ((id: string | undefined) => object)[]): Reply => ({
  name,
  runs,
  says: (agent, id) => agent.send(...lines.map((line) => line(id))),
})
const late = (yes: unknown): Reply => ({
  name: 'late answer',
  runs: false,
  interrupts: true,
  async says(agent, id) {
    await agent.ask({ subtype: 'interrupt' })
    await agent.take(({ type, request_id: canceled }) => type === 'control_cancel_request' && canceled === id)
    await agent.send(success(id, yes))
  },
})

/** Answers to a question, and whether the tool runs after them. `yes` and `no` are right answers, `wrong` are not. */
function replies(yes: unknown, no: unknown, wrong: readonly unknown[]): Reply[] {
  const envelope = (fields: object) => (id: string | undefined) => ({
    type: 'control_response',
    response: { request_id: id, ...fields },
  })
  return [
    reply('yes', true, (id) => success(id, yes)),
    reply('no', false, (id) => success(id, no)),
    reply(
      'yes, then no',
      true,
      (id) => success(id, yes),
      (id) => success(id, no),
    ),
    reply(
      'no, then yes',
      false,
      (id) => success(id, no),
      (id) => success(id, yes),
    ),
    reply(
      'yes twice',
      true,
      (id) => success(id, yes),
      (id) => success(id, yes),
    ),
    reply(
      'error, then yes',
      false,
      (id) => failure(id, 'broken'),
      (id) => success(id, yes),
    ),
    reply(
      'to another id, then no',
      false,
      () => success('another', yes),
      (id) => success(id, no),
    ),
    reply(
      'with a changed id, then no',
      false,
      (id) => success(`${id} `, yes),
      (id) => success([id], yes),
      (id) => success(id, no),
    ),
    reply(
      'a request with its id, then no',
      false,
      (id) => request(id, { subtype: 'mcp_status' }),
      (id) => success(id, no),
    ),
    reply(
      'a cancel from the host, then no',
      false,
      (id) => ({ type: 'control_cancel_request', request_id: id }),
      (id) => success(id, no),
    ),
    late(yes),
    ...['broken', '', null, undefined, 7, {}, { toString: 7 }, ['x']].map((error) =>
      reply(`error ${JSON.stringify(error)}`, false, (id) => failure(id, error)),
    ),
    reply('unknown subtype of the answer', false, envelope({ subtype: 'maybe', response: yes })),
    reply('no subtype of the answer', false, envelope({ response: yes })),
    ...wrong.map((body) => reply(`answer ${JSON.stringify(body)}`, false, (id) => success(id, body))),
  ]
}

const SHAPES: unknown[] = ['allow', 7, true, [], { toString: 7 }, { allow: true }]
const QUESTIONS = {
  can_use_tool: {
    isAsked: isQuestion,
    hooks: {},
    replies: replies({ behavior: 'allow' }, { behavior: 'deny', message: 'No.' }, [
      ...SHAPES,
      {},
      null,
      { behavior: 'deny' },
      { behavior: 'allow', updatedInput: [] },
      { behavior: 'allow', updatedPermissions: 'all' },
      JSON.parse('{"__proto__":{"behavior":"allow"}}'),
    ]),
  },
  hook_callback: {
    isAsked: isHookCall,
    hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] },
    replies: replies({ decision: 'approve' }, { decision: 'block', reason: 'No.' }, [
      ...SHAPES.filter((shape) => typeof shape !== 'object' || Array.isArray(shape)),
      { decision: 'yes' },
      { continue: false },
      { hookSpecificOutput: 7 },
      { hookSpecificOutput: { permissionDecision: 'allow' } },
    ]),
  },
}

for (const [subtype, { isAsked, hooks, replies: all }] of Object.entries(QUESTIONS)) {
  test(`C generated: ${subtype} × ${all.length} answers (late, double, error, malformed): the tool runs only after a clear yes`, async () => {
    const called = new Set<string>()
    const model = ({ prompt }: ModelRequest): Turn => {
      const name = prompt.match(/run\d+/g)?.at(-1)
      if (name === undefined || called.has(name)) return 'Done.'
      called.add(name)
      return { tools: [{ name: 'Bash', input: { command: `touch ${name}` } }] }
    }
    await using agent = await startAgent(model, { initialize: { hooks } })
    for (const [n, { name, says, runs, interrupts }] of all.entries()) {
      await agent.send(user(`run${n}`))
      const { request_id: id } = await agent.take(isAsked)
      await says(agent, id)
      const result = await agent.take(isResult)
      assert.deepEqual(
        [name, result.is_error, result.subtype],
        [name, false, interrupts ? 'error_during_execution' : 'success'],
      )
      assert.deepEqual([name, existsSync(join(agent.options.cwd, `run${n}`))], [name, runs])
    }
    await agent.finish()
    assert.equal(agent.lines.filter(isResult).length, all.length)
    assert.equal(agent.lines.filter(isAsked).length, all.length)
  })
}
