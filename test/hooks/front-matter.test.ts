/** Hooks on top of the files of agents, commands, and skills: they run for just these. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, type Step } from 'kedge/testing'
import { bash, call, toolResults, withModel } from '../support/stage.js'

const note = (word: string) => `echo ${word} >> told`
const front = (lines: string, body: string) => `---\n${lines}\n---\n${body}\n`
const hooksOf = (events: Record<string, string>) =>
  [
    'hooks:',
    ...Object.entries(events).flatMap(([event, command]) => [
      `  ${event}:`,
      '    - matcher: "*"',
      '      hooks:',
      '        - type: command',
      `          command: "${command}"`,
    ]),
  ].join('\n')

async function play(files: Record<string, string>, turns: Step[], prompt: string, given: Options = {}) {
  const options: Options = { settingSources: ['project'], allowedTools: ['Bash', 'Task', 'Skill'], ...given }
  return withModel(turns, options, async (world) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(world.options.cwd, '.claude', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    let stderr = ''
    const heard = (text: string) => {
      stderr += text
    }
    const { messages, result, error } = await collect(query({ prompt, options: { ...world.options, stderr: heard } }))
    const told = join(world.options.cwd, 'told')
    return {
      told: existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : [],
      messages,
      result,
      error,
      stderr,
    }
  })
}

const task = call('Task', { description: 'A job', prompt: 'JOB', subagent_type: 'worker' })

describe('hooks of an agent', () => {
  const worker = (events: Record<string, string>) => ({
    'agents/worker.md': front(`name: worker\ndescription: Works\n${hooksOf(events)}`, 'Work.'),
  })

  test('run for its calls and its end, not for those of the main thread', async () => {
    const files = worker({ PreToolUse: note('before'), Stop: note('end') })
    const turns = [
      bash('true'),
      { ...task, tools: task.tools.map((one) => ({ ...one, id: 'toolu_2' })) },
      bash('true', 'toolu_3'),
      'Worked.',
      'Done.',
    ]
    const { told, error } = await play(files, turns, 'Go.')
    assert.deepEqual([told, error], [['before', 'end'], undefined])
  })

  test('can block a call of it', async () => {
    const { told, messages } = await play(
      worker({ PreToolUse: 'echo not here >&2; exit 2' }),
      [task, bash(note('ran'), 'toolu_3'), 'Worked.', 'Done.'],
      'Go.',
      { forwardSubagentText: true },
    )
    assert.deepEqual(told, [])
    assert.match(
      toolResults(messages)
        .map(({ text }) => text)
        .join(),
      /not here/,
    )
  })

  test('a guard that can not be used takes the agent away, with a warning', async () => {
    const broken = {
      'agents/worker.md': front(
        'name: worker\ndescription: Works\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command',
        'Work.',
      ),
    }
    const { stderr, messages } = await play(broken, [task, 'Done.'], 'Go.')
    assert.match(stderr, /Warning: the agent worker is not used: .*has no "command"/)
    assert.equal(toolResults(messages)[0]?.isError, true)
  })

  test('without trust in the folder they are not used', async () => {
    const { told } = await play(
      worker({ PreToolUse: note('before') }),
      [task, bash('true', 'toolu_3'), 'Worked.', 'Done.'],
      'Go.',
      {
        untrusted: true,
      },
    )
    assert.deepEqual(told, [])
  })
})

for (const kind of ['commands/deploy.md', 'skills/deploy/SKILL.md'])
  describe(`hooks of ${kind}`, () => {
    const file = front(`description: Deploys\n${hooksOf({ PreToolUse: note('before') })}`, 'Deploy it.')

    test('run while its turn runs', async () => {
      const { told, error } = await play({ [kind]: file }, [bash('true'), 'Deployed.'], '/deploy')
      assert.deepEqual([told, error], [['before'], undefined])
    })

    test('a guard that can not be used keeps it from running', async () => {
      const broken = front('description: Deploys\nhooks:\n  PreToolUse:\n    - hooks: 5', 'Deploy it.')
      const { messages, stderr, told } = await play({ [kind]: broken }, [], '/deploy')
      assert.deepEqual(told, [])
      assert.match(stderr + JSON.stringify(messages), /hooks can't be used/)
    })
  })

test('hooks of a skill that the model uses run from then on, in that turn', async () => {
  const file = front(`description: Deploys\n${hooksOf({ PreToolUse: note('before') })}`, 'Deploy it.')
  const turns = [bash('true'), call('Skill', { skill: 'deploy' }, 'toolu_2'), bash('true', 'toolu_3'), 'Deployed.']
  const { told } = await play({ 'skills/deploy/SKILL.md': file }, turns, 'Deploy.')
  assert.deepEqual(told, ['before'])
})
