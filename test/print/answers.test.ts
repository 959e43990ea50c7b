/** What `kedge -p` prints, and when it ends, while commands run in the background. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Answer, type ModelRequest, startModelServer, type Turns, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'

const cli = join(process.cwd(), 'dist', 'kedge.cjs')

const bash = (input: object): Answer => ({ tools: [{ name: 'Bash', input: { description: 'work', ...input } }] })
const inBackground = (command: string) => bash({ command, run_in_background: true })
/** The id of the task that the last result speaks of. */
const taskIn = (request: ModelRequest) =>
  /\b(?:ID|task):? (b[0-9a-f]{6})\b/.exec(JSON.stringify(request.body.messages))?.[1]
const look = (request: ModelRequest): Answer => ({
  tools: [{ name: 'TaskOutput', input: { task_id: taskIn(request), block: true, timeout: 60_000 } }],
})

type Printed = { code: number | null; stdout: string; stderr: string; requests: readonly ModelRequest[] }

async function print(turns: Turns, flags: readonly string[], act?: (child: ChildProcess, seen: Printed) => void) {
  await using server = await startModelServer(turns)
  await using options = testOptions(server)
  const args = [cli, '-p', 'Go.', '--model', 'sonnet', '--allowedTools', 'Bash', ...flags]
  const child = spawn(process.execPath, args, { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const seen: Printed = { code: null, stdout: '', stderr: '', requests: server.requests }
  child.stdout.on('data', (chunk) => {
    seen.stdout += chunk
    act?.(child, seen)
  })
  child.stderr.on('data', (chunk) => {
    seen.stderr += chunk
    act?.(child, seen)
  })
  await once(child, 'close')
  return { ...seen, code: child.exitCode }
}

test('no turn follows for a task whose end the model has read', async () => {
  const turns: Turns = [inBackground('sleep 0.3; echo built'), look, 'The build passed.']
  const { code, stdout, stderr, requests } = await print(turns, [])
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: 'The build passed.\n', stderr: '' })
  assert.equal(requests.length, 3)
})

test('a task that ends during a turn is told of within it', async () => {
  const isTold = (request: ModelRequest) => JSON.stringify(request.body.messages).includes('<task-notification>')
  const { stdout, requests } = await print((request) => {
    if (isTold(request)) return 'The build passed.'
    return request.body.messages.length === 1 ? inBackground('echo built') : bash({ command: 'sleep 0.1' })
  }, [])
  assert.equal(stdout, 'The build passed.\n')
  const last = requests.find(isTold)?.body.messages.at(-1)?.content
  assert.ok(Array.isArray(last))
  assert.deepEqual(
    last.map(({ type }) => type),
    ['tool_result', 'text'],
  )
  assert.match(JSON.stringify(last[1]), /^.*<task-notification>.*Background command .*work.* completed/)
  assert.equal(requests.at(-1), requests.find(isTold))
})

test('where a turn about a task follows, text has the answers of all, json all of them beside the last', async () => {
  const turns = (): Turns => [inBackground('sleep 0.5'), 'Started.', 'It is built.']
  const text = await print(turns(), [])
  assert.equal(text.stdout, 'Started.\nIt is built.\n')
  assert.match(text.stderr, /^Waiting for background work to end: work \(b[0-9a-f]{6}\)\nCtrl-C stops it\. /)
  const json = JSON.parse((await print(turns(), ['--output-format', 'json'])).stdout)
  assert.deepEqual([json.result, json.results], ['It is built.', ['Started.', 'It is built.']])
})

test('the answer is printed while a server still runs, and Ctrl-C ends both', async () => {
  let interrupted = false
  const { stdout, stderr } = await print([inBackground('sleep 300'), 'It runs.'], [], (child, seen) => {
    if (interrupted || !seen.stdout.includes('It runs.') || !seen.stderr.includes('Ctrl-C')) return
    interrupted = true
    child.kill('SIGINT')
  })
  assert.equal(stdout, 'It runs.\n')
  assert.match(stderr, /Waiting for background work to end: work/)
})

test('with --on-turn-end cancel the answer is printed, and the work that was stopped is an error', async () => {
  const { code, stdout, stderr } = await print([inBackground('sleep 300'), 'It runs.'], ['--on-turn-end', 'cancel'])
  assert.deepEqual([code, stdout], [1, 'It runs.\n'])
  assert.match(stderr, /Background work was stopped/)
  assert.doesNotMatch(stderr, /Waiting/)
})

test('a command that reached its time limit ends with its turn', async () => {
  const { code, stdout, stderr } = await print([bash({ command: 'sleep 300', timeout: 300 }), 'The tests hang.'], [])
  assert.deepEqual([code, stdout], [0, 'The tests hang.\n'])
  assert.equal(
    stderr,
    'Note: Background command "work" was stopped (it reached its time limit, and the turn is over)\n',
  )
})

test('who only thinks is asked for an answer, once', async () => {
  const asked = await print([{ thinking: 'Hm.' }, 'Here it is.'], [])
  assert.deepEqual([asked.code, asked.stdout], [0, 'Here it is.\n'])
  assert.match(JSON.stringify(asked.requests[1]?.body.messages.at(-1)), /Write it now/)
  const silent = await print([{ thinking: 'Hm.' }, { thinking: 'Hm, hm.' }], [])
  assert.deepEqual([silent.code, silent.stdout, silent.stderr], [1, '', 'Error: The model gave no answer\n'])
})

test('an MCP server that failed is named on stderr, once, and only for people', async () => {
  const servers = { files: { command: 'npxx' }, web: { type: 'http', url: 'http://127.0.0.1:9/mcp' } }
  const flags = ['--mcp-config', JSON.stringify({ mcpServers: servers })]
  const said = await print(['Done.'], flags)
  assert.deepEqual([said.code, said.stdout], [0, 'Done.\n'])
  assert.equal(
    said.stderr,
    `Warning: MCP server files failed: the program npxx doesn't exist. Correct it in --mcp-config.
Warning: MCP server web failed: nothing listens at its address. Correct it in --mcp-config.
`,
  )
  const json = await print(['Done.'], [...flags, '--output-format', 'json'])
  assert.deepEqual([json.code, json.stderr], [0, ''])
})
