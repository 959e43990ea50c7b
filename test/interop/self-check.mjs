// Shows, before any verdict is printed, that the comparison can fail: small changes to a run must be found where they are.
import assert from 'node:assert/strict'
import { compareRuns } from './compare.mjs'
import { normalize } from './normalize.mjs'
import { judge } from './verdict.mjs'

const session = '0b6f1f0e-8d0a-4d0e-9d39-0a3f3c1f9f11'
const lines = [
  { type: 'system', subtype: 'init', session_id: session, tools: ['Bash', 'Read', 'Write'] },
  { type: 'assistant', message: { id: 'msg_fake_1', content: [{ type: 'tool_use', id: 't1', input: { a: 1 } }] } },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: '/w/x' }] } },
  { type: 'system', subtype: 'task_started', task_id: 'b123abc', output_file: '/tmp/claude-7/-w/tasks/b123abc.output' },
  { type: 'result', subtype: 'success', num_turns: 2, duration_ms: 5, total_cost_usd: 0.1 },
]

/** [what is changed, the change, where it must be reported] */
const changes = [
  ['nothing', () => {}, []],
  ['an id, a time, a price', (l) => Object.assign(l[4], { duration_ms: 9, total_cost_usd: 0.3 }), []],
  [
    'the id of a task',
    (l) => Object.assign(l[3], { task_id: 'xyz', output_file: '/var/tmp/claude-1/-w/tasks/xyz.output' }),
    [],
  ],
  [
    'one place with the id of another task',
    (l) => Object.assign(l[3], { task_id: 'b000000' }),
    ['stdout/system:task_started/output_file value'],
  ],
  ['a value', (l) => Object.assign(l[4], { num_turns: 3 }), ['stdout/result:success/num_turns value']],
  ['a missing cost', (l) => delete l[4].total_cost_usd, ['stdout/result:success/total_cost_usd missing']],
  ['a free run', (l) => Object.assign(l[4], { total_cost_usd: 0 }), ['stdout/result:success/total_cost_usd value']],
  ['a new key', (l) => Object.assign(l[1], { extra: null }), ['stdout/assistant:tool_use/extra extra']],
  ['a missing line', (l) => l.splice(2, 1), ['stdout/user:tool_result missing']],
  ['an inserted line', (l) => l.splice(1, 0, { type: 'keep_alive' }), ['stdout/keep_alive extra']],
  [
    'two lines swapped',
    (l) => l.splice(1, 2, l[2], l[1]),
    ['stdout/assistant:tool_use extra', 'stdout/assistant:tool_use missing'],
  ],
  ['a missing name', (l) => l[0].tools.splice(1, 1), ['stdout/system:init/tools/Read missing']],
  ['names in another order', (l) => l[0].tools.reverse(), ['stdout/system:init/tools order']],
  [
    'a number as text',
    (l) => Object.assign(l[1].message.content[0].input, { a: '1' }),
    ['stdout/assistant:tool_use/message/content/0/input/a value'],
  ],
]

const said = (text) => ({ role: 'user', content: [{ type: 'text', text }] })

/** [what our two requests say, how often that must be reported]: the second request repeats the message of the first. */
const histories = [
  [['a', 'a'], 0],
  [['x', 'x'], 1],
  [['a', 'x'], 1],
  [['x', 'a'], 1],
]

const state = (name) => ({ type: 'system', subtype: 'session_state_changed', state: name })
const told = (value) => ({ type: 'keep_alive', value })

/** [what is judged, lines of the reference, lines of the other release, our lines, undecided differences, as in the other release] */
const verdicts = [
  ['as in the reference', [told(1)], [told(2)], [told(1)], 0, 0],
  ['as in the other release', [told(1)], [told(2)], [told(2)], 0, 1],
  ['as in neither', [told(1)], [told(2)], [told(3)], 1, 0],
  ['a line that neither has', [told(1)], [told(1)], [told(1), told(1)], 1, 0],
  ['a line of the other release', [told(1)], [told(1), told(2)], [told(1), told(2)], 0, 1],
  ['a line that both have is missing', [told(1), told(2)], [told(1), told(2)], [told(1)], 1, 0],
  ['what the other release needs is there', [told(1)], [state('idle'), told(1)], [state('idle'), told(1)], 0, 0],
  ['what the other release needs is missing', [told(1)], [state('idle'), told(1)], [told(1)], 1, 0],
  ['what the other release needs is wrong', [told(1)], [state('idle'), told(1)], [state('busy'), told(1)], 1, 0],
]

export function checkComparison() {
  for (const [what, reference, native, ours, left, adopted] of verdicts) {
    const runs = { reference: observed(reference), native: observed(native), observed: observed(ours) }
    const verdict = judge({ scenario: {}, id: 'x', pair: 'A', version: '0.3.325', entries: [], ...runs })
    const counts = [verdict.unexplained.length, verdict.adopted.length]
    assert.deepEqual(counts, [left, adopted], `the verdict misjudges: ${what}`)
  }

  const requests = ([first, second]) => ({
    'api:main': [
      { method: 'POST', body: { messages: [said(first)] } },
      { method: 'POST', body: { messages: [said(second), said('b')] } },
    ],
  })
  for (const [texts, expected] of histories) {
    const found = compareRuns(requests(['a', 'a']), requests(texts)).length
    assert.equal(found, expected, `the comparison misjudges the history ${texts}`)
  }

  for (const [what, change, expected] of changes) {
    const changed = structuredClone(lines)
    change(changed)
    const found = compareRuns(run(lines), run(changed)).map(({ path, kind }) => `${path} ${kind}`)
    assert.deepEqual(found.sort(), expected, `the comparison misjudges: ${what}`)
  }
}

function run(stdout) {
  return normalize(observed(stdout), {})
}

function observed(stdout) {
  const spawn = { ch: 'spawn', data: { argv: [], execArgv: [], env: {}, cwd: '/w' } }
  const processes = [
    [spawn, ...stdout.map((data) => ({ ch: 'stdout', data })), { ch: 'exit', data: { code: 0, signal: null } }],
  ]
  return { folders: { cwd: '/w', home: '/h' }, api: 'http://127.0.0.1:1', processes, requests: [], notes: [] }
}
