/** Sub-agents, as a host sees them: waited for, side by side, in the background, narrowed, limited, and never lost. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getSubagentMessages, listSubagents, type Options, query, type SDKMessage } from 'kedge'
import { collect, type Lane, type Step, script, startModelServer, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { kinds, type World, withoutTaskNews } from './both-ways.js'

type Lanes = Record<string, Step[]>

/** A lane per agent: its name is what its prompt begins with. */
function withAgents(
  name: string,
  main: () => Step[],
  lanes: () => Lanes,
  overrides: Options,
  body: (world: World & { t: TestContext }) => Promise<void>,
): void {
  for (const isolation of isolationsOf(name)) {
    test(`${name} (${isolation})`, async (t) => {
      const entries = Object.entries(lanes()).map(
        ([opening, turns]) => [opening, { when: { opening }, turns }] as const,
      )
      await using server = await startModelServer(script(main(), { lanes: Object.fromEntries<Lane>(entries) }))
      await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', isolation, ...overrides })
      await body({ server, options, isolation, t })
    })
  }
}

const task = (id: string, prompt: string, more: object = {}): Step => ({
  tools: [{ id, name: 'Task', input: { description: 'A job', prompt, subagent_type: 'general-purpose', ...more } }],
})
const bash = (id: string, command: string): Step => ({ tools: [{ id, name: 'Bash', input: { command } }] })

const text = (message: SDKMessage): string => JSON.stringify(message)
/** Results of a tool call, as the model reads them. */
const resultOf = (messages: readonly SDKMessage[], id: string): string => {
  const found = messages.find((m) => m.type === 'user' && text(m).includes(`"tool_use_id":"${id}"`))
  return found ? text(found) : ''
}
const agentIdOf = (messages: readonly SDKMessage[]): string => {
  const id = /"agentId":"(a[0-9a-f]{16})"/.exec(messages.map(text).join('\n'))?.[1]
  assert.ok(id)
  return id
}

withAgents(
  'a sub-agent that is waited for: its calls and results carry the id of its call, its words come as the result',
  () => [task('toolu_t1', 'JOB look'), 'Main done.'],
  () => ({
    JOB: [{ text: 'I look.', tools: [{ id: 'toolu_s1', name: 'Bash', input: { command: 'echo in' } }] }, 'Found it.'],
  }),
  {},
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(kinds(run.messages), [
      ...[
        'system/init',
        'assistant',
        'user',
        'assistant',
        'user',
        'user',
        'assistant',
        'system/task_started',
        'result',
      ],
    ])
    const parents = run.messages.flatMap((m) => ('parent_tool_use_id' in m ? [m.parent_tool_use_id] : []))
    assert.deepEqual(parents, [null, 'toolu_t1', 'toolu_t1', 'toolu_t1', null, null])
    const inner = run.messages[4]
    assert.ok(inner?.type === 'user' && !('tool_use_result' in inner))
    const outer = run.messages[5]
    assert.ok(outer?.type === 'user')
    const { agentId, totalDurationMs, ...rest } = outer.tool_use_result as Record<string, unknown>
    assert.match(String(agentId), /^a[0-9a-f]{16}$/)
    assert.ok(Number(totalDurationMs) >= 0)
    assert.deepEqual(
      [rest.status, rest.content, rest.totalToolUseCount, rest.totalTokens, rest.prompt],
      [...['completed', [{ type: 'text', text: 'Found it.' }], 1, 15, 'JOB look']],
    )
    // The turn counts what its own requests used; the totals count the agent's, too.
    const [result] = run.results
    assert.deepEqual(
      [result?.usage.input_tokens, result?.modelUsage['claude-sonnet-4-5-20250929']?.inputTokens],
      [20, 40],
    )
    const agent = server.requests[1]?.body
    assert.deepEqual(
      agent?.tools?.map(({ name }) => name),
      ['Bash', 'Glob', 'Grep', 'Read', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'TodoWrite', 'WebSearch', 'Skill'],
    )
    assert.deepEqual([agent?.thinking, agent?.temperature], [undefined, undefined])
    assert.match(JSON.stringify(agent?.system), /another agent has handed a task to/)
  },
)

