/** What the model is told when it needs it: what an agent left running, what ends with the turn, where a pattern begins. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, script, startModelServer, testOptions } from 'kedge/testing'

test('an agent’s result names the commands it left running', async () => {
  const lanes = {
    agent: {
      when: { opening: 'Serve it.' },
      turns: [{ tools: [{ name: 'Bash', input: { command: 'sleep 600', run_in_background: true } }] }, 'It runs.'],
    },
  }
  const start = { subagent_type: 'general-purpose', description: 'Serve', prompt: 'Serve it.' }
  await using server = await startModelServer(
    script(
      [
        { tools: [{ name: 'Task', input: start }] },
        ({ toolResults }) => {
          const id = /by task ID:\n- (b\w+): command `sleep 600`; output: /.exec(toolResults[0]?.text ?? '')?.[1]
          return { tools: [{ name: 'TaskStop', input: { task_id: id ?? 'unknown' } }] }
        },
        'Done.',
      ],
      { lanes },
    ),
  )
  await collect(query({ prompt: 'Go.', options: testOptions(server, { allowedTools: ['Bash'] }) }))
  assert.match(server.requests.at(-1)?.toolResults[0]?.text ?? '', /Successfully stopped task/)
})

test('a pattern with .. starts where the shell is', async () => {
  await using server = await startModelServer([
    { tools: [{ name: 'Bash', input: { command: 'cd sub' } }] },
    {
      tools: [
        { name: 'Glob', input: { pattern: '../*.txt' } },
        { name: 'Glob', input: { pattern: '*.txt', path: '..' } },
        { name: 'Glob', input: { pattern: '../../*' } },
      ],
    },
    'Done.',
  ])
  const options = testOptions(server)
  mkdirSync(join(options.cwd, 'sub'))
  writeFileSync(join(options.cwd, 'a.txt'), '')
  await collect(query({ prompt: 'Look.', options }))
  const [first, second, third] = server.requests[2]?.toolResults ?? []
  assert.match(first?.text ?? '', /a\.txt/)
  assert.match(second?.text ?? '', /a\.txt/)
  assert.match(third?.text ?? '', /outside allowed working directories/)
})

test('an answer that was cut off and continued is one answer', async () => {
  await using server = await startModelServer([{ text: 'Part one', stopReason: 'max_tokens' }, ' and part two.'])
  const { result } = await collect(query({ prompt: 'Tell me.', options: testOptions(server) }))
  assert.equal(result?.subtype === 'success' && result.result, 'Part one and part two.')
})
