/**
 * C38: one provider, one license.
 * https://github.com/anthropics/claude-agent-sdk-python/issues/410 · https://github.com/anthropics/claude-code/issues/2211
 * https://github.com/musistudio/claude-code-router/issues/855 · https://github.com/Vigil-SOC/vigil/issues/471
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/7 · https://github.com/anthropics/claude-agent-sdk-python/issues/1245
 * https://github.com/promptfoo/promptfoo/issues/5934 · https://github.com/anomalyco/opencode/issues/11292
 * https://github.com/earendil-works/pi/issues/272
 *
 * T: other endpoints with nothing switched off; signed thinking of one model is not sent to another; an open license and a list of what is
 * inside; no connection but to the endpoint that was configured. (Issue 2: one wire format, the Messages API, which gateways and local
 * servers speak: docs/endpoints.md. OpenAI formats: open, see the table.)
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect } from 'kedge/testing'
import { canTrace, readTrace, traceCommand } from '../project/trace.js'
import { bash, command, play, prompts, root, runProgram, say, until, withModel } from '../support/stage.js'

test('C38 another endpoint and a model nobody knows: tools, thinking and sub-agents as ever', async () => {
  const run = await play([bash('echo one'), 'Done.'], {
    model: 'local/qwen3-coder:30b',
    allowedTools: ['Bash'],
    maxThinkingTokens: 2000,
  })
  const [first] = run.server.requests
  assert.equal(first?.body.model, 'local/qwen3-coder:30b')
  assert.ok(['Bash', 'Task', 'Read', 'Edit', 'Grep'].every((name) => first?.tools.includes(name)))
  assert.equal(run.result?.subtype, 'success')
})

test('C38 the signed thinking of one model is not sent to another', async () => {
  const turns = [{ thinking: 'A secret of sonnet.', text: 'One.' }, 'Two.']
  await withModel(turns, {}, async ({ options, server }) => {
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const turn = (text: string) => {
      input.send(say(text))
      return until(async () => (await running.next()).value?.type === 'result')
    }
    await turn('First.')
    await running.setModel('local/qwen3-coder:30b')
    await turn('Second.')
    input.end()
    await collect(running)
    const sent = JSON.stringify(server.requests[1]?.body.messages)
    assert.match(sent, /One\./)
    assert.doesNotMatch(sent, /signature|A secret of sonnet/)
  })
})

test('C38 an open license, and a list of the parts with theirs', () => {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(license, 'Apache-2.0')
  assert.match(readFileSync(join(root, 'LICENSE'), 'utf8'), /Apache License/)
  assert.match(readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8'), /MIT|ISC|BSD/)
})

test('C38 no connection but to the configured endpoint', { skip: !canTrace }, async () => {
  await withModel([bash('echo one'), 'Done.'], {}, async ({ options, server }) => {
    const log = join(options.cwd, '..', 'tmp', 'trace')
    const [strace = '', ...flags] = traceCommand(log)
    const args = [...flags, process.execPath, command, '-p', 'Go.', '--allowedTools', 'Bash']
    const ended = await runProgram(strace, args, { cwd: options.cwd, env: options.env })
    assert.equal(ended.code, 0, ended.stderr)
    const { host, port } = new URL(server.url)
    const { addresses } = readTrace(log, options.cwd)
    assert.ok(addresses.length > 0)
    // Sockets in the file system are the machine's own (its name service).
    assert.deepEqual(
      addresses.filter((address) => address !== host && !address.endsWith(`:${port}`) && !address.startsWith('/')),
      [],
    )
  })
})
