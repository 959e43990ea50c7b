/** Programs that get a signal while a request waits for its answer: they end with their exit code and without a stack trace. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Step, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { eventually, within } from '../support/eventually.js'
import { sampledTest } from '../support/tier.js'

const COMMAND = join(process.cwd(), 'dist', 'kedge.cjs')
/** An MCP server whose one tool decides about permissions, says so in a file, and never answers. */
const SILENT_SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  const serverInfo = { name: 'silent', version: '1' }
  if (method === 'initialize') answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
  if (method === 'tools/list') answer({ tools: [{ name: 'decide', inputSchema: { type: 'object' } }] })
  if (method === 'tools/call') require('node:fs').writeFileSync('asked', '')
})
`

/** Each leads to one kind of request, and keeps its turn waiting. */
const CALLS: Record<'permission' | 'question', Step[]> = {
  permission: [{ tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }],
  question: [
    {
      tools: [
        {
          name: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'Which?',
                header: 'Which',
                multiSelect: false,
                options: [
                  { label: 'a', description: 'A' },
                  { label: 'b', description: 'B' },
                ],
              },
            ],
          },
        },
      ],
    },
  ],
}

type Started = {
  child: ChildProcess
  /** What it wrote to stderr so far. */
  errors(): string
  /** What it wrote to stdout, once it matches. */
  says(pattern: RegExp): Promise<RegExpExecArray | null>
}

function start({ cwd, env }: TestOptions, args: string[]): Started {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env, stdio: 'pipe' })
  child.stdin.on('error', () => {})
  const texts = { out: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (texts.errors += text))
  return {
    child,
    errors: () => texts.errors,
    says: (pattern) =>
      eventually(`it says ${pattern}`, () => {
        assert.equal(child.exitCode, null, texts.errors)
        return pattern.exec(texts.out)
      }),
  }
}

const line = (message: object) => `${JSON.stringify(message)}\n`

/** Each starts a program, and resolves when requests wait. */
const PROGRAMS: Record<string, (options: TestOptions) => Promise<Started>> = {
  async 'kedge serve'(options) {
    const token = 'a-token-for-tests-only'
    const program = start(options, ['serve', '--port', '0', '--token', token, '--drain-seconds', '1'])
    const [, url] = (await program.says(/listens on (\S+)/)) ?? []
    const call = (path: string, body?: object) =>
      fetch(`${url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const { id } = (await (await call('/v1/sessions', { cwd: options.cwd })).json()) as { id: string }
    await call(`/v1/sessions/${id}/prompts`, { id: '1', content: 'go' })
    await eventually('it asks', async () => {
      const { asks } = (await (await call('/v1/asks')).json()) as { asks: object[] }
      return asks.length > 0
    })
    return program
  },
  async 'kedge acp'(options) {
    const program = start(options, ['acp'])
    const say = (id: number, method: string, params: object) =>
      program.child.stdin?.write(line({ jsonrpc: '2.0', id, method, params }))
    say(1, 'initialize', { protocolVersion: 1, clientCapabilities: { elicitation: { form: {}, url: {} } } })
    await program.says(/"id":1/)
    say(2, 'session/new', { cwd: options.cwd, mcpServers: [] })
    const [, sessionId] = (await program.says(/"sessionId":"([^"]+)"/)) ?? []
    say(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    await program.says(/"method":"(session\/request_permission|elicitation\/create)"/)
    return program
  },
  async 'kedge, driven by a host'(options) {
    const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const program = start(options, [...flags, '--permission-prompt-tool', 'stdio'])
    program.child.stdin?.write(
      line({ type: 'user', session_id: '', parent_tool_use_id: null, message: { role: 'user', content: 'go' } }),
    )
    await program.says(/"subtype":"can_use_tool"/)
    return program
  },
  async 'kedge -p'(options) {
    const servers = { silent: { command: process.execPath, args: ['-e', SILENT_SERVER] } }
    const flags = ['--mcp-config', JSON.stringify({ mcpServers: servers })]
    const program = start(options, ['-p', 'go', ...flags, '--permission-prompt-tool', 'mcp__silent__decide'])
    program.child.stdin?.end()
    await eventually(`it asks\n${program.errors()}`, () => existsSync(join(options.cwd, 'asked')))
    return program
  },
}

/** A program that serves ends in order; one with a turn reports the signal. */
const CODES = { serves: { SIGTERM: 0, SIGINT: 0 }, works: { SIGTERM: 143, SIGINT: 130 } }

for (const [name, run] of Object.entries(PROGRAMS))
  for (const [signal, kind] of [
    ['SIGTERM', 'permission'],
    ['SIGINT', 'question'],
  ] as const)
    sampledTest(`${name} ends on ${signal} while a ${kind} waits`, async () => {
      await using model = await startModelServer(CALLS[kind])
      await using options = testOptions(model)
      const { child, errors } = await run(options)
      const over = once(child, 'close')
      child.kill(signal)
      const [code] = await within(`its end\n${errors()}`, over)
      assert.equal(code, CODES[/serve|acp/.test(name) ? 'serves' : 'works'][signal], errors())
      assert.doesNotMatch(errors(), /^\s+at |unhandled|Node\.js v/im)
    })
