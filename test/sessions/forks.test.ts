/**
 * C25: forking and resuming at a message is fragile.
 * https://github.com/anthropics/claude-code/issues/8207 · https://github.com/hAcKlyc/MyAgents/issues/220
 * https://github.com/tony1223/better-agent-terminal/issues/37 · https://github.com/agentclientprotocol/claude-agent-acp/issues/1107
 * https://github.com/agentclientprotocol/claude-agent-acp/issues/1110 · https://github.com/asheshgoplani/agent-deck/issues/745
 *
 * T: `forkSession()` at any message of the past, before a compaction too, without a model call and without touching the source; the copy
 * can be prompted at once through library and command; resume keeps the id unless a fork was asked for. (ACP and HTTP: open.)
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { forkSession, query } from 'kedge'
import { collect, type TestOptions } from 'kedge/testing'
import { kedge, withModel } from '../support/stage.js'

function transcripts(options: TestOptions): Map<string, string> {
  const projects = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
  const [folder = ''] = readdirSync(projects)
  const names = readdirSync(join(projects, folder)).filter((name) => name.endsWith('.jsonl'))
  return new Map(names.map((name) => [name.replace('.jsonl', ''), readFileSync(join(projects, folder, name), 'utf8')]))
}

test('C25 a fork at every message, also from before a compaction: no request, the source untouched, promptable at once', async () => {
  await withModel(
    ({ prompt }) => (prompt.includes('GO ON') ? 'Here I am.' : 'An answer.'),
    {},
    async ({ options, server }) => {
      process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
      const first = await collect(query({ prompt: 'First.', options }))
      const resume = first.result?.session_id ?? ''
      await collect(query({ prompt: 'Second.', options: { ...options, resume } }))
      await collect(query({ prompt: '/compact', options: { ...options, resume } }))
      const last = await collect(query({ prompt: 'Third.', options: { ...options, resume } }))
      assert.equal(last.result?.session_id, resume, 'resume keeps the id')
      const source = transcripts(options).get(resume) ?? ''
      const lines: { type: string; uuid?: string; isMeta?: boolean }[] = source
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      const uuids = lines.flatMap(({ type, uuid, isMeta }) =>
        uuid && !isMeta && /user|assistant/.test(type) ? [uuid] : [],
      )
      assert.ok(uuids.length >= 6)
      for (const upToMessageId of uuids) {
        const asked = server.requests.length
        const { sessionId } = await forkSession(resume, { upToMessageId, dir: options.cwd })
        assert.equal(server.requests.length, asked, 'no model call')
        assert.notEqual(sessionId, resume)
        const run = await collect(query({ prompt: 'GO ON.', options: { ...options, resume: sessionId } }))
        assert.ok(run.result?.subtype === 'success' && run.result.result === 'Here I am.')
        assert.equal(run.result.session_id, sessionId)
      }
      assert.equal(transcripts(options).get(resume), source)
    },
  )
})

test('C25 a fork is not empty, and the command goes on with it', async () => {
  await withModel(['One.', 'Two.', 'Three.'], {}, async ({ options, server }) => {
    process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
    const first = await collect(query({ prompt: 'First.', options }))
    const { sessionId } = await forkSession(first.result?.session_id ?? '', { dir: options.cwd })
    const { code, stdout } = await kedge(['-p', 'Second.', '--resume', sessionId, '--output-format', 'json'], options)
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).session_id, sessionId)
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /First\..*One\..*Second\./)
    const forked = await collect(
      query({ prompt: 'Third.', options: { ...options, resume: sessionId, forkSession: true } }),
    )
    assert.notEqual(forked.result?.session_id, sessionId)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /First\..*Two\..*Third\./)
  })
})
