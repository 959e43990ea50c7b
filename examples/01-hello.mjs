// A first query: ask, watch the messages, take the result. `practice` is the built-in offline model, so this needs no key;
// leave `model` out and set ANTHROPIC_API_KEY to talk to a real one.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from 'kedge'

const cwd = mkdtempSync(join(tmpdir(), 'kedge-example-'))
process.on('exit', () => rmSync(cwd, { recursive: true, force: true }))
writeFileSync(join(cwd, 'notes.txt'), 'Remember the milk.')

let result
for await (const message of query({
  prompt: 'list the files then read notes.txt',
  options: { model: 'practice', cwd, persistSession: false },
})) {
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type === 'tool_use') console.log(`uses ${block.name}`)
    }
  }
  if (message.type === 'result') result = message
}

console.log(result.result)
console.log(`${result.usage.output_tokens} tokens, $${result.total_cost_usd}`)

assert.equal(result.subtype, 'success')
assert.match(result.result, /Remember the milk/)
