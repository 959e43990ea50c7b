import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNoticeFilter, type HostNoticeSelection, readHostNoticeSelection } from './notice-level.js'

const system = (subtype: string, more: object = {}) => ({ type: 'system', subtype, ...more })
const retry = system('api_retry')
const lifecycle = { type: 'command_lifecycle', state: 'queued' }
const init = system('init')
const result = { type: 'result' }

function sent(told: HostNoticeSelection, messages: readonly object[]): object[] {
  const out: object[] = []
  const send = createNoticeFilter(told, (message) => void out.push(message))
  for (const message of messages) void send(message)
  return out
}

describe('what a host is told', () => {
  it('is what 0.2.50 has, unless it asked or is of a newer line', () => {
    const all = [init, retry, system('model_fallback'), lifecycle, system('task_started'), { type: 'user' }, result]
    assert.deepEqual(sent('none', all), [init, system('task_started'), { type: 'user' }, result])
    assert.deepEqual(sent('newer', all), [init, retry, system('task_started'), { type: 'user' }, result])
    assert.deepEqual(sent('all', all), all)
  })

  it('begins with init: what is ours waits for it, what hooks say at the start does not', () => {
    const hook = system('hook_started')
    assert.deepEqual(sent('all', [lifecycle, hook, retry, init, result]), [hook, init, lifecycle, retry, result])
    // But what can be typed is told whoever asked for everything.
    const commands = system('commands_changed')
    assert.deepEqual(sent('all', [commands, init]), [commands, init])
    assert.deepEqual(sent('newer', [commands, init]), [init, commands])
    assert.deepEqual(sent('none', [commands, init]), [init])
    // A turn that could not begin.
    assert.deepEqual(sent('all', [lifecycle, result, retry]), [result, retry])
  })

  it('is always that nothing is saved, after init or the result of a turn that could not begin', () => {
    const loss = system('informational', { code: 'session_not_saved' })
    for (const told of ['none', 'newer', 'all'] as const) {
      assert.deepEqual(sent(told, [loss, init, result]), [init, loss, result])
      assert.deepEqual(sent(told, [init, loss, result]), [init, loss, result])
      assert.deepEqual(sent(told, [loss, result]), [result, loss])
    }
  })

  it('is the end of a message that was refused, before any init', () => {
    const refused = { ...lifecycle, state: 'completed' }
    assert.deepEqual(sent('all', [refused, init]), [refused, init])
    assert.deepEqual(sent('none', [refused, init]), [init])
  })

  it('has the names of the newer line for hosts of that line', () => {
    const denied = system('permission_denied', { content: 'No.' })
    const theirs = [init, system('permission_denied', { message: 'No.' })]
    assert.deepEqual(sent('newer', [init, denied]), theirs)
    assert.deepEqual(sent('newer', [denied, init]), theirs)
    assert.deepEqual(sent('all', [init, denied]), [init, denied])
  })
})

it('a host asks by a flag, or by being of a newer line', () => {
  assert.equal(readHostNoticeSelection(true, {}), 'all')
  assert.equal(readHostNoticeSelection(false, {}), 'none')
  for (const [version, told] of [
    ['0.2.50', 'none'],
    ['0.1.30', 'none'],
    ['0.3.325', 'newer'],
    ['0.12.0', 'newer'],
    ['1.0.0', 'newer'],
  ])
    assert.equal(readHostNoticeSelection(false, { CLAUDE_AGENT_SDK_VERSION: version }), told, version)
})
