/** A task of a server is canceled there, wherever the call that waits for it is interrupted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../protocol/json.js'
import { McpError } from '../mcp-error.js'
import { followServerTask } from './server-task.js'

const QUESTION = { method: 'elicitation/create', params: {} }
const created = { resultType: 'task', taskId: 't1', status: 'working' }

/** Rejects as an interrupted request does. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new McpError('mcp_cancelled', 'The call was canceled.')))
  })

for (const place of ['between two looks', 'during a look', 'during a question'] as const)
  test(`interrupted ${place}`, async () => {
    const interruption = new AbortController()
    const methods: string[] = []
    const wait = (signal: AbortSignal) => {
      setImmediate(() => interruption.abort())
      return untilAborted(signal)
    }
    const following = followServerTask(
      place === 'during a question'
        ? { ...created, status: 'input_required', inputRequests: { q: QUESTION } }
        : created,
      {
        clock: {
          sleep: async (_ms: number, signal?: AbortSignal) => {
            if (place === 'between two looks' && signal) await wait(signal).catch(() => {})
          },
        },
        request: async (method, _params, signal): Promise<JsonObject> => {
          methods.push(method)
          return method === 'tasks/get' && signal ? wait(signal) : {}
        },
        answer: (_method, _params, signal) => wait(signal),
        onStatus: () => {},
      },
      interruption.signal,
    )
    await assert.rejects(following, { code: 'mcp_cancelled', message: 'The task was canceled.' })
    const looks = place === 'during a look' ? ['tasks/get'] : []
    assert.deepEqual(methods, [...looks, 'tasks/cancel'])
  })
