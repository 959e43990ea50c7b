/** `kedge serve` on a terminal: the link is what a person sees first. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { cli, noTerminal, quoted } from './kedge.js'

const CTRL_C = '\u0003'

test('kedge serve on a terminal prints the address and the link, and no log line before them', {
  skip: noTerminal,
}, async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const line = quoted([process.execPath, cli, 'serve', '--port', '0'])
  const env = { TERM: 'xterm', ...options.env }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: options.cwd, env })
  let shown = ''
  let isEnding = false
  child.stdout.on('data', (chunk) => {
    shown += chunk
    if (isEnding || !shown.includes('#token=')) return
    isEnding = true
    child.stdin.on('error', () => {}).write(CTRL_C)
  })
  await once(child, 'close')
  assert.match(shown, /^Kedge listens on http:\/\/127\.0\.0\.1:\d+\r?\n/)
  assert.doesNotMatch(shown, /"event":"listening"/)
})