withAgents(
  'agents of one message work at the same time',
  () => [
    {
      tools: ['A', 'B'].map((name) => ({
        id: `toolu_${name}`,
        name: 'Task',
        input: { description: name, prompt: `JOB-${name}`, subagent_type: 'Explore' },
      })),
    },
    'Both.',
  ],
  () => {
    let arrived = 0
    let open = () => {}
    const both = new Promise<void>((resolve) => {
      open = resolve
    })
    const meet = (answer: string) => async () => {
      arrived += 1
      if (arrived === 2) open()
      await both
      return answer
    }
    return { 'JOB-A': [meet('A is back.')], 'JOB-B': [meet('B is back.')] }
  },
  {},
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.results[0]?.subtype, 'success')
    assert.match(resultOf(run.messages, 'toolu_A'), /A is back/)
    assert.match(resultOf(run.messages, 'toolu_B'), /B is back/)
  },
)

withAgents(
  'agents of the host: their prompt, tools and model count; unknown types are named',
  () => [
    task('toolu_1', 'REV it', { subagent_type: 'reviewer' }),
    task('toolu_2', 'x', { subagent_type: 'ghost' }),
    'End.',
  ],
  () => ({ REV: ['Reviewed.'] }),
  {
    agents: {
      reviewer: { description: 'Reviews', prompt: 'You are our reviewer.', tools: ['Read', 'Grep'], model: 'haiku' },
    },
  },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const body = server.requests[1]?.body
    assert.match(String(body?.model), /haiku/)
    assert.deepEqual(
      body?.tools?.map(({ name }) => name),
      ['Grep', 'Read'],
    )
    assert.match(JSON.stringify(body?.system), /You are our reviewer\./)
    assert.match(
      resultOf(run.messages, 'toolu_2'),
      /Agent type 'ghost' not found\. Available agents: Bash, general-purpose, statusline-setup, Explore, Plan, claude-code-guide, reviewer/,
    )
  },
)

withAgents(
  'an agent in the background: the turn has its result, the end starts a turn, and the answer is in the notice and the file',
  () => [task('toolu_1', 'BG go', { run_in_background: true }), 'Launched.', 'Saw it.'],
  () => ({ BG: [bash('toolu_s', 'sleep 0.3; echo bgwork'), 'BG finished.'] }),
  {},
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const messages = withoutTaskNews(run.messages)
    assert.deepEqual(kinds(messages), [
      ...['system/init', 'assistant', 'user', 'assistant', 'system/task_started', 'result'],
      ...['system/task_notification', 'system/init', 'assistant', 'result'],
    ])
    assert.deepEqual(
      run.results.map(({ pending_tasks }) => pending_tasks?.map(({ task_type }) => task_type)),
      [['local_agent'], undefined],
    )
    const launched = messages[2]
    assert.ok(launched?.type === 'user')
    const output = launched.tool_use_result as { status: string; isAsync: boolean; outputFile: string }
    assert.deepEqual([output.status, output.isAsync], ['async_launched', true])
    assert.equal(readFileSync(output.outputFile, 'utf8'), 'BG finished.\n')
    const notice = messages[6]
    assert.ok(notice?.type === 'system' && notice.subtype === 'task_notification')
    assert.deepEqual(
      [notice.status, notice.summary, notice.usage?.tool_uses],
      ['completed', 'Agent "A job" completed', 1],
    )
    assert.match(JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)), /<result>BG finished\.<\/result>/)
  },
)

withAgents(
  'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: every agent is waited for, also one that is meant for the background',
  () => [task('toolu_1', 'BG go', { subagent_type: 'slow' }), 'Told.'],
  () => ({ BG: ['Answered.'] }),
  { agents: { slow: { description: 'Takes its time', prompt: 'Be slow.', background: true } } },
  async ({ options, server }) => {
    const env = { ...options.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, env } }))
    assert.match(resultOf(run.messages, 'toolu_1'), /"status":"completed".*Answered\./)
    const offered = JSON.stringify(server.requests[0]?.body['tools'])
    assert.doesNotMatch(offered, /"run_in_background"/)
  },
)

withAgents(
  'backgroundTasks() moves an agent that is waited for to the background, and nothing is lost',
  () => [task('toolu_1', 'MOVE go'), 'Moved.', 'Heard.'],
  () => ({ MOVE: [bash('toolu_s', 'sleep 1; echo done'), 'Moved and finished.'] }),
  {},
  async ({ options, server }) => {
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    for await (const message of running) {
      messages.push(message)
      if (message.type === 'assistant' && text(message).includes('toolu_s')) await running.backgroundTasks()
    }
    assert.match(resultOf(messages, 'toolu_1'), /async_launched/)
    assert.deepEqual(
      messages.flatMap((m) => (m.type === 'result' ? [m.subtype === 'success' && m.result] : [])),
      ['Moved.', 'Heard.'],
    )
    assert.equal(messages.filter((m) => m.type === 'system' && m.subtype === 'task_started').length, 1)
    assert.match(JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)), /Moved and finished/)
  },
)

