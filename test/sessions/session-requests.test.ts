/** Control requests of newer hosts about a session that runs, as they cross the wire: each does what it says. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerTo, isQuestion, isResult, request, startAgent, success, user } from '../badinput/agent-process.js'

test('what a session is and has, by control requests: cost, usage, models, version, rules, hooks, settings, files', async () => {
  const permissions = { deny: ['WebFetch'], allow: ['Bash(ls:*)'] }
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true', timeout: 3 }] }] }
  await using agent = await startAgent(['One.'], {
    args: ['--setting-sources', 'user,project', '--disallowedTools', 'WebSearch'],
    prepare({ cwd, env }) {
      mkdirSync(join(cwd, 'src'), { recursive: true })
      writeFileSync(join(cwd, 'src', 'alpha.ts'), 'x')
      const config = env.CLAUDE_CONFIG_DIR ?? assert.fail('no folder for settings')
      mkdirSync(config, { recursive: true })
      writeFileSync(join(config, 'settings.json'), JSON.stringify({ permissions, hooks }))
    },
  })
  const ask = async (subtype: string, more: object = {}) => {
    const { subtype: outcome, response = {}, error } = await agent.ask({ subtype, ...more })
    assert.equal(outcome, 'success', `${subtype}: ${error}`)
    return response
  }
  await agent.turn('Hi.')
  assert.match(String((await ask('get_session_cost'))['text']), /^Total: \$/)
  const { session, rate_limits: limits } = await ask('get_usage', { skip_behaviors: true })
  assert.ok((session as { total_cost_usd: number }).total_cost_usd > 0) // its shape is in the schema
  assert.equal(limits, null)
  assert.ok(((await ask('list_models'))['models'] as unknown[]).length > 0) // a list, by its schema
  assert.match(String((await ask('get_binary_version'))['version']), /^\d+\.\d+\.\d+/)
  const { state } = await ask('list_permission_rules')
  const { rules } = state as { rules: { rule: string; behavior: string; source: string; editability: string }[] } // as the schema says
  assert.deepEqual(
    rules.map(({ rule, behavior, source, editability }) => [rule, behavior, source, editability]),
    [
      ['WebSearch', 'deny', 'cliArg', 'readonly'],
      ['WebFetch', 'deny', 'userSettings', 'persistent'],
      ['Bash(ls:*)', 'allow', 'userSettings', 'persistent'],
    ],
  )
  const listed = await ask('get_hooks_listing')
  assert.deepEqual(
    (listed['events'] as { name: string; hookCount: number }[]).map(({ name, hookCount }) => [name, hookCount]), // as the schema says
    [['Stop', 1]],
  )
  const { effective } = await ask('get_settings')
  assert.deepEqual((effective as { permissions: unknown }).permissions, permissions) // as it was written
  assert.deepEqual(await ask('file_suggestions', { query: 'alp' }), { suggestions: ['src/alpha.ts'] })
  assert.deepEqual(await ask('set_has_subscribers', { has_subscribers: false }), {})
  await ask('rename_session', { title: 'A new title' })
  const colored = await agent.ask({ subtype: 'set_color', color: 'red' })
  assert.equal(colored.error, 'Unsupported control request subtype: set_color')
  await agent.finish()
})

test('register_repo_root adds a folder inside the working directory once; not one outside, nor by a link', async () => {
  await using agent = await startAgent([], {
    prepare({ cwd }) {
      mkdirSync(join(cwd, 'sub'), { recursive: true })
      symlinkSync('/usr', join(cwd, 'link'))
    },
  })
  const add = (directory: string) => agent.ask({ subtype: 'register_repo_root', directory })
  assert.equal((await add('sub')).subtype, 'success')
  assert.match(String((await add('sub')).error), /is a working directory already/)
  assert.match(String((await add('link')).error), /is not inside the working directory/)
  const { response } = await agent.ask({ subtype: 'list_permission_rules' })
  const { workspaceDirectories: folders } = (response?.['state'] ?? {}) as {
    workspaceDirectories: { source: string }[]
  } // as the schema says
  assert.deepEqual(
    folders.map(({ source }) => source),
    ['cwd', 'session'],
  )
  await agent.finish()
})

test('cancel_async_message takes back a message that waits; interrupt says which still wait', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'read line < gate' } }] }
  await using agent = await startAgent([call], { args: ['--allowedTools', 'Bash'] })
  const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  // A pipe without a writer: the command waits until it is interrupted.
  execFileSync('mkfifo', [join(agent.options.cwd, 'gate')])
  await agent.send(user('Wait.'))
  await agent.take(({ type }) => type === 'assistant')
  await agent.send({ ...user('/first'), uuid: first }, { ...user('/second'), uuid: second })
  assert.deepEqual(
    Object.values((await agent.ask({ subtype: 'cancel_async_message', message_uuid: first })).response ?? {}),
    [true],
  )
  assert.deepEqual(
    Object.values((await agent.ask({ subtype: 'cancel_async_message', message_uuid: first })).response ?? {}),
    [false],
  )
  assert.deepEqual((await agent.ask({ subtype: 'interrupt' })).response, { still_queued: [second] })
  await agent.take(isResult)
  assert.equal(Reflect.get(await agent.take(isResult), 'user_message_uuid'), second)
  await agent.finish()
})

test('get_task_output gives the end of what a background command wrote', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'seq 1 5000; read x < gate', run_in_background: true } }] }
  await using agent = await startAgent([call, 'Started.'], { args: ['--allowedTools', 'Bash'] })
  execFileSync('mkfifo', [join(agent.options.cwd, 'gate')])
  await agent.send(user('Go.'))
  const started = await agent.take(({ subtype }) => subtype === 'task_started')
  const id: unknown = Reflect.get(started, 'task_id')
  for (;;) {
    const { response } = await agent.ask({ subtype: 'get_task_output', task_id: id })
    const {
      output,
      total_bytes: size,
      truncated,
    } = response as { output: string; total_bytes: number; truncated: boolean } // as the schema says
    if (size < 23_893) continue
    assert.deepEqual([output.endsWith('4999\n5000\n'), output.length, truncated], [true, 8192, true])
    break
  }
  await agent.take(isResult)
  await agent.ask({ subtype: 'stop_task', task_id: id })
  await agent.finish()
})

test('mcp_call calls a tool of a server in place of the model; a deny rule holds, and what is not there is named', async () => {
  const server = join(process.cwd(), 'test/interop/mcp-stdio.mjs')
  const mcpServers = { st: { command: process.execPath, args: [server] } }
  await using agent = await startAgent(['One.'], {
    args: ['--mcp-config', JSON.stringify({ mcpServers }), '--disallowedTools', 'mcp__st__boom'],
  })
  await agent.turn('Hi.')
  const call = (tool: string, more: object = {}) => agent.ask({ subtype: 'mcp_call', tool, ...more })
  const { response } = await call('mcp__st__echo', { arguments: { text: 'hello' } })
  assert.match(JSON.stringify(response?.['content']), /hello/)
  assert.match(String((await call('mcp__st__boom')).error), /denied|permission/i)
  assert.match(String((await call('mcp__st__none')).error), /has no tool/)
  assert.match(String((await call('mcp__other__none')).error), /No MCP server has the tool/)
  await agent.send(request('judged', { subtype: 'mcp_call', tool: 'mcp__st__echo', check_permissions: true }))
  const { request_id: id, request: asked } = await agent.take(isQuestion)
  assert.equal(asked?.tool_name, 'mcp__st__echo')
  await agent.send(success(id, { behavior: 'deny', message: 'No.' }))
  assert.match(String((await agent.take(answerTo('judged'))).response?.error), /No\./)
  await agent.finish()
})
