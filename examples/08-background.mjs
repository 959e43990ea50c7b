// Background work: a command runs while the turn ends. When it ends, a new turn notifies the model. The query waits for that unless
// `onTurnEnd` is set. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const command = 'until [ -e go ]; do sleep 0.1; done; echo built'
const server = await startModelServer([
  { tools: [{ name: 'Bash', input: { command, run_in_background: true, description: 'Build' } }] },
  'The build runs; I tell you when it is done.',
  { text: 'The build is done.', expect: { prompt: /completed/ } },
])
const options = testOptions(server, { allowedTools: ['Bash'] })
const events = []
for await (const message of query({ prompt: 'Build it.', options })) {
  if (message.subtype === 'task_started') events.push(`started: ${message.description}`)
  if (message.subtype === 'task_notification') events.push(`ended: ${message.status}`)
  if (message.type !== 'result') continue
  const pending = message.pending_tasks?.length ?? 0
  events.push(`result: ${message.result} (${pending} still running)`)
  writeFileSync(join(options.cwd, 'go'), '') // now the build may end
}
await options[Symbol.asyncDispose]()
await server.close()

console.log(events.join('\n'))
assert.deepEqual(events, [
  'started: Build',
  'result: The build runs; I tell you when it is done. (1 still running)',
  'ended: completed',
  'result: The build is done. (0 still running)',
])
server.assertDone()