for (const persistSession of [true, false]) {
  withAgents(
    `resume: an agent goes on with what it knew (persistSession: ${persistSession})`,
    () => [
      task('toolu_1', 'FIRST go'),
      (request) =>
        task('toolu_2', 'And then?', {
          resume: /agentId: (a[0-9a-f]{16})/.exec(JSON.stringify(request.body))?.[1],
        }) as never,
      task('toolu_3', 'x', { resume: 'a0000000000000000' }),
      'End.',
    ],
    () => ({ FIRST: ['One.', { text: 'Two.', expect: { prompt: 'And then?' } }] }),
    { persistSession },
    async ({ options, server }) => {
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.equal(run.error, undefined)
      assert.match(resultOf(run.messages, 'toolu_2'), /Two\./)
      assert.match(resultOf(run.messages, 'toolu_3'), /No agent found with ID: a0000000000000000/)
      assert.deepEqual(
        server.requests[3]?.body.messages.map(({ role }) => role),
        ['user', 'assistant', 'user'],
      )
    },
  )
}

withAgents(
  'what an agent did is on disk beneath the session, can be read back, and it can be resumed in a resumed session',
  () => [
    task('toolu_1', 'DISK go'),
    'End.',
    (request) =>
      task('toolu_2', 'More.', { resume: /agentId: (a[0-9a-f]{16})/.exec(JSON.stringify(request.body))?.[1] }) as never,
    'Again.',
  ],
  () => ({ DISK: ['Written.', 'More of it.'] }),
  {},
  async ({ options, t }) => {
    const first = await collect(query({ prompt: 'Go.', options }))
    const { session_id } = first.results[0] ?? assert.fail()
    const id = agentIdOf(first.messages)
    const { CLAUDE_CONFIG_DIR: before } = process.env
    process.env.CLAUDE_CONFIG_DIR = options.env.CLAUDE_CONFIG_DIR
    t.after(() => {
      if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR
      else process.env.CLAUDE_CONFIG_DIR = before
    })
    assert.deepEqual(await listSubagents(session_id), [id])
    const messages = await getSubagentMessages(session_id, id)
    assert.deepEqual(
      messages.map(({ type }) => type),
      ['user', 'assistant'],
    )
    const second = await collect(query({ prompt: 'Go on.', options: { ...options, resume: session_id } }))
    assert.match(resultOf(second.messages, 'toolu_2'), /More of it/)
    assert.equal((await getSubagentMessages(session_id, id)).length, 4)
  },
)

withAgents(
  'agent-<id>.meta.json: what a sub-agent is, written beside its transcript once, names its type in a resumed session',
  () => [
    task('toolu_1', 'META go', { subagent_type: 'scout' }),
    'End.',
    (request) =>
      task('toolu_2', 'More.', { resume: /agentId: (a[0-9a-f]{16})/.exec(JSON.stringify(request.body))?.[1] }) as never,
    'Again.',
  ],
  () => ({ META: ['Seen.', { text: 'Seen more.', expect: { prompt: 'More.' } }] }),
  { agents: { scout: { description: 'd', prompt: 'You are a scout.' } } },
  async ({ options, server }) => {
    const first = await collect(query({ prompt: 'Go.', options }))
    const { session_id } = first.results[0] ?? assert.fail()
    const [path = '', ...others] = metaFiles(options)
    assert.deepEqual(others, [])
    assert.ok(path.endsWith(join(session_id, 'subagents', `agent-${agentIdOf(first.messages)}.meta.json`)))
    const written = readFileSync(path, 'utf8')
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(written), {
      agentType: 'scout',
      description: 'A job',
      toolUseId: 'toolu_1',
      spawnDepth: 1,
    })
    const second = await collect(query({ prompt: 'Go on.', options: { ...options, resume: session_id } }))
    assert.match(resultOf(second.messages, 'toolu_2'), /Seen more/)
    const systems = server.requests.map(({ body }) => JSON.stringify(body).includes('You are a scout.'))
    assert.deepEqual(systems, [false, true, false, false, true, false])
    assert.equal(readFileSync(path, 'utf8'), written)
  },
)

