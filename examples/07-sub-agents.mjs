// Sub-agents: the model delegates work to agents that you describe. Each has its own conversation, tools, and model; the main thread
// receives its answer as the result of the call. A scripted model stands in for a real one, with one lane per agent.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { script, startModelServer, testOptions } from 'kedge/testing'

const task = (subagent_type, prompt) => ({
  name: 'Task',
  input: { subagent_type, prompt, description: 'Look closely' },
})
const read = { tools: [{ name: 'Read', input: { file_path: 'parse.js' } }] }
const main = [{ tools: [task('reviewer', 'Review parse.js'), task('tester', 'Test it')] }, 'One bug, no tests.']
const model = script(main, {
  lanes: {
    reviewer: { when: { opening: 'Review parse.js' }, turns: [read, 'eval() runs what users type.'] },
    tester: { when: { opening: 'Test it' }, turns: ['There are no tests.'] },
  },
})
const server = await startModelServer(model)
const agents = {
  reviewer: { description: 'Finds bugs', prompt: 'You review code. Be brief.', tools: ['Read'], model: 'haiku' },
  tester: { description: 'Runs tests', prompt: 'You run tests.', tools: ['Bash'] },
}
const options = testOptions(server, { agents })
writeFileSync(join(options.cwd, 'parse.js'), 'export const parse = (text) => eval(text)\n')

const said = []
let result
for await (const message of query({ prompt: 'Is parse.js any good?', options })) {
  const inAgent = typeof message.parent_tool_use_id === 'string'
  if (message.type === 'assistant' && inAgent) said.push(message.message.content[0].name)
  if (message.type === 'result') result = message
}
await options[Symbol.asyncDispose]()
await server.close()

console.log(`${result.result} (calls of agents: ${said.join()})`)
assert.equal(result.result, 'One bug, no tests.')
assert.deepEqual(said, ['Read'])
assert.ok(server.requests.some(({ body }) => body.model.includes('haiku')))
