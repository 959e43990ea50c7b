/** A stage whose process is killed at any moment: what readers were told is there afterwards, with the same numbers, and goes on. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { byTier } from '../support/tier.js'
import { readUntil } from './hub-stage.js'

const KILLS = byTier({ quick: 2, all: 4, long: 60 })

test(`${KILLS} kills: no entry is lost, repeated or changed, and every prompt ends once`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'kedge-kill-'))
  const cwd = join(root, 'project')
  mkdirSync(cwd)
  const env = { PATH: process.env['PATH'], HOME: root, CLAUDE_CONFIG_DIR: join(root, '.claude') }
  const session = randomUUID()
  const told: LogEntry[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = fileURLToPath(new URL('./run-hub.js', import.meta.url))
    const child = spawn(process.execPath, [program, session, cwd], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    // Somewhere in the work, wherever that is after so many entries.
    const wanted = told.length + 25 + kill * 7
    for await (const chunk of child.stdout) {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      told.push(...lines.map((line) => JSON.parse(line)))
      // On a busy machine many prompts are there before the first one is done.
      const isDone = told.some(({ kind, data }) => kind === 'prompt' && data.change === 'done')
      if (told.length >= wanted && isDone) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    assert.equal(child.signalCode, 'SIGKILL')
  }
  process.env['CLAUDE_CONFIG_DIR'] = env.CLAUDE_CONFIG_DIR
  const { createHub } = await import('../../src/hub/create-hub.js')
  const hub = createHub({ options: { model: 'practice', cwd } })
  const { seq } = await hub.info(session)
  const log = (await readUntil(hub, session, (item) => item.seq === seq)) as LogEntry[] // without an agent there are no deltas
  assert.deepEqual(
    log.map((entry) => entry.seq),
    log.map((_, n) => n + 1),
  )
  const bySeq = new Map(log.map((entry) => [entry.seq, entry]))
  for (const entry of told) assert.deepEqual(bySeq.get(entry.seq), entry)
  assert.equal(new Set(told.map((entry) => entry.seq)).size, told.length)
  const prompts = log.flatMap((entry) => (entry.kind === 'prompt' ? [entry.data] : []))
  const waiting = new Set((await hub.queue(session)).map(({ id }) => id))
  for (const change of prompts) {
    if (change.change !== 'queued') continue
    const { id } = change.prompt
    const ends = prompts.filter(
      (other) => /done|interrupted|removed/.test(other.change) && 'id' in other && other.id === id,
    )
    assert.equal(ends.length, waiting.has(id) ? 0 : 1, id)
  }
  assert.ok(prompts.some(({ change }) => change === 'interrupted'))
  assert.ok(prompts.some(({ change }) => change === 'done'))
  await hub.end()
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})