withAgents(
  'agent-<id>.meta.json is not written in a session that is not saved',
  () => [task('toolu_1', 'META go'), 'End.'],
  () => ({ META: ['Seen.'] }),
  { persistSession: false },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.match(resultOf(run.messages, 'toolu_1'), /Seen/)
    assert.deepEqual(metaFiles(options), [])
  },
)

withAgents(
  'permissions: the question says whose it is, a no is listed, and deny rules and modes of the agent only narrow',
  () => [
    task('toolu_1', 'ASK', { subagent_type: 'open' }),
    task('toolu_2', 'DENY', { subagent_type: 'closed' }),
    task('toolu_3', 'QUIET', { subagent_type: 'quiet' }),
    'End.',
  ],
  () => ({
    ASK: [bash('toolu_a', 'touch asked'), 'a'],
    DENY: [bash('toolu_b', 'rm -f asked'), 'b'],
    QUIET: [bash('toolu_c', 'touch quiet'), 'c'],
  }),
  {
    agents: {
      open: { description: 'd', prompt: 'p', permissionMode: 'bypassPermissions' },
      closed: { description: 'd', prompt: 'p', disallowedTools: ['Bash(rm:*)', 'Write'] },
      quiet: { description: 'd', prompt: 'p', permissionMode: 'dontAsk' },
    },
  },
  async ({ options, server }) => {
    const asked: [string, string | undefined][] = []
    const canUseTool: Options['canUseTool'] = async (_, input, { agentID, toolUseID }) => {
      asked.push([toolUseID, agentID])
      return { behavior: 'allow', updatedInput: input }
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
    // Bypass of an agent means nothing where the session asks; only the first call is asked about.
    assert.deepEqual(
      asked.map(([id]) => id),
      ['toolu_a'],
    )
    assert.equal(asked[0]?.[1], agentIdOf(run.messages))
    assert.ok(existsSync(join(options.cwd, 'asked')) && !existsSync(join(options.cwd, 'quiet')))
    assert.deepEqual(
      run.results[0]?.permission_denials.map(({ tool_use_id }) => tool_use_id),
      ['toolu_b', 'toolu_c'],
    )
    const closed = server.requests.find(({ body }) => JSON.stringify(body.messages[0]).includes('DENY'))
    assert.equal(
      closed?.body.tools?.some(({ name }) => name === 'Write'),
      false,
    )
  },
)

withAgents(
  'limits: turns, budget and a failing API end an agent with an honest result, and the parent goes on',
  () => [task('toolu_1', 'TURNS', { max_turns: 1 }), task('toolu_2', 'FAIL'), 'End.'],
  () => ({ TURNS: [bash('toolu_a', 'echo 1')], FAIL: [{ status: 400, error: { message: 'no' } }] }),
  {},
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.match(resultOf(run.messages, 'toolu_1'), /did not finish: it reached its limit of turns.*"is_error":true/)
    assert.match(resultOf(run.messages, 'toolu_2'), /did not finish: API Error: 400/)
    assert.deepEqual(
      run.results.map((result) => result.subtype === 'success' && result.result),
      ['End.'],
    )
  },
)

withAgents(
  'maxBudgetUsd counts what agents spend',
  () => [task('toolu_1', 'SPEND')],
  () => ({
    SPEND: [
      {
        tools: [{ id: 'toolu_a', name: 'Bash', input: { command: 'touch never' } }],
        usage: { output_tokens: 1_000_000 },
      },
    ],
  }),
  { maxBudgetUsd: 1 },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.results[0]?.subtype, 'error_max_budget_usd')
    assert.ok(!existsSync(join(options.cwd, 'never')))
  },
)

withAgents(
  'forwardSubagentText: what agents say is passed on, with their stream, also from the background',
  () => [task('toolu_1', 'SAY'), task('toolu_2', 'HUM', { run_in_background: true }), 'End.', 'Heard.'],
  () => ({ SAY: ['Said.'], HUM: ['Hummed.'] }),
  { forwardSubagentText: true, includePartialMessages: true },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const said = (id: string, type: SDKMessage['type']) =>
      run.messages.some((m) => m.type === type && 'parent_tool_use_id' in m && m.parent_tool_use_id === id)
    for (const id of ['toolu_1', 'toolu_2']) {
      assert.ok(said(id, 'assistant') && said(id, 'stream_event'), id)
    }
  },
)

