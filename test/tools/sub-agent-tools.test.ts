/**
 * C20: sub-agents silently lack MCP tools, and then make results up.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/332 · https://github.com/anthropics/claude-code/issues/37353
 * https://github.com/anthropics/claude-code/issues/38920 · https://github.com/anthropics/claude-code/issues/25200
 * https://github.com/anthropics/claude-code/issues/64909 · https://github.com/anthropics/claude-code/issues/30280
 * https://github.com/anthropics/claude-code/issues/79728 · https://github.com/anthropics/claude-code/issues/23374
 * https://github.com/anthropics/claude-code/issues/13254 · https://github.com/anthropics/claude-code/issues/17841
 * https://github.com/anthropics/claude-agent-sdk-python/issues/425 · https://github.com/github/copilot-cli/issues/2949
 *
 * T: a task that is started says which tools it has; a tool that is named but not there is an error or says so, never silence;
 * in-process servers are there at every depth; text in the shape of a call, without a call, is told.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { script } from 'kedge/testing'
import { call, notices, play, system, toolResults } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const host = () =>
  createSdkMcpServer({
    name: 'host',
    tools: [tool('ask', 'Asks.', {}, async () => ({ content: [{ type: 'text' as const, text: 'the real answer' }] }))],
  })
const task = (subagent_type: string, prompt: string, extra: object = {}) =>
  call('Task', { description: 'Work', prompt, subagent_type, ...extra }, `toolu_${prompt.slice(0, 4)}`)
const worker = { description: 'Works', prompt: 'You work.' }

for (const isolation of isolationsOf('C20 in-process servers are there at')) {
  test(`C20 in-process servers are there at every depth, waited for and in the background (${isolation})`, async () => {
    for (const run_in_background of [false, true]) {
      const asks = call('mcp__host__ask', {}, 'toolu_ask')
      const main = [task('lead', 'LEAD.', { run_in_background }), 'Done.', ...(run_in_background ? ['All done.'] : [])]
      const model = script(main, {
        lanes: {
          lead: { when: { opening: 'LEAD' }, turns: [task('worker', 'DEEP.'), 'Led.'] },
          worker: {
            when: { opening: 'DEEP' },
            turns: [asks, { text: 'Worked.', expect: { toolResult: 'the real answer' } }],
          },
        },
      })
      const run = await play(model, {
        isolation,
        mcpServers: { host: host() },
        allowedTools: ['mcp__host'],
        agents: {
          lead: { ...worker, tools: ['Task', 'mcp__host__ask'] },
          worker: { ...worker, tools: ['mcp__host__ask'] },
        },
      })
      assert.equal(run.result?.subtype, 'success')
      const deep = run.server.requests.find(({ opening }) => opening.includes('DEEP'))
      assert.deepEqual(deep?.tools, ['mcp__host__ask'])
    }
  })
}

test('C20 task_started says which tools the agent has', async () => {
  const model = script([task('worker', 'WORK.', { run_in_background: true }), 'Started.', 'Done.'], {
    lanes: { worker: { when: { opening: 'WORK' }, turns: ['Worked.'] } },
  })
  const run = await play(model, {
    mcpServers: { host: host() },
    agents: { worker: { ...worker, tools: ['Read', 'mcp__host__ask'] } },
  })
  const [started] = system(run.messages, 'task_started')
  assert.deepEqual(started?.tools, ['Read', 'mcp__host__ask'])
})

test('C20 a tool that is named but not there is told to the model and to the host, never silently left out', async () => {
  const model = script([task('worker', 'WORK.'), 'Done.'], {
    lanes: { worker: { when: { opening: 'WORK' }, turns: ['Worked.'] } },
  })
  const run = await play(model, { agents: { worker: { ...worker, tools: ['Read', 'mcp__gone__ask'] } } })
  assert.deepEqual(notices(run.messages, 'agent_tools_missing'), [{ agent: 'worker', tools: 'mcp__gone__ask' }])
  const [asked] = run.server.requests.filter(({ tools }) => !tools.includes('Task'))
  assert.match(JSON.stringify(asked?.body.messages), /mcp__gone__ask/)
})

test('C20 a call that is only text is told as suspect; a real call, or text about calls, is not', async () => {
  const fake = 'I will ask.\n<tool_call>\n{"name": "mcp__host__ask", "arguments": {}}\n</tool_call>\nThe answer is 42.'
  const invented = await play([fake])
  assert.deepEqual(notices(invented.messages, 'suspect_fabrication'), [
    { tool: 'mcp__host__ask', parent_tool_use_id: null },
  ])
  const inside = await play(
    script([task('general-purpose', 'WORK.'), 'Done.'], {
      lanes: { worker: { when: { opening: 'WORK' }, turns: [fake] } },
    }),
  )
  assert.equal(notices(inside.messages, 'suspect_fabrication')[0]?.['parent_tool_use_id'], 'toolu_WORK')
  const fine = await play([
    call('Read', { file_path: 'a' }),
    'A tool_call is a block of the API; <tool_call> is how some models write it.',
  ])
  assert.equal(toolResults(fine.messages).length, 1)
  assert.deepEqual(notices(fine.messages, 'suspect_fabrication'), [])
})
