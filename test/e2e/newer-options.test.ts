/** Options of the 0.3 line that change what a session is: its title, skills, plan mode, tools by another name, what is left out. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as kedge from 'kedge'
import { createSdkMcpServer, type Options, query, type SDKUserMessage, tool } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'
import { bothWays } from './both-ways.js'

const textOf = (value: unknown) => JSON.stringify(value)

/** Two skills and a command of the folder. */
function addSkills({ cwd }: { cwd: string }): Pick<Options, 'settingSources'> {
  for (const name of ['alpha', 'beta']) {
    mkdirSync(join(cwd, '.claude', 'skills', name), { recursive: true })
    const about = `---\nname: ${name}\ndescription: About ${name}\n---\nDo ${name}.`
    writeFileSync(join(cwd, '.claude', 'skills', name, 'SKILL.md'), about)
  }
  mkdirSync(join(cwd, '.claude', 'commands'))
  writeFileSync(join(cwd, '.claude', 'commands', 'gamma.md'), '---\ndescription: About gamma\n---\nDo gamma.')
  return { settingSources: ['project'] }
}

const useBeta = { tools: [{ name: 'Skill', input: { skill: 'beta' } }] }

bothWays(
  'skills: the model knows of those that are named and can load no other; the user may start any',
  () => [useBeta, 'Done.', useBeta, 'Done.', useBeta, 'Done.', 'Done.'],
  {},
  async ({ options, server }) => {
    const own = { ...options, ...addSkills(options) }
    for (const skills of [['alpha'], [], 'all'] as const) {
      const from = server.requests.length
      const run = await collect(
        query({ prompt: 'Go.', options: { ...own, skills: skills === 'all' ? skills : [...skills] } }),
      )
      const init = run.messages.find((one) => one.type === 'system' && one.subtype === 'init')
      assert.match(textOf(init), /"skills":\["alpha","beta"\]/)
      const [first, second] = server.requests.slice(from)
      const listed = ['alpha', 'beta', 'gamma'].filter((name) => textOf(first?.body.messages).includes(`About ${name}`))
      assert.deepEqual(listed, skills === 'all' ? ['alpha', 'beta', 'gamma'] : skills)
      const expected =
        skills === 'all' ? /^Launching skill: beta$/ : /^<tool_use_error>Skill beta is not in this session's/
      assert.match(String(second?.toolResults[0]?.text), expected)
    }
    await collect(query({ prompt: '/beta', options: { ...own, skills: ['alpha'] } }))
    assert.match(textOf(server.requests.at(-1)?.body.messages), /Do beta\./)
  },
)

bothWays(
  'skills: one that brings rules along is loaded without a question when it is named',
  () => [useBeta, 'Done.'],
  {},
  async ({ options, server }) => {
    const own = addSkills(options)
    const file = join(options.cwd, '.claude', 'skills', 'beta', 'SKILL.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace('name: beta', 'name: beta\nallowed-tools: Bash(ls:*)'))
    const canUseTool = () => assert.fail('asked')
    await collect(query({ prompt: 'Go.', options: { ...options, ...own, skills: ['beta'], canUseTool } }))
    assert.equal(server.requests[1]?.toolResults[0]?.text, 'Launching skill: beta')
  },
)

const remote = (ran: string[]) =>
  createSdkMcpServer({
    name: 'box',
    tools: [
      tool('bash', 'Runs elsewhere', { command: z.string() }, async ({ command }) => {
        ran.push(command)
        return { content: [{ type: 'text', text: 'ran elsewhere' }] }
      }),
    ],
  })

bothWays(
  'toolAliases: the other tool runs, under its own name for hooks, rules and the host; one step only',
  () => [{ tools: [{ name: 'Bash', input: { command: 'touch made' } }] }, 'Done.'],
  {},
  async ({ options, server }) => {
    const ran: string[] = []
    const names: string[] = []
    const watch = async () => {
      names.push('hook')
      return {}
    }
    const run = await collect(
      query({
        prompt: 'Go.',
        options: {
          ...options,
          mcpServers: { box: remote(ran) },
          toolAliases: { Bash: 'mcp__box__bash', mcp__box__bash: 'Write' },
          disallowedTools: ['Bash'],
          hooks: { PreToolUse: [{ matcher: 'mcp__box__bash', hooks: [watch] }] },
          canUseTool: async (name, updatedInput) => {
            names.push(name)
            return { behavior: 'allow', updatedInput }
          },
        },
      }),
    )
    assert.deepEqual([ran, names], [['touch made'], ['hook', 'mcp__box__bash']])
    // The model is told what it said itself.
    assert.match(textOf(run.messages.find(({ type }) => type === 'assistant')), /"name":"Bash"/)
    assert.match(textOf(server.requests[1]?.body.messages), /"name":"Bash"/)
  },
)

test('toolAliases: a deny rule of the tool that runs holds, and a name that leads nowhere is no tool', async () => {
  const call = { tools: [{ name: 'Look', input: { file_path: '/etc/hostname' } }] }
  const bash = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }
  await using server = await startModelServer([call, 'Done.', bash, 'Done.'])
  await using options = testOptions(server, {
    toolAliases: { Look: 'Read', Bash: 'Gone' },
    disallowedTools: ['Read(//etc/**)'],
  })
  await collect(query({ prompt: 'Go.', options }))
  assert.match(String(server.requests[1]?.toolResults[0]?.text), /denied/)
  await collect(query({ prompt: 'Go.', options }))
  assert.match(String(server.requests[3]?.toolResults[0]?.text), /No such tool available: Bash/)
})

