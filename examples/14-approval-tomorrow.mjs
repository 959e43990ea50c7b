// An approval that takes days: Kedge parks the turn, nothing stays in memory, and another process continues when the answer is there.
// In production, the store is a database; here it is one in memory. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InMemorySessionStore, query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const deploy = { name: 'Bash', input: { command: 'touch deployed' } }
const server = await startModelServer([{ text: 'I deploy it.', tools: [deploy] }, 'It is deployed.'])
const options = testOptions(server)
const sessionStore = new InMemorySessionStore()
const answers = new Map() // by the id of the call: a table that a page shows and fills in

async function canUseTool(_tool, _input, { toolUseID, canPark }) {
  const answer = answers.get(toolUseID)
  if (answer) return answer
  if (!canPark) return { behavior: 'deny', message: 'Nobody is there to answer.' }
  answers.set(toolUseID, undefined)
  return { behavior: 'park' }
}
const play = async (call) => {
  for await (const message of query(call)) if (message.type === 'result') return message
}
const common = { ...options, sessionStore, parkAsks: true, canUseTool }

const parked = await play({ prompt: 'Deploy it.', options: common })
const isDeployed = () => existsSync(join(options.cwd, 'deployed'))
const before = isDeployed()
for (const id of answers.keys()) answers.set(id, { behavior: 'allow' }) // tomorrow, by a person
const done = await play({ options: { ...common, resume: parked.session_id, continueTurn: true } })
const after = isDeployed()
await options[Symbol.asyncDispose]()
await server.close()

console.log(`${parked.terminal_reason}, then: ${done.result}`)
assert.deepEqual([parked.terminal_reason, before], ['waiting', false])
assert.deepEqual([done.terminal_reason, done.result, after], ['completed', 'It is deployed.', true])
