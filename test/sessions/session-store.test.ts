/**
 * C24: sessions are on the local disk, keyed by the working directory.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/3 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/353
 * https://github.com/anthropics/claude-code/issues/17200 · https://github.com/chenhg5/cc-connect/issues/1581
 * https://github.com/rivet-dev/agentos/issues/1831
 *
 * T: a store can be the only truth, with nothing written to disk; resume by id from any folder and host; a store that is down blocks or
 * fails and never drops silently (FACTS 11.4 beats the wish for sessions on disk: from another folder they are an error, as observed); two writers on one session are noticed; the published interface is enough.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InMemorySessionStore, query, type SessionStore } from 'kedge'
import { collect } from 'kedge/testing'
import { bash, prompts, say, until, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

/** Everything below a folder, but for the compiled form of our own program that a child keeps for its next start. */
const files = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith(join('home', '.cache')))
    .sort()

/** Only what the interface asks for. */
function plainStore(): SessionStore & { entries: Map<string, unknown[]> } {
  const entries = new Map<string, unknown[]>()
  const name = ({ sessionId, subpath = '' }: { sessionId: string; subpath?: string }) => `${sessionId}/${subpath}`
  return {
    entries,
    async append(key, lines) {
      entries.set(name(key), [...(entries.get(name(key)) ?? []), ...structuredClone(lines)])
    },
    async load(key) {
      const found = entries.get(name(key))
      // A store keeps what it was given.
      return found ? (structuredClone(found) as Awaited<ReturnType<SessionStore['load']>>) : null
    },
  }
}

for (const isolation of isolationsOf('C24 the store is the only')) {
  test(`C24 the store is the only truth: nothing on disk, resumed by id from another folder (${isolation})`, async () => {
    const sessionStore = plainStore()
    await withModel(
      [bash('true'), 'One.', 'Two.'],
      { isolation, sessionStore, persistSession: false, allowedTools: ['Bash'] },
      async ({ options, server }) => {
        const root = join(options.cwd, '..')
        const before = files(root)
        const first = await collect(query({ prompt: 'First.', options }))
        assert.equal(first.result?.subtype, 'success')
        assert.deepEqual(files(root), before)
        const cwd = join(root, 'elsewhere')
        mkdirSync(cwd)
        const second = await collect(
          query({ prompt: 'Second.', options: { ...options, cwd, resume: first.result.session_id } }),
        )
        assert.equal(second.result?.session_id, first.result.session_id)
        assert.match(JSON.stringify(server.requests[2]?.body.messages), /First\..*One\..*Second\./)
        assert.deepEqual(files(root), [...before, 'elsewhere'].sort())
      },
    )
  })
}

test('C24 an id that is nowhere is an error, never a fresh session', async () => {
  await withModel([], {}, async ({ options, server }) => {
    const resume = '00000000-0000-4000-8000-000000000000'
    for (const sessionStore of [undefined, new InMemorySessionStore()]) {
      const run = await collect(
        query({ prompt: 'Go.', options: { ...options, resume, ...(sessionStore ? { sessionStore } : {}) } }),
      )
      assert.equal(run.result?.is_error ?? run.error instanceof Error, true)
    }
    assert.equal(server.requests.length, 0)
  })
})

test('C24 two writers on one session are noticed', async () => {
  await withModel(['One.'], {}, async ({ options }) => {
    const input = prompts()
    await using first = query({ prompt: input.stream, options })
    input.send(say('First.'))
    let resume = ''
    await until(async () => {
      const { value } = await first.next()
      resume = value?.session_id ?? resume
      return value?.type === 'result'
    })
    const second = await collect(query({ prompt: 'Second.', options: { ...options, resume } }))
    assert.equal(second.result?.error_code, 'session_in_use')
    input.end()
    await collect(first)
  })
})
