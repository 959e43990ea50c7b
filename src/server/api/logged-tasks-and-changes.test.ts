import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { findFileChangesInLog, outputFileOf, tasksInLog } from './logged-tasks-and-changes.js'

const log = (...messages: object[]): LogEntry[] =>
  messages.map(
    (data, n) => ({ session: 's', seq: n + 1, at: `t${n + 1}`, kind: 'message', data }) as unknown as LogEntry,
  ) // as agents send them
const system = (subtype: string, fields: object) => ({ type: 'system', subtype, ...fields })
const result = (content: string, more: object = {}) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] },
  ...more,
})

describe('what a log says', () => {
  it('about tasks', () => {
    const tasks = tasksInLog(
      log(
        system('task_started', { task_id: 'a', description: 'Sleeps', task_type: 'local_bash', tool_use_id: 't' }),
        system('task_started', { task_id: 'b', description: 'Looks' }),
        system('task_updated', { task_id: 'b', patch: { status: 'paused', description: 'Looks on' } }),
        system('task_notification', {
          task_id: 'a',
          status: 'stopped',
          summary: 'Stopped.',
          output_file: '/x/a.output',
        }),
        system('task_notification', { task_id: 'unknown', status: 'completed', summary: '' }),
      ),
    )
    assert.deepEqual(tasks, [
      {
        id: 'a',
        description: 'Sleeps',
        status: 'stopped',
        since: 't1',
        type: 'local_bash',
        toolUseId: 't',
        summary: 'Stopped.',
      },
      { id: 'b', description: 'Looks on', status: 'paused', since: 't2' },
    ])
  })

  it('about where they print to: the first that says so, and the agent itself above all', () => {
    const said = (id: string, file: string) =>
      result(`Command running in background with ID: ${id}. Output is being written to: ${file}`)
    const entries = log(said('a', '/x/a.output'), said('a', '/etc/a.output'), said('b', '/x/b.output'))
    assert.equal(outputFileOf(entries, 'a'), '/x/a.output')
    assert.equal(outputFileOf(entries, 'c'), undefined)
    const ended = log(
      said('a', '/x/a.output'),
      system('task_notification', { task_id: 'a', output_file: '/y/a.output' }),
    )
    assert.equal(outputFileOf(ended, 'a'), '/y/a.output')
  })

  it('about files', () => {
    const hunks = [{ oldStart: 1, lines: ['-a', '+b'] }]
    const changes = findFileChangesInLog(
      log(
        result('', { tool_use_result: { filePath: '/a', structuredPatch: [], type: 'create' } }),
        result('', { tool_use_result: { filePath: '/b', structuredPatch: hunks } }),
        result('', { tool_use_result: 'a text' }),
        result('', { tool_use_result: { filePath: '/c' } }),
      ),
    )
    assert.deepEqual(changes, [
      { seq: 1, path: '/a', isNew: true, hunks: [] },
      { seq: 2, path: '/b', isNew: false, hunks },
    ])
  })
})
