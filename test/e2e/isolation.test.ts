import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, type ModelRequest, script, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { byTier } from '../support/tier.js'

test('many sessions with different folders and environments in one process do not see each other', async () => {
  const count = byTier({ quick: 25, all: 100 })
  const answer = (request: ModelRequest): Turn => {
    const n = /session (\d+)/.exec(request.opening)?.[1] ?? '?'
    const results = request.toolResults.map(({ text }) => text).join('|')
    if (results.includes('read:')) return `${n}: ${results}`
    if (results !== '')
      return {
        tools: [{ id: `toolu_b${n}`, name: 'Bash', input: { command: `echo "read:$WHO:$(cat out.txt)"; pwd` } }],
      }
    return { tools: [{ id: `toolu_w${n}`, name: 'Write', input: { file_path: 'out.txt', content: `text ${n}` } }] }
  }
  await using server = await startModelServer(script(answer))
  const runs = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      await using options = testOptions(server, {
        permissionMode: 'acceptEdits',
        allowedTools: ['Bash'],
        env: { WHO: `who-${n}` },
      })
      const run = await collect(query({ prompt: `I am session ${n}`, options }))
      const text = run.result?.subtype === 'success' ? run.result.result : JSON.stringify(run.error ?? run.result)
      assert.equal(text, `${n}: read:who-${n}:text ${n}\n${options.cwd}`)
      assert.equal(readFileSync(join(options.cwd, 'out.txt'), 'utf8'), `text ${n}`)
      return run.result?.session_id
    }),
  )
  assert.equal(new Set(runs).size, count)
})

test('nothing below the SDK touches the process it runs in', async () => {
  const turns: Turn[] = [
    { tools: [{ id: 'toolu_1', name: 'Write', input: { file_path: 'a.txt', content: 'alpha\n' } }] },
    { tools: [{ id: 'toolu_2', name: 'Read', input: { file_path: 'a.txt' } }] },
    {
      tools: [{ id: 'toolu_3', name: 'Edit', input: { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' } }],
    },
    { tools: [{ id: 'toolu_4', name: 'Bash', input: { command: 'cat a.txt && pwd' } }] },
    { tools: [{ id: 'toolu_5', name: 'Glob', input: { pattern: '*.txt' } }] },
    { tools: [{ id: 'toolu_6', name: 'Grep', input: { pattern: 'beta' } }] },
    {
      tools: [
        {
          id: 'toolu_7',
          name: 'TodoWrite',
          input: { todos: [{ content: 'x', status: 'pending', activeForm: 'xing' }] },
        },
      ],
    },
    { status: 529, headers: { 'retry-after-ms': '1' } },
    'Done.',
  ]
  await using server = await startModelServer(turns)
  await using options = testOptions(server, {
    permissionMode: 'acceptEdits',
    systemPrompt: { type: 'preset', preset: 'claude_code' },
  })
  writeFileSync(join(options.cwd, 'b.txt'), 'b')
  const running = query({ prompt: 'Go.', options })
  const touched: string[] = []
  const undo = trap((what) => touched.push(`${what}\n${new Error().stack}`))
  let run: Awaited<ReturnType<typeof collect>>
  try {
    run = await collect(running)
  } finally {
    undo()
  }
  // Node itself looks for this one when it starts a child.
  assert.deepEqual(
    touched.filter((text) => text.includes('/dist/') && !text.startsWith('process.env.NODE_V8_COVERAGE')),
    [],
  )
  assert.equal(run.error, undefined)
  assert.equal(run.messages.filter((m) => m.type === 'user').length, 7)
})

/** Watches what a session must not use of its process. Returns what takes the watch away. */
function trap(report: (what: string) => void): () => void {
  const env = process.env
  const watched = new Proxy(env, {
    get(target, name) {
      report(`process.env.${String(name)}`)
      return Reflect.get(target, name)
    },
    ownKeys(target) {
      report('process.env (all of it)')
      return Reflect.ownKeys(target)
    },
  })
  Object.defineProperty(process, 'env', { value: watched, configurable: true, writable: true })
  const names = ['cwd', 'chdir', 'exit', 'on', 'once', 'addListener', 'abort'] as const
  const originals = names.map((name) => [name, process[name]] as const)
  for (const [name, original] of originals) {
    const replacement = (...args: unknown[]) => {
      report(`process.${name}`)
      return Reflect.apply(original, process, args)
    }
    Object.defineProperty(process, name, { value: replacement, configurable: true, writable: true })
  }
  return () => {
    Object.defineProperty(process, 'env', { value: env, configurable: true, writable: true })
    for (const [name, original] of originals)
      Object.defineProperty(process, name, { value: original, configurable: true, writable: true })
  }
}
