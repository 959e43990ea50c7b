// The client under test of `npm run conformance`: a session with the suite's server, whose model calls what the scenario
// asks for. Where the server wants a sign-in, its user signs in as a person would: with `kedge mcp login`, in a browser that
// follows where it is led.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from '../../../dist/index.js'
import { startModelServer, testOptions } from '../../../dist/testing.js'

const program = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const url = process.argv.at(-1)
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const scripts = {
  tools_call: [{ name: 'add_numbers', input: { a: 5, b: 3 } }],
  'elicitation-sep1034-client-defaults': [{ name: 'test_client_elicitation_defaults', input: {} }],
  'sse-retry': [{ name: 'test_reconnection', input: {} }],
  'http-standard-headers': [{ name: 'test_headers', input: {} }],
  'http-invalid-tool-headers': [{ name: 'valid_tool', input: { region: 'eu' } }],
  'sep-2322-client-request-state': ['echo_state', 'unrelated', 'no_state', 'no_result_type'].map((name) => ({
    name: `test_mrtr_${name}`,
    input: {},
  })),
}
const asked = context.toolCalls?.map(({ name, arguments: input }) => ({ name, input }))
const calls = asked ?? scripts[scenario] ?? (scenario.startsWith('auth/') ? [{ name: 'test-tool', input: {} }] : [])
/** What the model also does, or the user says, to a server that has more than tools. */
const resource = { name: 'ReadMcpResourceTool', input: { server: 'suite', uri: 'file:///path/to/file%20name.txt' } }
const isAboutHeaders = scenario === 'http-standard-headers'
/** A user who is asked for more again and again gives up. */
const MOST_SIGN_INS = 3

// What its user has written into the configuration of the server.
const oauth = {
  // The address the suite expects of a client that is described by a document.
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
  ...(context.issuer === undefined ? {} : { issuer: context.issuer }),
}
const server = { type: 'http', url, oauth }
const home = mkdtempSync(join(tmpdir(), 'kedge-conformance-home-'))
writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { suite: server } }))
const env = { ...process.env, HOME: home, CI: '1' }
delete env.CLAUDE_CONFIG_DIR
if (context.client_secret !== undefined) env.MCP_CLIENT_SECRET = context.client_secret

const made = calls.map(({ name, input }) => ({ tools: [{ name: `mcp__suite__${name}`, input }] }))
const turn = [...made, ...(isAboutHeaders ? [{ tools: [resource] }] : []), 'Done.']
const turns = Array.from({ length: calls.length > 0 ? MOST_SIGN_INS + 1 : 1 }, () => turn).flat()
const model = await startModelServer(turns)
const options = testOptions(model, {
  mcpServers: { suite: server },
  mcpSignIns: true,
  allowedTools: ['mcp__suite'],
  // A user who takes the form as it is offered.
  onElicitation: async () => ({ action: 'accept' }),
  stderr: (text) => process.stderr.write(text),
})
options.env = { ...options.env, HOME: home, CLAUDE_CONFIG_DIR: undefined }
let wakeUser = () => {}
const prompts = (async function* () {
  // `query()` asks for the first message before it returns.
  await new Promise(setImmediate)
  for (let signIns = 0; ; ) {
    let [status] = await running.mcpServerStatus()
    while (status?.status === 'pending') {
      await new Promise((resolve) => setTimeout(resolve, 20))
      ;[status] = await running.mcpServerStatus()
    }
    if (status?.status === 'needs-auth' && signIns < MOST_SIGN_INS) {
      signIns += 1
      if (!(await signIn())) return
      await running.reconnectMcpServer('suite').catch((error) => console.error(error.message))
      continue
    }
    const answered = new Promise((resolve) => {
      wakeUser = resolve
    })
    yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
    const refusal = await answered
    const [now] = await running.mcpServerStatus()
    // A sign-in that is no longer taken: asked for again at the top.
    if (now?.status === 'needs-auth' && signIns < MOST_SIGN_INS) continue
    if (isAboutHeaders) {
      yield {
        type: 'user',
        message: { role: 'user', content: '/mcp__suite__test_prompt' },
        parent_tool_use_id: null,
        session_id: '',
      }
      return
    }
    if (!refusal || signIns >= MOST_SIGN_INS) return
    signIns += 1
    if (!(await signIn())) return
  }
})()
const running = query({ prompt: prompts, options })
let refusal = ''
for await (const message of running) {
  const content = message.type === 'user' && Array.isArray(message.message.content) ? message.message.content : []
  for (const block of content) {
    const text = JSON.stringify(block)
    if (/wants more rights/.test(text)) refusal = text
  }
  if (message.type !== 'result') continue
  console.log(message.subtype)
  wakeUser(refusal)
  refusal = ''
}
await options[Symbol.asyncDispose]().catch((error) => {
  // Of a session that needed no second turn, the rest of the script is left.
  if (!/never asked for/.test(error.message)) throw error
})
await model.close().catch(() => {})
rmSync(home, { recursive: true, force: true })

/** The program in a terminal without a browser; the person's browser is elsewhere, and what it ends at is pasted. */
async function signIn() {
  const child = spawn(process.execPath, [program, 'mcp', 'login', '--no-browser', 'suite'], { env, cwd: home })
  let output = ''
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    process.stderr.write(text)
    complaints += text
  })
  child.stdout.setEncoding('utf8').on('data', async (text) => {
    process.stderr.write(text)
    const isLed = /^https?:\/\/\S+$/m.test(output)
    output += text
    const [address] = /^https?:\/\/\S+$/m.exec(output) ?? []
    if (isLed || !address) return
    const answer = await fetch(address, { redirect: 'manual' })
    child.stdin.write(`${answer.headers.get('location')}\n`)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return code === 0 || /can't be used/.test(complaints)
}
