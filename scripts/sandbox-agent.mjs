// `npm run interop:sandbox`: the real client of the universal API (sandbox-agent 0.4, from the registry) drives `kedge serve`: agents,
// a session with permissions, modes, models, a question, its own record of events, going on, the end in the middle of a turn.
// It is installed outside the tree, without the server it can bring along. Of 0.1, whose paths are served as well, no client is
// in the registry any more: test/server/universal.test.ts speaks as one.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '0.4.2'
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-sandbox-agent', VERSION)
const entry = join(folder, 'node_modules', 'sandbox-agent', 'dist', 'index.js')
if (!existsSync(entry)) {
  console.log(`installing sandbox-agent ${VERSION} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const flags = ['--save-exact', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, `sandbox-agent@${VERSION}`], { cwd: folder, stdio: 'inherit' })
}

const home = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-sandbox-agent-'))
const cwd = join(home, 'project')
mkdirSync(cwd)
Object.assign(process.env, { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') })
const { SandboxAgent, SandboxAgentError } = await import(entry)
const { createServer } = await import(join(root, 'dist', 'server.js'))
const server = createServer({ port: 0, roots: [cwd], options: { model: 'practice' } })
const { url } = await server.listen()
const client = await SandboxAgent.connect({ baseUrl: `${url}/universal`, token: server.token })
const say = (text) => [{ type: 'text', text }]
const kindsOf = (events) => events.map(({ payload }) => payload.params?.update?.sessionUpdate ?? payload.method)

const steps = {
  'agents, and what they can be set to': async () => {
    const { agents } = await client.listAgents({ config: true })
    assert.deepEqual(
      agents.map(({ id, installed }) => [id, installed]),
      [
        ['claude', true],
        ['mock', true],
      ],
    )
    assert.deepEqual(await client.getAgent('mock', { config: true, noCache: true }), agents[1])
    assert.ok(agents[1].configOptions.some(({ category }) => category === 'mode'))
    assert.deepEqual(await client.installAgent('mock', { reinstall: true }), { already_installed: true, artifacts: [] })
    await assert.rejects(client.getAgent('none'), (error) => /unsupported_agent$/.test(error.problem?.type))
  },
  'a session, a prompt, a permission': async () => {
    const session = await client.createSession({ id: 'shopping', agent: 'mock', sessionInit: { cwd, mcpServers: [] } })
    const events = []
    session.onEvent((event) => events.push(event))
    const stop = client.onPermissionRequest(session.id, ({ id, availableReplies }) => {
      assert.deepEqual(availableReplies, ['once', 'always', 'reject'])
      void client.respondPermission(id, 'once')
    })
    const { stopReason } = await session.prompt(say('create notes.txt with Buy milk'))
    stop()
    assert.equal(stopReason, 'end_turn')
    assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8').trim(), 'Buy milk')
    for (const kind of ['agent_message_chunk', 'tool_call', 'tool_call_update', 'session/request_permission'])
      assert.ok(kindsOf(events).includes(kind), kind)
  },
  'a permission that is refused': async () => {
    const session = await client.getSession('shopping')
    const stop = client.onPermissionRequest(session.id, ({ id }) => void client.respondPermission(id, 'reject'))
    await session.prompt(say('create other.txt with Buy bread'))
    stop()
    assert.equal(existsSync(join(cwd, 'other.txt')), false)
  },
  'modes, models, options': async () => {
    await client.setSessionMode('shopping', 'plan')
    assert.equal((await client.getSessionModes('shopping')).currentModeId, 'plan')
    await client.setSessionMode('shopping', 'default')
    await client.setSessionModel('shopping', 'practice')
    const { response } = await client.setSessionConfigOption('shopping', 'context', '1m')
    assert.equal(response.configOptions.find(({ id }) => id === 'context').currentValue, '1m')
    await assert.rejects(client.setSessionConfigOption('shopping', 'context', 'none'))
  },
  'a question, which comes as a choice': async () => {
    const session = await client.getSession('shopping')
    const stop = client.onPermissionRequest(session.id, ({ id, options }) => {
      const { optionId } = options.find(({ name }) => /coffee/i.test(name))
      void client.rawRespondPermission(id, { outcome: { outcome: 'selected', optionId } })
    })
    let said = ''
    session.onEvent(({ payload }) => {
      const update = payload.params?.update
      if (update?.sessionUpdate === 'agent_message_chunk') said += update.content.text
    })
    await session.prompt(say('ask me: tea or coffee?'))
    stop()
    // The client tells of what it has heard when it has kept it.
    while (!/coffee/i.test(said)) await new Promise((resolve) => setTimeout(resolve, 10))
  },
  'its own record, going on, and the end in the middle of a turn': async () => {
    const { items } = await client.getEvents({ sessionId: 'shopping' })
    assert.ok(items.length > 20)
    const session = await client.resumeSession('shopping')
    assert.equal((await client.listAcpServers()).servers.length, 1)
    const asked = new Promise((resolve) => client.onPermissionRequest(session.id, resolve))
    const prompted = session.prompt(say('create late.txt with Too late'))
    await asked
    assert.ok((await client.destroySession('shopping')).destroyedAt)
    assert.equal((await prompted).stopReason, 'cancelled')
    assert.equal(existsSync(join(cwd, 'late.txt')), false)
  },
  'what is not there is said to be not there': async () => {
    const isMissing = (error) => error instanceof SandboxAgentError && error.status === 404
    await assert.rejects(client.listFsEntries({ path: cwd }), isMissing)
    await assert.rejects(client.getMcpConfig({ directory: cwd, mcpName: 'x' }), isMissing)
    await assert.rejects(client.listProcesses(), isMissing)
    await assert.rejects(client.getDesktopStatus(), isMissing)
  },
  'a wrong token': async () => {
    const wrong = new SandboxAgent({ baseUrl: `${url}/universal`, token: 'wrong', skipHealthCheck: true })
    await assert.rejects(wrong.listAgents(), (error) => error.status === 401)
    await wrong.dispose()
  },
}

let failed = 0
try {
  for (const [name, step] of Object.entries(steps)) {
    const problem = await step().then(
      () => undefined,
      (error) => error,
    )
    console.log(problem ? `✖ ${name}\n${problem.stack}` : `✔ ${name}`)
    if (problem) failed += 1
  }
} finally {
  await client.dispose()
  await server.close()
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = failed > 0 ? 1 : 0
