/** A few words about each batch of calls, for hosts that ask for them. */
import assert from 'node:assert/strict'
import { query } from 'kedge'
import { collect, type ModelRequest, type Step } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const bash = (id: string, command: string) => ({ id, name: 'Bash', input: { command } })
const isSummary = ({ tools }: ModelRequest) => tools.length === 0

/** The conversation has three answers; whoever is asked without tools sums up, the second time in vain. */
const answers = (): Step[] => {
  const spoken = [
    { tools: [bash('toolu_1', 'echo one'), bash('toolu_2', 'echo two')] },
    { tools: [bash('toolu_3', 'echo three')] },
    { text: 'Done.' },
  ]
  const summaries = [{ text: 'Counted to two\nand more' }, { status: 400, message: 'no' }]
  const answer = (request: ModelRequest) => (isSummary(request) ? summaries : spoken).shift() ?? { text: 'Too much.' }
  return Array.from({ length: 5 }, () => answer)
}

bothWays(
  'CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: each batch of calls is told as a tool_use_summary, before the result',
  answers,
  { allowedTools: ['Bash'], env: { CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '1' } },
  async ({ options, server }) => {
    const { messages, results } = await collect(query({ prompt: 'Go.', options }))
    const told = messages.flatMap((m) => (m.type === 'tool_use_summary' ? [[m.summary, m.preceding_tool_use_ids]] : []))
    // One that fails is left out, and the turn goes on.
    assert.deepEqual(told, [['Counted to two', ['toolu_1', 'toolu_2']]])
    assert.equal(kinds(messages).at(-1), 'result')
    assert.deepEqual(
      results.map(({ subtype, num_turns }) => [subtype, num_turns]),
      [['success', 4]],
    )
    const [asked] = server.requests.filter(isSummary)
    assert.match(asked?.prompt ?? '', /echo one.*one.*echo two.*two/s)
  },
)
