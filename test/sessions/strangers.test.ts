/** Session files as programs read them that were written for the original: viewers, archives, counters. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type CanUseTool, query } from 'kedge'
import { collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'

/** Line types of the original's files that a reader may count on. */
const KNOWN = ['user', 'assistant', 'system', 'summary', 'queue-operation', 'file-history-snapshot'].concat(
  ...['file-history-delta', 'custom-title', 'tag', 'progress'],
)
type Line = { type: string; operation?: string; content?: unknown; isMeta?: boolean; message?: { content: unknown } }

function linesOf({ env }: TestOptions): Line[] {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? '', 'projects')
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) =>
    readFileSync(join(projects, name), 'utf8')
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line)),
  )
}

const canUseTool: CanUseTool = async () => ({ behavior: 'deny', message: 'No.' })
const bash = { tools: [{ name: 'Bash', input: { command: 'touch a' } }] }

describe('a session file', () => {
  it('holds only line types of the original, and the first line of a user is what the user said', async () => {
    await using server = await startModelServer([bash, 'Done.', 'Again.'])
    await using options = testOptions(server, { settingSources: ['project'], canUseTool })
    writeFileSync(join(options.cwd, 'CLAUDE.md'), 'Always be brief.')
    const first = await collect(query({ prompt: 'What the user said.', options }))
    const lines = linesOf(options)
    assert.deepEqual(
      lines.flatMap(({ type }) => (KNOWN.includes(type) ? [] : type)),
      [],
    )
    const ofUser = lines.filter(({ type }) => type === 'user')
    assert.deepEqual(ofUser[0]?.message?.content, [{ type: 'text', text: 'What the user said.' }])
    assert.ok(ofUser.every(({ isMeta }) => isMeta !== true))
    // Carriers say nothing to those who look at the queue.
    const dequeued = lines.filter(({ type, operation }) => type === 'queue-operation' && operation === 'dequeue')
    assert.ok(dequeued.length > 3 && dequeued.every(({ content }) => content === undefined))

    const second = await collect(
      query({ prompt: 'More.', options: { ...options, resume: first.result?.session_id ?? '' } }),
    )
    assert.equal(second.error, undefined)
    assert.match(JSON.stringify(server.requests[0]?.body.messages[0]), /Always be brief.*What the user said/)
    const again = server.requests[2]?.body.messages ?? []
    const before = server.requests[1]?.body.messages ?? []
    const bare = (messages: unknown) => JSON.stringify(messages).replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    assert.equal(bare(again.slice(0, 1)), bare(before.slice(0, 1)), 'the resumed session reads the same')
    assert.ok((second.result?.session_total_cost_usd ?? 0) > (second.result?.total_cost_usd ?? 0))
  })
})
