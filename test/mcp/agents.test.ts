/** MCP servers and agents: those that a definition names, those that it brings, and those that are slow. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type AgentDefinition, type Options, query, type SDKMessage } from 'kedge'
import { collect, type ModelRequest, type Step, script, startModelServer, testOptions } from 'kedge/testing'
import { oddServer } from '../badinput/mcp-run.js'
import { isolationsOf } from '../support/tier.js'

const program = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))
const st = { command: process.execPath, args: [program] }
/** Notes its process id, so that one can see when it is gone. */
const noted = { command: 'sh', args: ['-c', `echo $$ >> pids; exec "${process.execPath}" "${program}"`] }
const call = (name: string, input: object): Step => ({ tools: [{ name, input: { ...input } }] })
const task = (subagent_type: string, more: object = {}) =>
  call('Task', { description: 'A job', prompt: 'JOB now', subagent_type, ...more })
const echo = call('mcp__own__echo', { text: 'hi' })
const namesIn = (request: ModelRequest | undefined) => (request?.body.tools ?? []).map(({ name }) => name)
const agent = (more: Partial<AgentDefinition>): AgentDefinition => ({ description: 'Works', prompt: 'Work.', ...more })

/** The main thread does as told; whoever is asked for a JOB says the steps of `job`. */
async function play(main: Step[], job: Step[], overrides: Options, prepare = (_cwd: string) => {}) {
  const lanes = { job: { when: { opening: 'JOB' }, turns: job } }
  await using server = await startModelServer(script(main, { lanes }))
  await using options = testOptions(server, { allowedTools: ['mcp__own', 'mcp__slow'], ...overrides })
  prepare(options.cwd)
  const run = await collect(query({ prompt: 'Go.', options }))
  assert.equal(run.error, undefined)
  const ofJob = server.requests.filter((request) => request.opening.includes('JOB'))
  return { ...run, ofJob, ofMain: server.requests.filter((one) => !ofJob.includes(one)), pids: pidsOf(options.cwd) }
}

function pidsOf(cwd: string): number[] {
  try {
    return readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const resultsIn = (request: ModelRequest | undefined) => JSON.stringify(request?.toolResults)
const notices = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) => (m.type === 'system' && m.subtype === 'informational' ? m.content : []))