test('toolAliases: a sub-agent gets no tool that it does not have by a second step', async () => {
  const task = { name: 'Task', input: { description: 'd', prompt: 'Look.', subagent_type: 'narrow' } }
  const bash = { tools: [{ name: 'Run', input: { command: 'touch made' } }] }
  await using server = await startModelServer([{ tools: [task] }, bash, 'Done.', 'Done.'])
  const ran: string[] = []
  await using options = testOptions(server, {
    agents: { narrow: { description: 'd', prompt: 'p', tools: ['mcp__box__bash'] } },
    mcpServers: { box: remote(ran) },
    toolAliases: { Run: 'mcp__box__bash', mcp__box__bash: 'Bash' },
    allowedTools: ['Bash', 'mcp__box__bash'],
  })
  await collect(query({ prompt: 'Go.', options }))
  assert.match(String(server.requests[2]?.toolResults[0]?.text), /No such tool available: Run/)
})

bothWays(
  'planModeInstructions: how to make a plan, in plan mode only; what holds there is still said',
  () => ['Hi.', 'Hi.', { tools: [{ name: 'EnterPlanMode', input: {} }] }, 'Hi.'],
  { planModeInstructions: 'Think in verse.' },
  async ({ options, server }) => {
    // Somebody could approve the plan.
    const canUseTool = async () => ({ behavior: 'deny' as const, message: 'No.' })
    await collect(query({ prompt: 'Go.', options: { ...options, canUseTool, permissionMode: 'plan' } }))
    await collect(query({ prompt: 'Go.', options }))
    await collect(query({ prompt: 'Go.', options }))
    const [plan, usual, before, entered] = server.requests.map(({ body }) => textOf(body.messages))
    assert.match(plan ?? '', /change nothing.*Think in verse\..*ExitPlanMode/)
    assert.match(entered ?? '', /Change nothing yet.*Think in verse\..*ExitPlanMode/)
    for (const text of [usual, before]) assert.doesNotMatch(text ?? '', /verse/)
  },
)

bothWays(
  'title: a new session has it, one that is resumed keeps its own, and none is written where nothing was said',
  () => ['Hi.', 'Hi.'],
  {},
  async ({ options }) => {
    const infoOf = async (id: string) => {
      const before = process.env['CLAUDE_CONFIG_DIR']
      process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
      try {
        return await kedge.getSessionInfo(id)
      } finally {
        if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
        else process.env['CLAUDE_CONFIG_DIR'] = before
      }
    }
    const first = await collect(query({ prompt: 'Go.', options: { ...options, title: ' My\n title ' } }))
    const id = first.results[0]?.session_id ?? ''
    const info = await infoOf(id)
    assert.deepEqual([info?.customTitle, info?.firstPrompt], ['My title', 'Go.'])
    await collect(query({ prompt: 'Go on.', options: { ...options, title: 'Other', resume: id } }))
    assert.equal((await infoOf(id))?.customTitle, 'My title')
    const sessionId = '5b0c1c52-6b39-4d0e-9d0f-2f1a1f6f7a10'
    const silent = query({ prompt: null, options: { ...options, title: 'Silent', sessionId } })
    await silent.initializationResult()
    silent.close()
    await silent.closed
    assert.equal(await infoOf(sessionId), undefined)
  },
)

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as const

