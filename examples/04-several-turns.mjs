// Several turns: a session takes messages one by one and remembers; `query` takes an async iterable of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unstable_v2_createSession as createSession, query } from 'kedge'

const cwd = mkdtempSync(join(tmpdir(), 'kedge-example-'))
process.on('exit', () => rmSync(cwd, { recursive: true, force: true }))
const options = { model: 'practice', cwd, persistSession: false, permissionMode: 'acceptEdits' }
const answers = []

const session = createSession(options)
for (const text of ['create a.txt with "tea"', 'ask me: more tea or some coffee?', 'coffee']) {
  await session.send(text)
  for await (const message of session.stream()) if (message.type === 'result') answers.push(message.result)
}
session.close()

// The next message goes out when the result of the last one is there; sent earlier, it would join the running turn.
let turnIsOver
async function* prompts() {
  for (const content of ['replace tea with coffee in a.txt', 'read a.txt']) {
    const over = new Promise((resolve) => {
      turnIsOver = resolve
    })
    yield { type: 'user', session_id: '', parent_tool_use_id: null, message: { role: 'user', content } }
    await over
  }
}
for await (const message of query({ prompt: prompts(), options })) {
  if (message.type !== 'result') continue
  answers.push(message.result)
  turnIsOver()
}
console.log(answers.join('\n\n'))
assert.equal(answers.length, 5)
assert.match(answers[2], /You answered “coffee”/)
assert.equal(answers[4], 'a.txt says:\n  coffee')
