/**
 * C29: black boxes in the stream: nothing of sub-agents, nothing of commands while they run.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/22 · https://github.com/anthropics/claude-code/issues/43553
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/343 · https://github.com/agentclientprotocol/claude-agent-acp/issues/739
 * https://github.com/anthropics/claude-code/issues/17956 · https://github.com/anthropics/claude-code/issues/47336
 *
 * T: text, thinking, pieces of inputs and output of tools at every depth, each with whose it is; what a command prints is told while it
 * runs, and a long tool shows that it lives; the pieces joined are the message, byte for byte. (DECISIONS A15: progress every 2 s; the
 * place in the tree is `parent_tool_use_id`, as the original has it.)
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKMessage } from 'kedge'
import { script } from 'kedge/testing'
import { bash, call, play, prompts, say } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const task = (prompt: string, id: string) => call('Task', { description: 'Work', prompt, subagent_type: 'worker' }, id)
const agents = { worker: { description: 'Works', prompt: 'You work.', tools: ['Task', 'Bash'] } }

type Pieces = { text: string; thinking: string; json: string }

/** The pieces that came, by whose they are. */
function streamed(messages: readonly SDKMessage[]): Map<string | null, Pieces> {
  const all = new Map<string | null, Pieces>()
  for (const message of messages) {
    if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') continue
    const { delta } = message.event
    const of = all.get(message.parent_tool_use_id) ?? { text: '', thinking: '', json: '' }
    if (delta.type === 'text_delta') of.text += delta.text
    if (delta.type === 'thinking_delta') of.thinking += delta.thinking
    if (delta.type === 'input_json_delta') of.json += delta.partial_json
    all.set(message.parent_tool_use_id, of)
  }
  return all
}

/** The same from the whole messages. */
function whole(messages: readonly SDKMessage[]): Map<string | null, Pieces> {
  const all = new Map<string | null, Pieces>()
  for (const message of messages) {
    if (message.type !== 'assistant') continue
    const of = all.get(message.parent_tool_use_id) ?? { text: '', thinking: '', json: '' }
    for (const block of message.message.content) {
      if (block.type === 'text') of.text += block.text
      if (block.type === 'thinking') of.thinking += block.thinking
      if (block.type === 'tool_use') of.json += JSON.stringify(block.input)
    }
    all.set(message.parent_tool_use_id, of)
  }
  return all
}

for (const isolation of isolationsOf('C29 text, thinking and inputs of')) {
  test(`C29 text, thinking and inputs of two levels of sub-agents, and the pieces are the message byte for byte (${isolation})`, async () => {
    const model = script([{ text: 'Zuerst… ✓', chunk: 1, ...task('ONE.', 'toolu_one') }, 'Fertig 🎉.'], {
      lanes: {
        one: {
          when: { opening: 'ONE' },
          turns: [{ thinking: 'Hm, äh.', text: 'One.', ...task('TWO.', 'toolu_two') }, 'One done.'],
        },
        two: { when: { opening: 'TWO' }, turns: [{ thinking: 'Deep.', ...bash('echo "ü"', 'toolu_b') }, 'Two döne.'] },
      },
    })
    const options = {
      isolation,
      agents,
      includePartialMessages: true,
      forwardSubagentText: true,
      allowedTools: ['Bash'],
    }
    const run = await play(model, options)
    assert.equal(run.result?.subtype, 'success')
    const said = whole(run.messages)
    assert.deepEqual([...said.keys()].sort(), [null, 'toolu_one', 'toolu_two'].sort())
    assert.deepEqual(streamed(run.messages), said)
    assert.match(said.get('toolu_two')?.thinking ?? '', /Deep/)
    assert.match(said.get('toolu_two')?.text ?? '', /döne/)
  })
}

test('C29 output of a command comes while it runs, also of a command of a sub-agent, and each says whose it is', async () => {
  const slow = 'echo early; sleep 4.5; echo late'
  const model = script([{ tools: [...bash(slow, 'toolu_main').tools, ...task('WORK.', 'toolu_t').tools] }, 'Done.'], {
    lanes: { one: { when: { opening: 'WORK' }, turns: [bash(slow, 'toolu_sub'), 'Worked.'] } },
  })
  const run = await play(model, { agents, includeToolOutput: true, allowedTools: ['Bash', 'Task'] })
  for (const [id, parent] of [
    ['toolu_main', null],
    ['toolu_sub', 'toolu_t'],
  ] as const) {
    const progress = run.messages.flatMap((m) => (m.type === 'tool_progress' && m.tool_use_id === id ? [m] : []))
    assert.ok(progress.length >= 1, `${id}: ${progress.length}`)
    const printed = progress.find(({ output }) => output !== undefined && output !== '')
    assert.deepEqual([printed?.output, printed?.parent_tool_use_id], ['early\n', parent])
    // A heartbeat, so that a long tool is not taken for a dead one.
    const beats = progress.filter(({ output }) => output === undefined)
    assert.ok(beats.length >= 1 && beats.every(({ elapsed_time_seconds }) => elapsed_time_seconds > 0))
  }
})

test('C29 the same pieces with messages that are streamed in', async () => {
  const input = prompts()
  input.send(say('Go.'))
  input.end()
  const run = await play([{ text: 'Hello there.', chunk: 3 }], { includePartialMessages: true }, input.stream)
  assert.deepEqual(streamed(run.messages), whole(run.messages))
})
