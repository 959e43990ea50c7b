import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceProcesses } from '../../protocol/workspace/workspace-processes.js'
import { toProcessRunner } from './complete-processes.js'
import type { ProcessEnd } from './process-runner.js'

const START = { command: 'x', args: [], cwd: '/', env: {} }

/** A child that prints and ends, or waits until it is ended. */
function fake(output: string, ends: boolean): WorkspaceProcesses & { ends: string[] } {
  const asked: string[] = []
  return {
    ends: asked,
    async start({ onOutput }) {
      await onOutput?.(new TextEncoder().encode(output))
      let finish: (end: ProcessEnd) => void = () => {}
      const ended = new Promise<ProcessEnd>((resolve) => {
        finish = resolve
      })
      if (ends) finish({ exitCode: 3, signal: null, report: '', endedLeftovers: 0 })
      return {
        pid: 1,
        ended,
        unref() {},
        end(how) {
          asked.push(how)
          finish({ exitCode: null, signal: 'SIGTERM', report: '', endedLeftovers: 0 })
        },
      }
    },
    async close() {},
  }
}

test('run is made from start: output, exit code, a limit on time', async () => {
  const { exitCode, stdout, timedOut } = await toProcessRunner(fake('hello', true)).run(START)
  assert.deepEqual([exitCode, stdout, timedOut], [3, 'hello', false])
  const slow = fake('', false)
  const late = await toProcessRunner(slow).run({ ...START, timeoutMs: 1 })
  assert.deepEqual([late.timedOut, slow.ends], [true, ['politely']])
})

test('what may be left out does nothing; what is there is used', async () => {
  const bare = toProcessRunner(fake('', true))
  bare.unref()
  assert.equal(bare.processLimit(10), undefined)
  const result = { exitCode: 0, signal: null, timedOut: false, aborted: false, stdout: '', stderr: '', droppedBytes: 0 }
  const own = toProcessRunner({ ...fake('', true), run: async () => result, processLimit: (more) => more + 1 })
  assert.equal(own.processLimit(10), 11)
  assert.equal((await own.run(START)).exitCode, 0)
})
