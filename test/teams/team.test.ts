/** Teams as a host sees them: they work, write to each other, and end as they should, in whatever order things happen. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, type Lane, type ModelHandler, script, startModelServer, testOptions } from 'kedge/testing'
import fc from '../fast-check.js'
import { byTier } from '../support/tier.js'
import { counted, heard, ofType, type Part, playTeam } from './play.js'
import { NAMES, researchTeam } from './research-team.js'

playTeam(
  'a team of five researches, writes, hands over a task and shuts down',
  researchTeam,
  {},
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Make a team.', options }))
    assert.equal(run.error, undefined)
    assert.equal(run.result?.subtype === 'success' && run.result.result, 'The team is done.')
    const events = heard(run.messages)
    for (const name of NAMES) {
      assert.equal(events.filter((event) => event === `task_started ${name}`).length, 1, name)
      assert.equal(events.filter((event) => event === `task_notification ${name} completed`).length, 1, name)
    }
    // Every turn of the lead has its one result.
    assert.equal(events.filter((event) => event === 'init').length, events.filter((event) => event === 'result').length)
    const first = run.results[0]
    assert.ok((first?.pending_tasks ?? []).every(({ task_type }) => task_type === 'in_process_teammate'))
    const deleted = ofType(run.messages, 'user').find((m) => JSON.stringify(m).includes('toolu_delete'))
    assert.deepEqual(deleted?.tool_use_result, {
      success: true,
      message: 'The team alpha and its files are gone.',
      team_name: 'alpha',
    })
    const config = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    assert.deepEqual(readdirSync(join(config, 'teams')), [])
    assert.deepEqual(readdirSync(join(config, 'tasks')), [])
    assert.deepEqual(server.failures ?? [], [])
  },
)

/** As often as the long run has time for; each of them is a whole session. */
const RUNS = byTier({ quick: 4, all: 12, long: 200 })

test('in whatever order the agents get their answers, every message is read once and every task is done once', async () => {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    /** The model answers whom the scheduler says. */
    const inTurn = (name: string, part: Part): ModelHandler => {
      const answer = counted(part)
      return async (request) => {
        await scheduler.schedule(Promise.resolve(), name)
        return answer(request)
      }
    }
    const { lead, ...mates } = researchTeam()
    const lanes = Object.entries(mates).map(([name, part]): [string, Lane] => [
      name,
      { when: { opening: `\n${name} ` }, turns: inTurn(name, part) },
    ])
    await using server = await startModelServer(script(inTurn('lead', lead), { lanes: Object.fromEntries(lanes) }))
    await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', agentTeams: true })
    const running = collect(query({ prompt: 'Make a team.', options }))
    await scheduler.waitFor(running)
    const run = await running
    assert.equal(run.error, undefined)
    assert.equal(run.result?.subtype === 'success' && run.result.result, 'The team is done.')
    const prompts = server.requests.map(({ prompt }) => prompt)
    const times = (text: string) => prompts.reduce((sum, prompt) => sum + prompt.split(`\n${text}\n`).length - 1, 0)
    for (const name of NAMES) {
      assert.equal(times(`report of ${name}`), 1, `report of ${name}`)
      assert.equal(times(`greetings from ${name}`), 1, `greetings from ${name}`)
    }
    assert.equal(times('report of the fifth'), 1)
    const results = server.requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
    for (const id of ['1', '2', '3', '4', '5']) {
      const claims = results.filter((text) => text === `Updated task #${id}: owner, status`)
      const ends = results.filter((text) => text === `Updated task #${id}: status`)
      assert.deepEqual([claims.length, ends.length], [1, 1], `task #${id}`)
    }
    const events = heard(run.messages)
    assert.equal(events.filter((event) => event === 'init').length, events.filter((event) => event === 'result').length)
  })
  await fc.assert(property, { numRuns: RUNS })
})
