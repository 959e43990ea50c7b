// A test without a key: you write the model's responses and the faults on the way, and everything else is real. See docs/testing.md.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

const server = await startModelServer([
  { status: 529, retryAfter: 0 }, // overloaded: the agent tries again
  { tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] },
  { text: 'This never arrives whole.', cutAfterEvents: 3 }, // the connection breaks: again
  { text: 'You need milk.', expect: { toolResult: /Remember the milk/ } },
])
const options = testOptions(server, { maxTurns: 3 })
try {
  writeFileSync(join(options.cwd, 'notes.txt'), 'Remember the milk.')
  const run = await collect(query({ prompt: 'What do I need?', options }))

  const kinds = run.messages.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type))
  console.log(kinds.join(' → '))
  console.log(run.result?.result)

  assert.equal(run.error, undefined)
  assert.equal(run.result?.result, 'You need milk.')
  assert.equal(kinds.filter((kind) => kind === 'system/api_retry').length, 2)
  assert.equal(server.requests.length, 4)
  server.assertDone() // every turn was asked for, and every expectation held
} finally {
  await server.close()
  await options[Symbol.asyncDispose]()
}
