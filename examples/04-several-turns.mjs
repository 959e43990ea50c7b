// Several turns: a session takes prompts one by one and remembers the earlier ones. The handle of a query does the same.
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

// The same with the handle of a query: it stays open until `endInput()`.
const running = query({ prompt: null, options })
const texts = ['replace tea with coffee in a.txt', 'read a.txt']
await running.send(texts.shift())
for await (const message of running) {
  if (message.type !== 'result') continue
  answers.push(message.result)
  if (texts.length > 0) await running.send(texts.shift())
  else running.endInput()
}
console.log(answers.join('\n\n'))
assert.equal(answers.length, 5)
assert.match(answers[2], /You answered “coffee”/)
assert.equal(answers[4], 'a.txt says:\n  coffee')
