// Answers questions about a repository that it can't change: no tool writes or runs commands, the repository configures nothing, and
// reads stay inside it. A scripted model, which tries all of this, stands in for a real one.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { callsOf, collect, startModelServer, testOptions } from 'kedge/testing'

const readOnly = {
  tools: ['Read', 'Grep', 'Glob'], // These exist. Everything else is an error.
  permissionMode: 'dontAsk', // A call that would ask is denied, such as a read outside of the folder.
  disallowedTools: ['Read(.git/**)', 'Read(.env*)', 'Read(*.pem)'],
  settingSources: [], // No settings, hooks, or servers of the repository.
  systemPrompt: 'You answer questions about the repository in this folder, with files and lines.',
  maxTurns: 30,
  maxBudgetUsd: 0.5,
}

const call = (name, input) => ({ tools: [{ name, input }] })
const model = await startModelServer([
  call('Grep', { pattern: 'eval|very', output_mode: 'content', glob: '{*,.*}' }),
  call('Read', { file_path: 'parse.js' }),
  call('Read', { file_path: '.env' }),
  call('Read', { file_path: 'sub/../../home/secret.txt' }),
  call('Read', { file_path: 'link.txt' }),
  call('Write', { file_path: 'parse.js', content: '' }),
  call('Bash', { command: 'rm parse.js' }),
  'parse.js:1 runs what users type.',
])
const options = testOptions(model, readOnly)
const inRepository = (name) => join(options.cwd, name)
mkdirSync(inRepository('sub'))
writeFileSync(inRepository('parse.js'), 'export const parse = (text) => eval(text)\n')
writeFileSync(inRepository('.env'), 'KEY=very-secret\n')
writeFileSync(join(options.env.HOME, 'secret.txt'), 'very-secret\n')
symlinkSync(join(options.env.HOME, 'secret.txt'), inRepository('link.txt'))
const before = readdirSync(options.cwd)

const { messages, result } = await collect(query({ prompt: 'Is anything dangerous here?', options }))
const calls = callsOf(messages)
for (const { name, input, isError } of calls) console.log(isError ? 'denied' : 'ran', name, input)
console.log(result.result)

assert.deepEqual(
  calls.map(({ isError }) => isError),
  [false, false, true, true, true, true, true],
)
assert.doesNotMatch(JSON.stringify(model.requests.at(-1).body), /very-secret/)
assert.deepEqual(readdirSync(options.cwd), before)
assert.match(readFileSync(inRepository('parse.js'), 'utf8'), /eval/)
await options[Symbol.asyncDispose]()
await model.close()
