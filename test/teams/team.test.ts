/** Teams as a host sees them: they work, write to each other, and end as they should. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { collect, type ModelRequest, type Step } from 'kedge/testing'
import { agree, call, heard, mate, ofType, playTeam, say } from './play.js'

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve']

/** Researches, reports, and shuts down when asked to. The last one hands its task over to the first. */
function member(name: string, index: number) {
  const task = String(index + 1)
  const hands = name === 'eve'
  const steps: Step[] = [
    call('TaskList', {}),
    call('TaskUpdate', { taskId: task, status: 'in_progress' }),
    say(NAMES[(index + 1) % 5] ?? '', `greetings from ${name}`),
    hands
      ? call('TaskUpdate', { taskId: task, owner: 'ann' })
      : call('TaskUpdate', { taskId: task, status: 'completed' }),
    say('team-lead', `report of ${name}`),
  ]
  let hasExtra = false
  return (request: ModelRequest, n: number): Step => {
    const step = steps[n]
    if (step) return step
    const leaves = agree(request)
    if (leaves) return leaves
    if (name === 'ann' && !hasExtra && request.prompt.includes('task_assignment')) {
      hasExtra = true
      return call('TaskUpdate', { taskId: '5', status: 'completed' })
    }
    if (request.toolResults.some(({ text }) => text.includes('#5'))) return say('team-lead', 'report of the fifth')
    return 'Nothing more to do.'
  }
}

/** Makes the team, waits for all reports, shuts it down, removes it. */
function lead() {
  const opening: Step[] = [
    call('TeamCreate', { team_name: 'alpha', description: 'five who research' }, 'toolu_team'),
    ...NAMES.map((name) => call('TaskCreate', { subject: `part of ${name}`, description: 'look into it' })),
    { tools: NAMES.map((name) => mate(name)) },
  ]
  const reports = new Set<string>()
  const gone = new Set<string>()
  let asked = false
  return (request: ModelRequest, n: number): Step => {
    const step = opening[n]
    if (step) return step
    for (const [report] of request.prompt.matchAll(/report of (the )?\w+/g)) reports.add(report)
    for (const [, name = ''] of request.prompt.matchAll(/"shutdown_approved","requestId":"[^"]*","from":"(\w+)"/g))
      gone.add(name)
    if (reports.size === 6 && !asked) {
      asked = true
      return {
        tools: NAMES.map((recipient) => ({
          name: 'SendMessage',
          input: { type: 'shutdown_request', recipient, content: 'done' },
        })),
      }
    }
    if (gone.size === 5 && request.toolResults.length === 0) return call('TeamDelete', {}, 'toolu_delete')
    return gone.size === 5 ? 'The team is done.' : 'I wait.'
  }
}

playTeam(
  'a team of five researches, writes, hands over a task and shuts down',
  () => ({ lead: lead(), ...Object.fromEntries(NAMES.map((name, index) => [name, member(name, index)])) }),
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
void [existsSync, readFileSync]
