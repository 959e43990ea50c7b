/** What the model reads where nobody can be asked: which tools it has, and what a refusal says. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { callTools, collect, startModelServer, testOptions } from 'kedge/testing'

const nobody = { canUseTool: undefined }

test('a refusal says which part it was, that nobody is there, and what would run', async () => {
  const { results } = await callTools(
    [
      { name: 'Bash', input: { command: 'ls && node -e 1 && pwd' } },
      { name: 'Bash', input: { command: 'npm test -- --watch && rm -rf build' } },
      { name: 'Read', input: { file_path: '/etc/hostname' } },
    ],
    { ...nobody, allowedTools: ['Bash(npm test:*)'] },
  )
  const texts = results.map(({ text }) => text)
  assert.match(
    texts[0] ?? '',
    /Part that needs approval: "node -e 1"\. .*Nobody can approve it in this session, so it did not run\./,
  )
  assert.match(texts[1] ?? '', /Part that needs approval: "rm -rf build"\..* Bash\(npm test:\*\)\.$/)
  assert.match(texts[2] ?? '', /^Claude requested permissions to read from .*\. Nobody can approve.*reading inside \//)
})

test('plan mode is named as the reason', async () => {
  const { results } = await callTools(
    [
      { name: 'Write', input: { file_path: 'a.txt', content: 'x' } },
      { name: 'Bash', input: { command: 'touch b.txt' } },
      { name: 'ExitPlanMode', input: {} },
    ],
    { ...nobody, permissionMode: 'plan' },
  )
  for (const { text } of results.slice(0, 2)) assert.match(text, /The reason is plan mode: only reading is allowed/)
  assert.match(
    results[2]?.text ?? '',
    /^Exit plan mode\? Nobody can approve a plan in this session\. Give the whole plan/,
  )
})

test('a rule that forbids something is named, with the part it forbids', async () => {
  const { results } = await callTools([{ name: 'Bash', input: { command: 'ls; rm -rf x' } }], {
    disallowedTools: ['Bash(rm:*)'],
  })
  assert.equal(
    results[0]?.text,
    'Permission to use Bash with command ls; rm -rf x has been denied. Denied part: "rm -rf x". The rule Bash(rm:*) forbids it. Don\'t try to reach it in another way.',
  )
})

test('kedge -p offers no questions that nobody can answer, and a plan is its answer', async () => {
  await using server = await startModelServer(['Plan: do it.', 'Hello.'])
  await using options = testOptions(server)
  const kedge = (...args: string[]) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [join(process.cwd(), 'dist/kedge.cjs'), '-p', ...args], options)
      let out = ''
      child.stdin.end()
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.on('close', () => resolve(out))
    })
  assert.equal(await kedge('Plan it.', '--permission-mode', 'plan'), 'Plan: do it.\n')
  const [first] = server.requests
  const asks = ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode']
  assert.deepEqual(
    first?.tools.filter((name) => asks.includes(name)),
    [],
  )
  const sent = JSON.stringify(first?.body.messages)
  assert.match(sent, /Plan mode is on: the user wants a plan.*Give the whole plan as your answer/)
  assert.doesNotMatch(sent, /ExitPlanMode|AskUserQuestion/)
  // Who names them has them.
  await kedge('Hi.', '--tools', 'Read,AskUserQuestion')
  assert.deepEqual(server.requests[1]?.tools, ['Read', 'AskUserQuestion'])
})

test('hosts of the SDK have the tools they always had', async () => {
  await using server = await startModelServer(['Hi.'])
  await using options = testOptions(server)
  const run = await collect(query({ prompt: 'Hi.', options }))
  const init = run.messages.find((message) => message.type === 'system' && message.subtype === 'init')
  const tools = init && 'tools' in init && Array.isArray(init.tools) ? init.tools : []
  for (const name of ['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode']) assert.ok(tools.includes(name), name)
  assert.equal(existsSync(join(options.cwd, 'a.txt')), false)
})

test('the output file that Kedge named is read without a question, by commands too', async () => {
  const fileOf = (text = '') => /written to: (\S+)/.exec(text)?.[1] ?? ''
  const { results } = await callTools(
    [
      { name: 'Bash', input: { command: 'echo up', run_in_background: true } },
      { name: 'Bash', input: ([bash]) => ({ command: `tail -n 5 ${fileOf(bash?.text)}` }) },
      { name: 'Bash', input: ([bash]) => ({ command: `echo x >> ${fileOf(bash?.text)}` }) },
    ],
    { ...nobody, allowedTools: ['Bash(echo up)'] },
  )
  assert.equal(results[1]?.isError, false, results[1]?.text)
  assert.equal(results[2]?.isError, true)
})
