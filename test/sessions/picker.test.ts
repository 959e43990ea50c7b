/** `kedge --resume` by hand: a list to choose from on a terminal, and an error that helps where there is none. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { query, renameSession } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'

const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const hasScript = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '')

/** Two sessions, the first with a name. */
async function twoSessions(options: ReturnType<typeof testOptions>): Promise<string[]> {
  const ids: string[] = []
  for (const prompt of ['Fix the login test', 'Write \u001b[31mdocs']) {
    const run = await collect(query({ prompt, options }))
    ids.push(run.result?.session_id ?? '')
  }
  return ids
}

function withConfig<T>(dir: string | undefined, work: () => Promise<T>): Promise<T> {
  const before = process.env.CLAUDE_CONFIG_DIR
  process.env.CLAUDE_CONFIG_DIR = dir
  return work().finally(() => {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR
    else process.env.CLAUDE_CONFIG_DIR = before
  })
}

describe('on a terminal', { skip: !hasScript }, () => {
  test('--resume without an id shows the latest sessions and goes on with the chosen one', async () => {
    await using server = await startModelServer(['First.', 'Second.', 'Gone on.'])
    await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929' })
    const [first = ''] = await twoSessions(options)
    await withConfig(options.env.CLAUDE_CONFIG_DIR, () => renameSession(first, 'Login'))
    const program = `'${process.execPath}' '${cli}' -p 'More.' --model claude-sonnet-4-5-20250929 --resume`
    const child = spawn('script', ['-qec', program, '/dev/null'], {
      cwd: options.cwd,
      env: { ...options.env, TERM: 'dumb' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let screen = ''
    let answered = false
    for await (const chunk of child.stdout) {
      screen += chunk
      if (answered || !screen.includes('which session?')) continue
      answered = true
      child.stdin.write(`${/^\s+(\d).*Login/m.exec(screen)?.[1]}\n`)
    }
    child.stdin.end()
    assert.match(screen, /^\s+1 {2}\d+ min ago +\S/m)
    assert.ok(!screen.includes('\u001b[31m'), 'what was said in a session does not steer the terminal')
    assert.match(screen, /Gone on\./)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /Fix the login test.*First\..*More\./)
  })
})

test('--resume without an id and without a terminal names what to do, with the ids', async () => {
  await using server = await startModelServer(['First.', 'Second.'])
  await using options = testOptions(server)
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [cli, '-p', 'More.', ...args], {
      cwd: options.cwd,
      env: options.env,
      input: '',
      encoding: 'utf8',
    })
  const none = run('--resume')
  assert.deepEqual([none.status, none.stderr], [1, 'Error: This folder has no sessions to continue.\n'])
  const ids = await twoSessions(options)
  for (const flag of ['--resume', '-r']) {
    const { status, stderr } = run(flag)
    assert.equal(status, 1)
    assert.match(stderr, /^Error: --resume without a session ID asks on a terminal, and there is none\. Use --continue/)
    for (const id of ids) assert.ok(stderr.includes(id))
  }
})

test('a program that forgets the id is told', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server, { extraArgs: { resume: null } })
  const run = await collect(query({ prompt: 'x', options }))
  const errors = run.result?.subtype === 'error_during_execution' ? run.result.errors : []
  assert.match(errors.join(), /--resume needs a session ID/)
})
