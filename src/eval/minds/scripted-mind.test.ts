import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageParam } from '../../protocol/content.js'
import { type MessagesBody, type ModelRequest, toObservedRequest } from '../../testing/observed-request.js'
import type { Answer } from '../../testing/turn.js'
import { SCRIPTED_MIND_BEHAVIORS } from './habits.js'
import type { MindBehavior } from './mind.js'
import type { MindScript } from './mind-script.js'
import { createScriptedMind } from './scripted-mind.js'

const schema = { type: 'object', properties: { file_path: {}, offset: {} }, required: ['file_path'] }
const tools = ['Read', 'Edit', 'TaskOutput'].map((name) => ({ name, input_schema: schema }))

function request(messages: MessageParam[], more: Partial<MessagesBody> = {}): ModelRequest {
  const body: MessagesBody = { model: 'm', max_tokens: 1, messages, tools, ...more }
  return toObservedRequest(body, { index: 0, path: '/', headers: {}, ended: Promise.resolve('complete') })
}

/** A mind, and what answers all calls of its last answer. */
function play(habit: MindBehavior | undefined, script: MindScript) {
  assert.ok(habit)
  const mind = createScriptedMind(habit, script, { workspace: '/w' })
  const messages: MessageParam[] = [{ role: 'user', content: 'Begin' }]
  const ask = async (): Promise<Answer> => mind.answer(request(messages))
  const reply = (answer: Answer, text: string, isError = false) => {
    const calls = (answer.tools ?? []).map(({ id = '', name, input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input,
    }))
    messages.push({ role: 'assistant', content: calls })
    const results = calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: text,
      is_error: isError,
    }))
    messages.push({ role: 'user', content: results })
    return ask()
  }
  return { ask, reply }
}

const edit = { tool: 'Edit', input: { file_path: 'a.js', old_string: 'let a = 1', new_string: 'let a = 2' } }
const shown = (answer: Answer) => answer.tools?.map(({ name, input }) => [name, input])

describe('a scripted mind', () => {
  it('reads a file that it should have read, and tries again', async () => {
    const { ask, reply } = play(SCRIPTED_MIND_BEHAVIORS['capable'], { steps: [{ calls: [edit] }, { say: 'Done.' }] })
    const again = await reply(await ask(), 'File has not been read yet. Read it first.', true)
    assert.deepEqual(shown(again), [
      ['Read', { file_path: 'a.js' }],
      ['Edit', edit.input],
    ])
    assert.deepEqual(await reply(again, 'ok'), { text: 'Done.' })
  })

  it('uses a nearest match, a name that is meant, and gives up after four tries', async () => {
    const { ask, reply } = play(SCRIPTED_MIND_BEHAVIORS['capable'], { steps: [{ calls: [edit] }, { say: 'Done.' }] })
    const near = await reply(await ask(), 'String to replace not found in file. Nearest: line 3: "let a  = 1"', true)
    assert.deepEqual(shown(near), [['Edit', { ...edit.input, old_string: 'let a  = 1' }]])
    const named = await reply(near, 'File does not exist. Did you mean src/a.js?', true)
    assert.deepEqual(shown(named), [['Edit', { ...edit.input, old_string: 'let a  = 1', file_path: 'src/a.js' }]])
    const last = await reply(named, 'File does not exist. Did you mean b.js?', true)
    assert.deepEqual(await reply(last, 'File does not exist. Did you mean c.js?', true), { text: 'Done.' })
  })

  it('does something else instead of what is refused, and takes values from results', async () => {
    const { ask, reply } = play(SCRIPTED_MIND_BEHAVIORS['capable'], {
      steps: [
        {
          calls: [
            {
              tool: 'Read',
              input: { file_path: 'x' },
              instead: [{ tool: 'Read', input: { file_path: '{{workspace}}/y' }, take: { id: 'task (\\w+)' } }],
            },
          ],
        },
        { calls: [{ tool: 'TaskOutput', input: { task_id: '{{id}}' } }] },
      ],
    })
    const other = await reply(await ask(), 'This needs approval', true)
    assert.deepEqual(shown(other), [['Read', { file_path: '/w/y' }]])
    assert.deepEqual(shown(await reply(other, 'started as task b12')), [['TaskOutput', { task_id: 'b12' }]])
  })

  it('if sloppy, sends texts, null and a field too many, and mends what an error names', async () => {
    const { ask, reply } = play(SCRIPTED_MIND_BEHAVIORS['sloppy'], {
      steps: [{ calls: [{ tool: 'Read', input: { file_path: 'a', limit: 5 } }] }],
    })
    const first = await ask()
    assert.deepEqual(shown(first), [
      ['Read', { offset: null, file_path: 'a', limit: '5', explanation: 'This is the next step.' }],
    ])
    const second = await reply(
      first,
      'InputValidationError: `limit` is expected as `number`; unexpected `explanation`',
      true,
    )
    assert.deepEqual(shown(second), [['Read', { offset: null, file_path: 'a', limit: 5 }]])
  })

  it('if small, makes one call at a time and copies line numbers until it is told of them', async () => {
    const { ask, reply } = play(SCRIPTED_MIND_BEHAVIORS['small'], {
      steps: [{ calls: [{ tool: 'Read', input: { file_path: 'a.js' } }, edit] }],
    })
    const copied = await reply(await ask(), '     1→// a\n     2→let a = 1\n')
    assert.deepEqual(shown(copied), [['Edit', { ...edit.input, old_string: '     2→let a = 1' }]])
    const right = await reply(copied, 'String to replace not found in file. It contains line numbers of Read.', true)
    assert.deepEqual(shown(right), [['Edit', edit.input]])
  })

  it('writes into a summary only what it can read', async () => {
    const script = { steps: [], facts: ['the port is 1', 'the port is 2'] }
    const mind = createScriptedMind(SCRIPTED_MIND_BEHAVIORS['capable'] as MindBehavior, script, {})
    const asked: MessageParam[] = [{ role: 'user', content: 'the port is 2. Sum up the conversation so far.' }]
    assert.deepEqual(await mind.answer(request(asked)), { text: 'the port is 2' })
  })

  it('gives a request that is sent again the same answer', async () => {
    const { ask } = play(SCRIPTED_MIND_BEHAVIORS['capable'], { steps: [{ calls: [edit] }, { say: 'Done.' }] })
    assert.deepEqual(await ask(), await ask())
  })
})
