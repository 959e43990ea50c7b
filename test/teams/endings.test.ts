/** How a team comes to an end when its host goes, when it is turned off, and when others write to its files. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, type Lane, type ModelRequest, type Step, script, startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { counted, heard, mate, type Parts, playTeam, shutdownIds } from './play.js'

const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const create: Step = { tools: [{ name: 'TeamCreate', input: { team_name: 'alpha' } }] }

/** Runs the program as an older host does: one prompt, and the end of input with the first result. */
async function playRaw(parts: Parts, env: Record<string, string>, endAt: (message: SDKMessage) => boolean) {
  const { lead, ...mates } = parts
  const lanes = Object.entries(mates).map(([opening, part]): [string, Lane] => [
    opening,
    { when: { opening: `\n${opening} ` }, turns: counted(part) },
  ])
  await using server = await startModelServer(script(counted(lead), { lanes: Object.fromEntries(lanes) }))
  await using options = testOptions(server, { env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1', ...env } })
  const args = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
  const child = spawn(process.execPath, [cli, ...args, '--allowedTools', 'Bash(sleep:*)'], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const messages: SDKMessage[] = []
  const prompt = { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
  child.stdin.write(`${JSON.stringify(prompt)}\n`)
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as SDKMessage // a line of our own program
    messages.push(message)
    if (endAt(message)) child.stdin.end()
  }
  return { messages, code: await code, requests: server.requests }
}

/** Asks everybody it is told of to shut down, and answers when all have. */
function dutifulLead(names: readonly string[]) {
  const opening: Step[] = [create, { tools: names.map((name) => mate(name)) }, 'They are at work.']
  const gone = new Set<string>()
  return (request: ModelRequest, n: number): Step => {
    const step = opening[n]
    if (step) return step
    if (request.prompt.includes('The user has ended the session')) {
      const shutdown = (recipient: string) => ({ name: 'SendMessage', input: { type: 'shutdown_request', recipient } })
      return { tools: names.map(shutdown) }
    }
    for (const [, name = ''] of request.prompt.matchAll(/"shutdown_approved".*?"from":"(\w+)"/g)) gone.add(name)
    return gone.size === names.length ? 'Everybody is home.' : 'I wait.'
  }
}

const isFirstResult = () => {
  let seen = false
  return ({ type }: SDKMessage) => {
    const first = type === 'result' && !seen
    seen ||= first
    return first
  }
}

test('a host that goes while teammates are at work: one shutdown turn, then they end as asked', async () => {
  const member = (request: ModelRequest, n: number): Step => {
    if (n === 0) return { tools: [{ name: 'Bash', input: { command: 'sleep 0.7' } }] }
    const [id] = shutdownIds(request)
    if (id === undefined) return 'Done so far.'
    return { tools: [{ name: 'SendMessage', input: { type: 'shutdown_response', request_id: id, approve: true } }] }
  }
  const names = ['bob', 'ann']
  const parts: Parts = { lead: dutifulLead(names), bob: member, ann: member }
  const { messages, code, requests } = await playRaw(parts, {}, isFirstResult())
  assert.equal(code, 0)
  const shutdowns = requests.filter(({ prompt }) => prompt.includes('The user has ended the session'))
  assert.equal(shutdowns.length, 1)
  assert.match(shutdowns[0]?.prompt ?? '', /shutdown_request: bob, ann\./)
  const events = heard(messages)
  for (const name of names) assert.ok(events.includes(`task_notification ${name} completed`), name)
  assert.equal(events.filter((event) => event === 'init').length, events.filter((event) => event === 'result').length)
  const last = messages.findLast(({ type }) => type === 'result')
  assert.equal(last?.type === 'result' && last.subtype === 'success' && last.result, 'Everybody is home.')
})

test('who is still at work after the grace is stopped, and reported as that', async () => {
  const parts: Parts = {
    lead: dutifulLead(['bob', 'ann']),
    bob: () => ({ noAnswer: 'hang' }),
    ann: () => 'Done.',
  }
  const { messages, code, requests } = await playRaw(parts, { KEDGE_TEAM_GRACE_MS: '3000' }, isFirstResult())
  assert.equal(code, 1)
  assert.equal(requests.filter(({ prompt }) => prompt.includes('The user has ended the session')).length, 1)
  const events = heard(messages)
  assert.ok(events.includes('task_notification bob stopped'), events.join(', '))
  assert.ok(events.includes('task_notification ann completed'), events.join(', '))
  const notice = messages.find(
    (m) => m.type === 'system' && m.subtype === 'task_notification' && m.status === 'stopped',
  )
  const last = messages.findLast(({ type }) => type === 'result')
  assert.ok(last?.type === 'result' && last.subtype === 'error_during_execution')
  assert.equal(last.terminal_reason, 'background_cancelled')
  assert.match(last.errors.join(), /\(bob: bob works\)/)
  assert.match(JSON.stringify(notice), /was stopped \(the user had ended the session\)/)
})

test('a host that says everything at once and goes: the team works to its natural end, without a shutdown turn', async () => {
  const steps: Step[] = [create, { tools: [mate('bob')] }, 'At work.']
  const parts: Parts = {
    lead: (_, n) => steps[n] ?? 'Noted.',
    bob: (_, n) => [{ tools: [{ name: 'Bash', input: { command: 'sleep 0.3' } }] }][n] ?? 'Done.',
  }
  const { messages, code, requests } = await playRaw(
    parts,
    {},
    ({ type, subtype }: SDKMessage & { subtype?: string }) => type === 'system' && subtype === 'init',
  )
  assert.equal(code, 0)
  assert.ok(!requests.some(({ prompt }) => prompt.includes('The user has ended the session')))
  assert.ok(requests.some(({ prompt }) => prompt.includes('idle_notification')))
  assert.ok(heard(messages).includes('task_notification bob completed'))
})

playTeam(
  'teams that are turned off are not there: no tools, no inputs of Task',
  () => ({ lead: () => 'Hello.' }),
  { agentTeams: false },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    const [request] = server.requests
    assert.ok(request)
    for (const name of ['TeamCreate', 'TeamDelete', 'SendMessage', 'TaskCreate'])
      assert.ok(!request.tools.includes(name))
    const task = request.body.tools?.find(({ name }) => name === 'Task')
    const properties = Object.keys(Object(Object(task?.input_schema).properties))
    for (const name of ['name', 'team_name', 'mode']) assert.ok(!properties.includes(name), name)
  },
)

playTeam(
  'the variable of the original turns teams on, with the to-do list it had',
  () => ({ lead: () => 'Hello.' }),
  { agentTeams: false, env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' } },
  async ({ options, server }) => {
    await collect(query({ prompt: 'Go.', options }))
    const [request] = server.requests
    for (const name of ['TeamCreate', 'TeamDelete', 'SendMessage', 'TodoWrite'])
      assert.ok(request?.tools.includes(name))
    assert.ok(!request?.tools.includes('TaskCreate'))
  },
)

playTeam(
  'what another process writes into a mailbox reaches the lead and a teammate',
  () => ({
    lead: (request, n) =>
      [create, { tools: [mate('bob')] }, 'At work.'][n] ??
      (request.prompt.includes('from outside') ? 'Heard it.' : 'Noted.'),
    bob: (request) => (request.prompt.includes('from outside') ? 'I heard it, too.' : 'Done.'),
  }),
  {},
  async ({ options, server }) => {
    let end = () => {}
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
      await new Promise<void>((resolve) => {
        end = resolve
      })
    }
    const config = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    const put = (name: string) => {
      const path = join(config, 'teams', 'alpha', 'inboxes', `${name}.json`)
      mkdirSync(dirname(path), { recursive: true })
      let entries: unknown[] = []
      try {
        entries = JSON.parse(readFileSync(path, 'utf8'))
      } catch {
        // Nobody has written to it yet.
      }
      const entry = { from: 'cron', text: 'from outside', timestamp: new Date().toISOString(), read: false }
      writeFileSync(path, JSON.stringify([...entries, entry]))
    }
    const heardOf = { lead: false, bob: false }
    let results = 0
    for await (const message of query({ prompt: prompts(), options })) {
      if (message.type !== 'result') continue
      results += 1
      // The first of its own, the second because bob rests.
      if (results === 2) for (const name of ['team-lead', 'bob']) put(name)
      heardOf.lead ||= message.subtype === 'success' && message.result === 'Heard it.'
      heardOf.bob ||= server.requests.some(
        ({ opening, prompt }) => opening.includes('\nbob ') && prompt.includes('outside'),
      )
      if (heardOf.lead && heardOf.bob) end()
    }
    assert.deepEqual(heardOf, { lead: true, bob: true })
    assert.ok(
      server.requests.some(({ prompt }) => prompt.includes('<teammate-message teammate_id="cron">\nfrom outside')),
    )
  },
)
