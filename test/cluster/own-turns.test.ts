/** Turns that an agent begins by itself, because work in the background has ended. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ModelHandler } from 'kedge/testing'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { entriesOf, isEndOf, readUntil } from '../hub/hub-stage.js'
import { openStage } from './stage.js'

/** A first prompt leaves a command in the background; everything else is answered with how often it was asked. */
function leavesWork(): ModelHandler {
  let asked = 0
  return () => {
    asked += 1
    if (asked > 1) return `Answer ${asked}`
    return { tools: [{ name: 'Bash', input: { command: 'sleep 1', run_in_background: true, description: 'A rest' } }] }
  }
}

function resultsOf(items: readonly LogItem[]): string[] {
  return entriesOf(items).flatMap(({ kind, data }) =>
    kind === 'message' && data.type === 'result' && data.subtype === 'success' ? [data.result] : [],
  )
}

it('have their result in the log, and the next prompt has its own', { timeout: 20_000 }, async () => {
  await using stage = await openStage(leavesWork(), { options: { allowedTools: ['Bash'] } })
  const { hub, cluster } = stage
  const session = await stage.begin()
  await hub.send(session, { id: 'a', content: 'Begin.' })
  let isDone = false
  const rested = (item: LogItem) => {
    isDone ||= isEndOf('a')(item)
    return isDone && item.kind === 'state' && item.data.status === 'idle'
  }
  assert.deepEqual(resultsOf(await readUntil(hub, session, rested, { deltas: false })), ['Answer 2', 'Answer 3'])
  const { costUsd } = await hub.info(session)
  const database = cluster.database.as('acme')
  const [paid] = await database.query<{ usd: number }>('select spent_usd::float8 as usd from kedge.tenants')
  assert.ok(costUsd > 0)
  assert.equal(paid?.usd.toFixed(9), costUsd.toFixed(9))
  await hub.send(session, { id: 'b', content: 'And now?' })
  const all = resultsOf(await readUntil(hub, session, isEndOf('b'), { deltas: false }))
  assert.deepEqual(all, ['Answer 2', 'Answer 3', 'Answer 4'])
})
