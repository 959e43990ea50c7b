/** The hook matrix: every event, from every source, with everything a hook can do, against the committed table. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createProcessRunner } from '../../src/platform/processes/processes.js'
import { HOOK_EVENTS } from '../../src/protocol/hooks.js'
import { isInPart } from '../support/tier.js'
import { EXPECTED } from './expected.js'
import { outcomesOf } from './outcomes.js'
import { play, SOURCES } from './play.js'

const [header = [], ...rows] = EXPECTED.trim()
  .split('\n')
  .map((line) => line.split(/ +/))
const outcomes = header.slice(1)

test('the table has every event and every outcome', () => {
  assert.deepEqual(
    rows.map(([event]) => event),
    [...HOOK_EVENTS],
  )
  for (const event of HOOK_EVENTS) assert.deepEqual(outcomes, Object.keys(outcomesOf(event)))
  assert.ok(rows.every((row) => row.length === header.length))
})

describe('the matrix', { concurrency: 4 }, () => {
  const processes = createProcessRunner()
  after(() => processes.close())

  for (const source of SOURCES) {
    for (const event of HOOK_EVENTS) {
      // Settings and plugins have commands, which start a shell each.
      if (source !== 'callback' && !isInPart(`${event}, ${source}`)) continue
      test(`${event}, ${source}`, async () => {
        const [, ...cells] = rows.find(([name]) => name === event) ?? []
        const expected = Object.fromEntries(outcomes.map((outcome, index) => [outcome, cells[index]]))
        const got = await Promise.all(
          Object.entries(outcomesOf(event)).map(async ([name, outcome]) => {
            const effect = await play(event, source, outcome, processes)
            return [name, effect ?? expected[name]]
          }),
        )
        assert.deepEqual(Object.fromEntries(got), expected)
      })
    }
  }
})
