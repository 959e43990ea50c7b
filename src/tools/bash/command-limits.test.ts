/** What bounds a command: the numbers the environment and the call may set, and what becomes of nonsense. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areBackgroundTasksEnabled, commandLimits } from './command-limits.js'

const limits = (env: Record<string, string> = {}, timeout?: number) =>
  commandLimits({ command: 'x', ...(timeout === undefined ? {} : { timeout }) }, env)
const time = (env: Record<string, string>, timeout?: number) => limits(env, timeout).timeoutMs

describe('the limits of a command', () => {
  it('are these when nobody says anything', () => {
    assert.deepEqual(limits(), { timeoutMs: 120_000, outputLength: 30_000, processes: 2_048, background: true })
  })

  it('wait as long as the call asks for, up to the longest there is', () => {
    assert.deepEqual([time({}, 1), time({}, 0.5), time({}, 600_000), time({}, 600_001)], [1, 0.5, 600_000, 600_000])
    assert.equal(time({ BASH_DEFAULT_TIMEOUT_MS: '500', BASH_MAX_TIMEOUT_MS: '1000' }, 2_000), 1_000)
    assert.equal(time({ BASH_MAX_TIMEOUT_MS: '900000' }, 800_000), 800_000)
  })

  it('take a default that is larger than the maximum for the maximum', () => {
    assert.equal(time({ BASH_DEFAULT_TIMEOUT_MS: '900000' }), 900_000)
    assert.equal(time({ BASH_DEFAULT_TIMEOUT_MS: '900000', BASH_MAX_TIMEOUT_MS: '5' }, 800_000), 800_000)
    assert.equal(time({ BASH_DEFAULT_TIMEOUT_MS: '5' }, 10), 10)
    assert.equal(time({ BASH_MAX_TIMEOUT_MS: '5' }), 120_000)
  })

  it('are never more than a timer takes, which would end at once', () => {
    assert.equal(time({ BASH_MAX_TIMEOUT_MS: '1e15' }, 1e14), 2 ** 31 - 1)
    assert.equal(time({ BASH_DEFAULT_TIMEOUT_MS: '1e15' }), 2 ** 31 - 1)
  })

  it('forget what is no number above nothing', () => {
    for (const bad of ['', ' ', 'x', '0', '-1', 'NaN', 'Infinity', '1e999']) {
      assert.deepEqual(
        limits({ BASH_DEFAULT_TIMEOUT_MS: bad, BASH_MAX_TIMEOUT_MS: bad, KEDGE_MAX_PROCESSES: bad }),
        limits(),
        bad,
      )
    }
  })

  it('count processes in whole numbers', () => {
    assert.deepEqual(
      ['64', ' 64 ', '1.5', '1e3'].map((value) => limits({ KEDGE_MAX_PROCESSES: value }).processes),
      [64, 64, 2_048, 1_000],
    )
  })

  it('let nothing go on in the background where that is switched off', () => {
    const may = (value: string) => areBackgroundTasksEnabled({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: value })
    assert.deepEqual(['1', 'true', 'YES', '0', '', 'false'].map(may), [false, false, false, true, true, true])
    assert.equal(limits({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }).background, false)
  })
})