describe('mcpServers of an agent', () => {
  for (const isolation of isolationsOf('a server it brings is there')) {
    it(`a server it brings is there for it alone, beside its tools, and gone with it (${isolation})`, async () => {
      const agents = { worker: agent({ tools: ['Read'], mcpServers: [{ own: noted }] }) }
      let wasThere: boolean | undefined
      let cwd = ''
      const main: Step[] = [task('worker'), () => whenGone()]
      const whenGone = async () => {
        const [pid = 0] = pidsOf(cwd)
        while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
        wasThere = pid > 0
        return 'Done.'
      }
      const run = await play(main, [echo, 'Got it.'], { isolation, agents }, (folder) => {
        cwd = folder
      })
      assert.deepEqual(run.ofJob.map(namesIn), [
        ['Read', 'mcp__own__echo', 'mcp__own__boom'],
        ['Read', 'mcp__own__echo', 'mcp__own__boom'],
      ])
      assert.match(resultsIn(run.ofJob[1]), /echoed/)
      for (const request of run.ofMain) assert.ok(!namesIn(request).includes('mcp__own__echo'))
      // It ended with the agent, while the session went on.
      assert.equal(wasThere, true)
    })
  }

  it('in the background, and again when the agent is resumed', async () => {
    const agents = { worker: agent({ mcpServers: [{ own: noted }] }) }
    let id = ''
    const again = (request: ModelRequest) => {
      id = /agentId: (\w+)/.exec(JSON.stringify(request.body.messages))?.[1] ?? ''
      return {
        tools: [{ name: 'Task', input: { description: 'd', prompt: 'More', subagent_type: 'worker', resume: id } }],
      }
    }
    const main: Step[] = [task('worker', { run_in_background: true }), 'Launched.', again, 'Done.']
    const run = await play(main, [echo, 'Got it.', echo, 'And again.'], { agents })
    assert.equal(run.ofJob.length, 4)
    assert.match(resultsIn(run.ofJob[3]), /echoed/)
    assert.equal(new Set(run.pids).size, 2)
    assert.deepEqual(run.pids.filter(isThere), [])
  })

  it('a teammate has them as long as it lives; an agent as main thread has them, too', async () => {
    const agents = { worker: agent({ tools: ['Read'], mcpServers: [{ own: noted }] }) }
    const main: Step[] = [call('TeamCreate', { team_name: 'alpha' }), task('worker', { name: 'bob' }), 'Led.', 'Noted.']
    const team = await play(main, [echo, 'Got it.'], { agents, agentTeams: true })
    assert.match(resultsIn(team.ofJob[1]), /echoed/)
    assert.deepEqual([team.pids.length, team.pids.filter(isThere)], [1, []])

    const own = { ...noted, alwaysLoad: true }
    const agents2 = { worker: agent({ tools: ['Read'], mcpServers: [{ own }] }) }
    const alone = await play([echo, 'Done.'], [], { agents: agents2, agent: 'worker' })
    assert.deepEqual(namesIn(alone.ofMain[0]), ['Read', 'mcp__own__echo', 'mcp__own__boom'])
    assert.match(resultsIn(alone.ofMain[1]), /echoed/)
  })

  it('names change nothing, as in the original; what is wrong is said, to the agent and to the host', async () => {
    const broken = { command: '/nonexistent/bin' }
    const agents = { worker: agent({ mcpServers: ['st', 'nobody', { broken }] }) }
    const run = await play([task('worker'), 'Done.'], ['Got it.'], { agents, mcpServers: { st } })
    assert.ok(namesIn(run.ofJob[0]).includes('mcp__st__echo'), 'it waited for the server it names')
    const told = JSON.stringify(run.ofJob[0]?.body.messages)
    for (const text of [told, notices(run.messages).join()]) {
      assert.match(text, /nobody: the session has no MCP server of this name.*broken: .*ENOENT/)
    }
  })

  it('rules of the session hold for them; with strictMcpConfig no file brings any', async () => {
    const agents = { worker: agent({ mcpServers: [{ own: st }] }) }
    const denied = await play([task('worker'), 'Done.'], ['Got it.'], { agents, disallowedTools: ['mcp__own__boom'] })
    assert.deepEqual(
      namesIn(denied.ofJob[0]).filter((name) => name.startsWith('mcp__')),
      ['mcp__own__echo'],
    )
    const file = `---\nname: worker\ndescription: Works\nmcpServers:\n  - own:\n      command: ${JSON.stringify(process.execPath)}\n      args: [${JSON.stringify(program)}]\n---\nWork.\n`
    const prepare = (cwd: string) => {
      mkdirSync(join(cwd, '.claude', 'agents'), { recursive: true })
      writeFileSync(join(cwd, '.claude', 'agents', 'worker.md'), file)
    }
    const ofFile = async (strictMcpConfig: boolean) => {
      const options: Options = { settingSources: ['project'], strictMcpConfig }
      const { ofJob } = await play([task('worker'), 'Done.'], ['Got it.'], options, prepare)
      return namesIn(ofJob[0]).includes('mcp__own__echo')
    }
    assert.deepEqual([await ofFile(false), await ofFile(true)], [true, false])
  })

  it('a server that is still starting delays no agent that does not name it; its tools come when they are there', async () => {
    const slow = { command: process.execPath, args: [oddServer, 'slow'] }
    const ask = call('mcp__slow__ask', {})
    const agents = { namer: agent({ tools: ['mcp__slow__ask'] }) }
    const begun = { mcpServers: { slow }, mcpWait: false }
    const free = await play([task('general-purpose'), 'Done.'], [ask, 'Got it.'], begun)
    assert.ok(!namesIn(free.ofJob[0]).includes('mcp__slow__ask'))
    assert.match(JSON.stringify(free.ofJob[0]?.body.messages), /still starting: slow/)
    assert.equal(namesIn(free.ofJob[1]).at(-1), 'mcp__slow__ask')
    assert.match(resultsIn(free.ofJob[1]), /done/)
    const named = await play([task('namer'), 'Done.'], [ask, 'Got it.'], { agents, ...begun })
    assert.deepEqual(namesIn(named.ofJob[0]), ['mcp__slow__ask'])
  })
})