bothWays(
  'resumeDropsTurn (--resume-drops-turn): one turn may be left out, a message that came meanwhile not unseen',
  () => ['One.', 'Two.', 'Three.', 'Again.'],
  {},
  async ({ options, server }) => {
    const running = query({ prompt: null, options })
    const say = async (n: number): Promise<string> => {
      const content = `Prompt ${n}.`
      const message: SDKUserMessage = {
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: '',
        uuid: uuid(n),
      }
      await running.send(message)
      for (;;) {
        const { value, done } = await running.next()
        assert.ok(!done)
        if (value.type === 'assistant') answers.push(value.uuid)
        if (value.type === 'result') return value.session_id
      }
    }
    const answers: string[] = []
    await say(1)
    await say(2)
    const resume = await say(3)
    running.endInput()
    await collect(running)
    const again = (resumeDropsTurn: string, resumeSessionAt = answers[1]) =>
      collect(
        query({
          prompt: 'Again?',
          options: { ...options, resume, resumeSessionAt, resumeDropsTurn, forkSession: true },
        }),
      )
    const refused = await again(uuid(2), answers[0])
    assert.match(textOf(refused.result), /Resume rejected by --resume-drops-turn: .*a user entry.*000000000003/)
    assert.equal(server.requests.length, 3)
    assert.equal((await again(uuid(3))).result?.is_error, false)
    assert.doesNotMatch(textOf(server.requests[3]?.body.messages), /Prompt 3|Three\./)
    assert.throws(() => query({ prompt: 'x', options: { ...options, resume, resumeDropsTurn: uuid(3) } }), {
      option: 'resumeDropsTurn',
    })
  },
)

test('archiveSession and unarchiveSession: listed as put away, until something is said in it again', async () => {
  await using server = await startModelServer(['Hi.', 'Hi again.'])
  await using options = testOptions(server)
  const before = process.env['CLAUDE_CONFIG_DIR']
  process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
  try {
    const id = (await collect(query({ prompt: 'Go.', options }))).results[0]?.session_id ?? ''
    const archived = async () => (await kedge.listSessions({ dir: options.cwd })).map((info) => info.archived)
    assert.deepEqual(await archived(), [undefined])
    await kedge.archiveSession(id)
    const config = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    const written = readdirSync(config, { recursive: true, encoding: 'utf8' })
    assert.ok(written.some((name) => name.endsWith('archived.json')))
    assert.deepEqual(
      written.filter((name) => (statSync(join(config, name)).mode & 0o077) !== 0),
      [],
      'files that others can read',
    )
    await kedge.renameSession(id, 'Old')
    assert.deepEqual([await archived(), (await kedge.getSessionInfo(id))?.archived], [[true], true])
    await collect(query({ prompt: 'Go on.', options: { ...options, resume: id } }))
    assert.deepEqual(await archived(), [false])
    await kedge.archiveSession(id, { dir: options.cwd })
    assert.deepEqual(await archived(), [true])
    await kedge.unarchiveSession(id)
    assert.deepEqual(await archived(), [false])
    await assert.rejects(kedge.archiveSession('zzz'), { message: 'Invalid sessionId: zzz' })
    await assert.rejects(kedge.archiveSession(uuid(9)), { code: 'session_not_found' })
    const sessionStore = new kedge.InMemorySessionStore()
    await assert.rejects(kedge.archiveSession(id, { sessionStore }), { code: 'invalid_option' })
    await kedge.deleteSession(id)
    assert.deepEqual(await archived(), [])
  } finally {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
    else process.env['CLAUDE_CONFIG_DIR'] = before
  }
})
