/**
 * C30: the wire format is undocumented and has no version, and the types lie.
 * https://github.com/anthropics/claude-code/issues/24594 · https://github.com/anthropics/claude-code/issues/24596
 * https://github.com/anthropics/claude-code/issues/24612 · https://github.com/hesreallyhim/awesome-claude-code/issues/1046
 * https://github.com/pydantic/pydantic-ai/issues/7276 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/206
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/363
 *
 * T: published JSON Schemas that agree with the types (`test/contract/schema.test.ts`) and with every line that is sent; types that
 * compile strictly, libraries checked, with an `SDKMessage` that is no `any` (`test/contract/types.test.ts`); unknown kinds of messages
 * pass through; a version. (The protocol is that of the release which `claude_code_version` names: DECISIONS makes that the contract,
 * so there is no second number beside it.)
 */
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKMessage } from 'kedge'
import { collect, script } from 'kedge/testing'
import { describeSchemaProblem, type ValueSchema, validate } from '../../src/protocol/validate.js'
import { bash, call, play, root, withModel } from '../support/stage.js'

const published = (name: string): { $defs: Record<string, ValueSchema> } =>
  JSON.parse(readFileSync(join(root, 'schema', name), 'utf8'))

test('C30 every line of runs of many kinds matches the published schema', async () => {
  const { $defs } = published('messages.json')
  const schema = $defs['SDKMessage']
  assert.ok(schema)
  const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose', run_in_background: true }
  const runs = [
    await play([{ text: 'Hm.', thinking: 'Hm.', ...bash('echo one; exit 3') }, 'Done.'], {
      includePartialMessages: true,
      includeHookEvents: true,
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [async () => ({})] }] },
    }),
    await play([bash('touch a'), 'Then not.']),
    await play([{ status: 529, headers: { 'retry-after-ms': '1' } }, { status: 400 }]),
    await play(
      script([call('Task', task), 'Started.', 'Done.'], {
        lanes: { a: { when: { opening: 'WORK' }, turns: ['Worked.'] } },
      }),
      { forwardSubagentText: true },
    ),
    await play([], { maxTurns: 1 }, '/context'),
  ]
  const all = runs.flatMap(({ messages }) => messages)
  assert.ok(all.length > 40)
  for (const message of all) {
    // As it is on the wire.
    const line = JSON.parse(JSON.stringify(message))
    assert.deepEqual(validate(line, schema, $defs).map(describeSchemaProblem), [], JSON.stringify(line))
  }
})

test('C30 kinds of messages that nobody knows pass through', async () => {
  await withModel([], {}, async ({ options }) => {
    const agent = join(options.cwd, 'agent.mjs')
    const news = { type: 'news_of_2031', session_id: 's', body: { deep: [1] } }
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Hi.',
      session_id: 's',
      uuid: 'u',
      extra: 7,
    }
    writeFileSync(
      agent,
      `import { createInterface } from 'node:readline'
       createInterface({ input: process.stdin }).on('line', (line) => {
         const { type, request_id, request } = JSON.parse(line)
         const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
         if (type === 'control_request') say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
         if (type === 'user') for (const message of ${JSON.stringify([news, result])}) say(message)
       })`,
    )
    chmodSync(agent, 0o755)
    const run = await collect(query({ prompt: 'Go.', options: { ...options, pathToClaudeCodeExecutable: agent } }))
    assert.deepEqual(
      run.messages.map((message) => JSON.parse(JSON.stringify(message))),
      [news, result],
    )
  })
})

test('C30 the version of the protocol is said in every init', async () => {
  const run = await play(['Hello.'])
  const [init] = run.messages
  assert.ok(init?.type === 'system' && init.subtype === 'init')
  assert.match(init.claude_code_version, /^\d+\.\d+\.\d+$/)
  // A compile error here would mean that the union has become `any`.
  const kind: SDKMessage['type'] = init.type
  // @ts-expect-error: no such kind of message
  const wrong: SDKMessage['type'] = 'nonsense'
  assert.notEqual(String(kind), wrong)
})
