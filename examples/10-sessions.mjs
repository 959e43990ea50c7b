// Sessions: every query is one, kept on disk. `resume` continues it, `forkSession` continues a copy. `listSessions` and others find,
// name, and read sessions. The home is a temporary one here. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { getSessionMessages, listSessions, query, renameSession } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const server = await startModelServer(({ body }) => `I have read ${body.messages.length} messages.`)
const options = testOptions(server)
process.env.CLAUDE_CONFIG_DIR = options.env.CLAUDE_CONFIG_DIR // for the functions below, which read this process
const ask = async (prompt, more = {}) => {
  for await (const message of query({ prompt, options: { ...options, ...more } })) {
    if (message.type === 'result') return message
  }
}
const first = await ask('Remember the milk.')
const again = await ask('What was it?', { resume: first.session_id })
const copy = await ask('And if it were tea?', { resume: first.session_id, forkSession: true })
await renameSession(first.session_id, 'Shopping')
const sessions = await listSessions({ dir: options.cwd })
const messages = await getSessionMessages(first.session_id)
await options[Symbol.asyncDispose]()
await server.close()

console.log(sessions.map(({ sessionId, summary }) => `${sessionId.slice(0, 8)}  ${summary}`).join('\n'))
assert.equal(again.result, 'I have read 3 messages.')
assert.equal(again.session_id, first.session_id)
assert.equal(copy.result, 'I have read 5 messages.')
assert.notEqual(copy.session_id, first.session_id)
assert.ok(sessions.some(({ summary }) => summary === 'Shopping'))
assert.equal(messages.length, 4)
