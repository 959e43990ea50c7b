/** What hosts in other languages rely on, as the official ones for Python do: they speak to the command on its stdio. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe } from 'node:test'
import { getSubagentMessages, listSubagents, query } from 'kedge'
import { collect, script, startModelServer, testOptions } from 'kedge/testing'
import { startAgent } from '../badinput/agent-process.js'
import { sampledTest as it } from '../support/tier.js'

const say = (content: string, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: 'default',
  ...more,
})

describe('hosts in other languages', () => {
  it('write null where they have nothing to say: a hook without a matcher guards all the same', async () => {
    const bash = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }
    const hooks = { PreToolUse: [{ matcher: null, hookCallbackIds: ['hook_0'], timeout: null }] }
    const initialize = { hooks, agents: null, skills: null, toolAliases: null, title: null }
    await using agent = await startAgent([bash, 'Done.'], { initialize })
    await agent.send(say('Go.'))
    const asked = await agent.take(({ request }) => request?.subtype === 'hook_callback')
    const response = { decision: 'block', reason: 'Guarded.' }
    await agent.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: asked.request_id, response },
    })
    await agent.take(({ type }) => type === 'result')
    await agent.finish()
    assert.match(String(agent.server.requests[1]?.toolResults[0]?.text), /Guarded\./)
  })

  it('get back the stamp of a message in the result of its turn', async () => {
    await using agent = await startAgent(['One.', 'Two.'])
    const origin = { kind: 'channel', server: 'chat', note: 7 }
    await agent.send(say('Go.', { origin }))
    assert.deepEqual(Reflect.get(await agent.take(({ type }) => type === 'result'), 'origin'), origin)
    await agent.send(say('Go on.', { origin: 'nobody' }))
    assert.equal(Reflect.get(await agent.take(({ type }) => type === 'result'), 'origin'), undefined)
    await agent.finish()
  })

  it('of newer lines hear that a conversation was cleared', async () => {
    for (const [env, heard] of [
      [{ CLAUDE_AGENT_SDK_VERSION: '0.3.325', KEDGE_NOTICES: undefined }, 1],
      [{ KEDGE_NOTICES: undefined }, 0],
    ] as const) {
      await using agent = await startAgent(['One.'], { env })
      await agent.turn('Go.')
      await agent.turn('/clear')
      await agent.finish()
      assert.equal(agent.lines.filter(({ type }) => type === 'conversation_reset').length, heard)
    }
  })

  it('that start the command for one prompt trust the folder whose settings they name; a person does not', async () => {
    await using server = await startModelServer(() => 'Done.')
    await using options = testOptions(server)
    mkdirSync(join(options.cwd, '.claude'), { recursive: true })
    const ran = join(options.cwd, 'ran')
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch '${ran}'` }] }] }
    writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }))
    const runsHook = async (env: Record<string, string>) => {
      const args = ['-p', 'Hi.', '--output-format', 'stream-json', '--verbose', '--setting-sources', 'project']
      const cli = join(process.cwd(), 'dist', 'cli.js')
      const started = spawn(process.execPath, [cli, ...args], {
        cwd: options.cwd,
        env: { ...options.env, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      assert.match(await text(started.stdout), /"result":"Done\."/)
      return existsSync(ran)
    }
    assert.equal(await runsHook({}), false)
    assert.equal(await runsHook({ CLAUDE_CODE_ENTRYPOINT: 'sdk-py' }), true)
  })

  it('look for [DEBUG] on stderr with --debug-to-stderr', async () => {
    await using agent = await startAgent(['Hi.'], { args: ['--debug-to-stderr'], warns: true })
    await agent.turn('Go.')
    await agent.finish()
    const lines = agent.stderr().trim().split('\n')
    assert.ok(lines.length > 3)
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT[\d:.]+Z \[DEBUG\] \[kedge \d+\.\d{3}\] /)
  })
})

it('messages of a sub-agent’s transcript name the call that started it', async () => {
  const input = { description: 'A job', prompt: 'JOB.', subagent_type: 'general-purpose' }
  const lanes = { JOB: { when: { opening: 'JOB' }, turns: ['Got it.'] } }
  const turns = [{ tools: [{ id: 'toolu_task', name: 'Task', input }] }, 'Done.']
  await using server = await startModelServer(script(turns, { lanes }))
  await using options = testOptions(server)
  const { result } = await collect(query({ prompt: 'Go.', options }))
  const session = result?.session_id ?? ''
  const before = process.env['CLAUDE_CONFIG_DIR']
  process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
  try {
    const [agent = ''] = await listSubagents(session)
    const messages = await getSubagentMessages(session, agent)
    assert.deepEqual(
      messages.map(({ type, parent_tool_use_id }) => [type, parent_tool_use_id]),
      [
        ['user', 'toolu_task'],
        ['assistant', 'toolu_task'],
      ],
    )
  } finally {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
    else process.env['CLAUDE_CONFIG_DIR'] = before
  }
})
