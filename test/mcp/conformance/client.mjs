// The client under test of `npm run conformance`: a session with the suite's server, whose model calls what the scenario asks for.
import { query } from '../../../dist/index.js'
import { startModelServer, testOptions } from '../../../dist/testing.js'

const url = process.argv.at(-1)
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const calls = {
  tools_call: { name: 'add_numbers', input: { a: 5, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'test_client_elicitation_defaults', input: {} },
  'sse-retry': { name: 'test_reconnection', input: {} },
}
const call = calls[scenario] ?? (scenario.startsWith('auth/') ? { name: 'test-tool', input: {} } : undefined)

const turns = call ? [{ tools: [{ name: `mcp__suite__${call.name}`, input: call.input }] }, 'Done.'] : ['Done.']
const model = await startModelServer(turns)
const options = testOptions(model, {
  mcpServers: { suite: { type: 'http', url } },
  allowedTools: ['mcp__suite'],
  // A user who takes the form as it is offered.
  onElicitation: async () => ({ action: 'accept' }),
  stderr: (text) => process.stderr.write(text),
})
const prompts = (async function* () {
  // `query()` asks for the first message before it returns.
  await new Promise(setImmediate)
  for (;;) {
    const [server] = await running.mcpServerStatus()
    if (server?.status !== 'pending') break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
})()
const running = query({ prompt: prompts, options })
for await (const message of running) if (message.type === 'result') console.log(message.subtype)
await options[Symbol.asyncDispose]()
await model.close()
