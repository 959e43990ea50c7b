import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { nodeClock } from '../../platform/clock.js'
import type { Caller } from '../access/access-tokens.js'
import { ServerLog } from '../server-log.js'
import { PushSender } from './push-sender.js'

const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const caller: Caller = { id: 'main', name: 'main', scopes: ['read'] }

it('tells more browsers at once than Node lets wait for one signal, and ends with all of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-push-'))
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.message)
  process.on('warning', note)
  try {
    let waiting = 0
    let over = 0
    const sender = new PushSender({
      folder,
      contact: 'mailto:nobody@example.com',
      lastingId: () => 'main',
      callerOf: () => caller,
      maySee: async () => true,
      titleOf: async () => undefined,
      post: async () => 503,
      log: new ServerLog(() => (over += 1)),
      wait: (ms, signal) => {
        waiting += 1
        return nodeClock.sleep(ms, signal)
      },
    })
    for (let n = 0; n < 30; n += 1) sender.add(caller, { endpoint: `https://push.example.com/${n}`, keys })
    sender.tell({ kind: 'done', session: 's1', seq: 1, at: '2026-11-18T00:00:00Z', text: 'Done.' })
    while (waiting < 30) await nodeClock.sleep(5)
    sender.end()
    while (over < 30) await nodeClock.sleep(5)
    assert.deepEqual(warnings, [])
  } finally {
    process.off('warning', note)
    rmSync(folder, { recursive: true, force: true })
  }
})
