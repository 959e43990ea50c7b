/** `callTools` of kedge/testing, as docs/testing.md shows it. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { callTools } from 'kedge/testing'

test('a background command can be asked for its output', async () => {
  const { results } = await callTools([
    { name: 'Bash', input: { command: 'echo up; sleep 1; echo done', run_in_background: true } },
    { name: 'TaskOutput', input: ([bash]) => ({ task_id: /ID: (\w+)/.exec(bash?.text ?? '')?.[1] }) },
  ])
  assert.match(results[1]?.text ?? '', /up\ndone/)
})

test('tools that ask the model themselves do not use up the calls of the test', async () => {
  const page = createServer((_, response) => response.setHeader('content-type', 'text/plain').end('Hello.'))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  // Listening, so the address is no string and not null.
  const { port } = page.address() as AddressInfo
  try {
    const { results } = await callTools([
      { name: 'WebFetch', input: { url: `http://127.0.0.1:${port}/`, prompt: 'What does it say?' } },
      { name: 'Bash', input: { command: 'echo after' } },
    ])
    assert.deepEqual(
      results.map(({ name, isError }) => [name, isError]),
      [
        ['WebFetch', false],
        ['Bash', false],
      ],
    )
  } finally {
    page.close()
  }
})

test('a call that never happened is an error of the test', async () => {
  await assert.rejects(
    callTools([{ name: 'Bash', input: { command: 'true' } }], { maxBudgetUsd: 0.000001 }),
    /0 of 1 tools were called/,
  )
})
