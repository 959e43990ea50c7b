/** All tools that need no one and no network, used by a hundred sessions of one process at the same time. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKMessage } from 'kedge'
import { collect, type ModelRequest, startModelServer, testOptions } from 'kedge/testing'

const SESSIONS = 100

type Call = { name: string; input: object; shows: RegExp }

/** What session `n` does, in this order; each step shows that it saw its own world. */
function callsOf(n: number): Call[] {
  const cell = { notebook_path: 'book.ipynb', cell_id: 'c1', new_source: `print(${n})` }
  const todo = { content: `todo ${n}`, status: 'pending', activeForm: 'Doing' }
  return [
    { name: 'Read', input: { file_path: 'own.txt' }, shows: new RegExp(`session ${n}\\b`) },
    { name: 'Edit', input: { file_path: 'own.txt', old_string: 'session', new_string: 'SESSION' }, shows: /updated/ },
    { name: 'Write', input: { file_path: 'new.txt', content: `new ${n}` }, shows: /created/ },
    { name: 'Read', input: { file_path: 'book.ipynb' }, shows: /cell id=/ },
    { name: 'NotebookEdit', input: cell, shows: new RegExp(`print\\(${n}\\)`) },
    { name: 'Glob', input: { pattern: '*.txt' }, shows: /new\.txt/ },
    { name: 'Grep', input: { pattern: `SESSION ${n}$`, output_mode: 'content' }, shows: new RegExp(`SESSION ${n}`) },
    { name: 'Bash', input: { command: 'cat own.txt new.txt; cd sub' }, shows: new RegExp(`SESSION ${n}\\nnew ${n}`) },
    { name: 'Bash', input: { command: 'pwd; echo $SESSION' }, shows: new RegExp(`/sub\\n${n}$`) },
    { name: 'TodoWrite', input: { todos: [todo] }, shows: /./ },
    { name: 'ToolSearch', input: { query: 'anything' }, shows: /./ },
    { name: 'EnterPlanMode', input: {}, shows: /plans\// },
  ]
}

/** The model: the next call of the session that asks. */
function answer({ opening, body }: ModelRequest) {
  const calls = callsOf(Number(/\d+/.exec(opening)?.[0]))
  const done = body.messages.filter(({ role }) => role === 'assistant').length
  const next = calls[done]
  return next ? { tools: [{ id: `toolu_${done}`, name: next.name, input: next.input }] } : 'Done.'
}

const results = (messages: readonly SDKMessage[]): string[] =>
  messages.flatMap((m) => (m.type === 'user' ? [JSON.stringify(m.message.content)] : []))

test('a hundred sessions use the tools at once, and none sees the world of another', async () => {
  await using server = await startModelServer(answer)
  const cell = { cell_type: 'code', id: 'c1', metadata: {}, source: 'x', outputs: [], execution_count: null }
  const book = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 })
  // Looked at when all are through: one that fails must not leave the others without a model.
  const worlds = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      await using options = testOptions(server, {
        permissionMode: 'acceptEdits',
        allowedTools: ['Bash'],
        env: { SESSION: String(n) },
      })
      mkdirSync(join(options.cwd, 'sub'))
      writeFileSync(join(options.cwd, 'own.txt'), `session ${n}\n`)
      writeFileSync(join(options.cwd, 'book.ipynb'), book)
      const canUseTool = async () => ({ behavior: 'allow' as const })
      const run = await collect(query({ prompt: `Session ${n}.`, options: { ...options, canUseTool } }))
      const file = (name: string) => readFileSync(join(options.cwd, name), 'utf8')
      return { n, run, own: file('own.txt'), book: file('book.ipynb') }
    }),
  )
  for (const { n, run, own, book } of worlds) {
    assert.equal(run.error, undefined)
    assert.equal(run.result?.subtype, 'success')
    const seen = results(run.messages)
    const calls = callsOf(n)
    assert.equal(seen.length, calls.length)
    for (const [index, { name, shows }] of calls.entries()) {
      const [{ content }] = JSON.parse(seen[index] ?? '[{}]')
      assert.match(typeof content === 'string' ? content : JSON.stringify(content), shows, `session ${n}: ${name}`)
    }
    assert.equal(own, `SESSION ${n}\n`)
    assert.match(book, new RegExp(`print\\(${n}\\)`))
  }
})