withAgents(
  'hooks: SubagentStart adds to the prompt, SubagentStop sends it on, its calls carry agent_id and agent_type',
  () => [task('toolu_1', 'HOOKED'), 'End.'],
  () => ({ HOOKED: [bash('toolu_a', 'echo 1'), 'Half.', { text: 'Whole.', expect: { prompt: 'MORE' } }] }),
  {},
  async ({ options, server }) => {
    const heard: string[] = []
    const hook = (name: string, answer: () => object = () => ({})) => [
      {
        hooks: [
          async (input: object) => {
            const { agent_type, agent_id } = input as { agent_type?: string; agent_id?: string }
            heard.push(`${name} ${agent_type ?? '-'} ${agent_id ? 'id' : '-'}`)
            return answer()
          },
        ],
      },
    ]
    let stops = 0
    const hooks: Options['hooks'] = {
      SubagentStart: hook('start', () => ({
        hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'MIND-THIS' },
      })),
      PreToolUse: hook('pre'),
      SubagentStop: hook('stop', () => {
        stops += 1
        return stops === 1 ? { decision: 'block', reason: 'MORE' } : {}
      }),
      Stop: hook('main stop'),
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.match(resultOf(run.messages, 'toolu_1'), /Whole\./)
    assert.deepEqual(heard, [
      ...['pre - -', 'start general-purpose id', 'pre general-purpose id'],
      ...['stop general-purpose id', 'stop general-purpose id', 'main stop - -'],
    ])
    assert.match(JSON.stringify(server.requests[1]?.body.messages[0]), /MIND-THIS/)
  },
)

withAgents(
  'agents of agents only where a definition names Task, and not without end',
  () => [task('toolu_1', 'L1', { subagent_type: 'boss' }), 'End.'],
  () => ({
    L1: [task('toolu_2', 'L2', { subagent_type: 'boss' }), 'l1'],
    L2: [task('toolu_3', 'L3', { subagent_type: 'boss' }), 'l2'],
    L3: [task('toolu_4', 'L4', { subagent_type: 'boss' }), { text: 'l3', expect: { toolResult: 'nested deeper' } }],
  }),
  { agents: { boss: { description: 'd', prompt: 'p', tools: ['Task'] } } },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    const parents = run.messages.flatMap((m) =>
      m.type === 'user' && m.parent_tool_use_id ? [m.parent_tool_use_id] : [],
    )
    assert.deepEqual(new Set(parents), new Set(['toolu_1', 'toolu_2', 'toolu_3']))
  },
)

withAgents(
  'an interrupt ends the agent that is waited for; one in the background goes on',
  () => [task('toolu_1', 'BACK', { run_in_background: true }), task('toolu_2', 'WAITED'), 'Told.'],
  () => ({ BACK: [bash('toolu_b', 'sleep 1; echo b'), 'Back is done.'], WAITED: [bash('toolu_w', 'sleep 30')] }),
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    for await (const message of running) {
      messages.push(message)
      if (message.type === 'assistant' && text(message).includes('toolu_w')) await running.interrupt()
    }
    assert.deepEqual(
      messages.flatMap((m) => (m.type === 'result' ? [m.subtype] : [])),
      ['error_during_execution', 'success'],
    )
    const notice = messages.find((m) => m.type === 'system' && m.subtype === 'task_notification')
    assert.ok(notice && text(notice).includes('completed'))
  },
)

withAgents(
  'TaskStop ends an agent for good; TaskOutput shows what it said',
  () => [
    task('toolu_1', 'LONG', { run_in_background: true }),
    (request) => ({
      tools: [
        { id: 'toolu_2', name: 'TaskOutput', input: { task_id: idIn(request.body), block: false, timeout: 1000 } },
      ],
    }),
    (request) => ({ tools: [{ id: 'toolu_3', name: 'TaskStop', input: { task_id: idIn(request.body) } }] }),
    'End.',
  ],
  () => ({ LONG: [{ text: 'Under way.', tools: [{ id: 'toolu_l', name: 'Bash', input: { command: 'sleep 30' } }] }] }),
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.match(resultOf(run.messages, 'toolu_3'), /local_agent/)
    assert.equal(run.results.length, 1)
    const folder = join(options.env?.CLAUDE_CONFIG_DIR ?? '', 'projects')
    assert.ok(readdirSync(folder).length > 0)
  },
)

function idIn(body: object): string {
  return /agentId: (a[0-9a-f]{16})/.exec(JSON.stringify(body))?.[1] ?? 'none'
}

function metaFiles({ env }: Options): string[] {
  const folder = join(env?.CLAUDE_CONFIG_DIR ?? '', 'projects')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return names.filter((name) => name.endsWith('.meta.json')).map((name) => join(folder, name))
}
