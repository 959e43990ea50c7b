/** A team that researches in five parts: what its lead and its members do. */
import type { ModelRequest, Step } from 'kedge/testing'
import { agree, call, mate, type Parts, say } from './play.js'

export const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve']

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

export function researchTeam(): Parts {
  return { lead: lead(), ...Object.fromEntries(NAMES.map((name, index) => [name, member(name, index)])) }
}
