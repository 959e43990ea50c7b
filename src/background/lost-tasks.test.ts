import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentBlockParam, MessageParam } from '../protocol/content.js'
import { findLostTasks, RUNNING_TASKS_HEADING } from './lost-tasks.js'

const used = (id: string, name: string, input: object): MessageParam => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
})
const gave = (id: string, ...texts: string[]): MessageParam => ({
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: id, content: texts.length === 1 ? (texts[0] ?? '') : texts.map(textBlock) },
  ],
})
const textBlock = (text: string) => ({ type: 'text' as const, text })
const said = (text: string): MessageParam => ({
  role: 'user',
  content: [textBlock(text)] satisfies ContentBlockParam[],
})

const STARTED = 'Command running in background with ID: b1. Output is being written to: /tmp/b1.output\nLook at it.'
const BEGUN = [used('c1', 'Bash', { command: 'make' }), gave('c1', STARTED)]
const idsOf = (messages: MessageParam[]) => findLostTasks(messages).map(({ id }) => id)

test('commands and agents that were started are lost without an end', () => {
  const task = 'The agent works in the background. You are told.\nagentId: a1 (pass it on)\noutput_file: /tmp/a1.output'
  const messages = [...BEGUN, used('c2', 'Task', { description: 'Review' }), gave('c2', task, 'more')]
  assert.deepEqual(findLostTasks(messages), [
    { id: 'b1', type: 'local_bash', toolUseId: 'c1', description: 'make', command: 'make' },
    { id: 'a1', type: 'local_agent', toolUseId: 'c2', description: 'Review' },
  ])
})

test('a notice, TaskOutput and TaskStop show an end; a look at one that runs does not', () => {
  const look = used('c2', 'TaskOutput', { task_id: 'b1' })
  const ended = '<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>failed</status>'
  const runs = '<task_id>b1</task_id>\n\n<status>running</status>\n\n<output>\n<status>completed</status>\n</output>'
  assert.deepEqual(
    idsOf([...BEGUN, said('<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>')]),
    [],
  )
  assert.deepEqual(idsOf([...BEGUN, look, gave('c2', ended)]), [])
  assert.deepEqual(idsOf([...BEGUN, look, gave('c2', runs)]), ['b1'])
  const stop = used('c2', 'TaskStop', { task_id: 'b1' })
  assert.deepEqual(idsOf([...BEGUN, stop, gave('c2', 'Successfully stopped task: b1 (make). Look.')]), [])
  assert.deepEqual(idsOf([...BEGUN, stop, gave('c2', 'Interrupted while task b1 was being stopped.')]), ['b1'])
})

test('tasks that a compaction or an agent names are found; the same words of anybody else are not', () => {
  const list = `${RUNNING_TASKS_HEADING}\n- b1: command \`npm run dev\`; output: /tmp/b1\n- a2: Review; output: /tmp/a2`
  const named = [
    { id: 'b1', type: 'local_bash', description: 'npm run dev', command: 'npm run dev' },
    { id: 'a2', type: 'local_agent', description: 'Review' },
  ]
  assert.deepEqual(findLostTasks([said(`<system-reminder>\n${list}\n</system-reminder>`)]), named)
  assert.deepEqual(findLostTasks([used('c1', 'Task', {}), gave('c1', 'Done.', list)]), named)
  assert.deepEqual(idsOf([said(list), said(STARTED)]), [])
  for (const name of ['Read', 'mcp__notes__read'])
    assert.deepEqual(idsOf([used('c1', name, {}), gave('c1', STARTED)]), [])
})
