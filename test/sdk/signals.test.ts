/** A job that a signal ended says so by its exit code, in every format, whatever it was doing, and names what is left undone. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
const FORMATS = [
  ['text', 'text'],
  ['text', 'json'],
  ['text', 'stream-json'],
  ['stream-json', 'stream-json'],
] as const
const RUN = 'touch begun; sleep 60'

type Signal = keyof typeof CODES
type Doing = 'waits for the model' | 'runs a command' | 'idle'

for (const signal of Object.keys(CODES) as Signal[]) {
  for (const [input, output] of FORMATS) {
    test(`${signal} while it reads ${input} and writes ${output}`, async () => {
      const tried: Doing[] = ['waits for the model', 'runs a command']
      if (input === 'stream-json') tried.push('idle')
      for (const doing of tried) {
        const ended = await endBy(signal, input, output, doing)
        assert.equal(ended.code, CODES[signal], `${doing}: ${ended.stderr}`)
        const undone = {
          'waits for the model': `Ended by ${signal}. Left undone: the turn\n`,
          'runs a command': `Ended by ${signal}. Left undone: the turn, in Bash (${RUN})\n`,
          idle: '',
        }
        assert.ok(ended.stderr.startsWith(undone[doing]) && (doing !== 'idle' || ended.stderr === ''), ended.stderr)
        assert.ok(!ended.stdout.includes('"subtype":"success"'), ended.stdout)
      }
    })
  }
}

async function endBy(signal: Signal, input: string, output: string, doing: Doing) {
  let asked = () => {}
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  await using server = await startModelServer(async () => {
    asked()
    if (doing === 'waits for the model') await new Promise<never>(() => {})
    return doing === 'idle' ? 'Hello.' : { tools: [{ name: 'Bash', input: { command: RUN } }] }
  })
  await using options = testOptions(server)
  const flags = ['-p', '--verbose', '--input-format', input, '--output-format', output, '--allowedTools', 'Bash']
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'kedge.cjs'), ...flags], options)
  const seen = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      seen[name] += chunk
    })
  }
  const message = { type: 'user', session_id: '', parent_tool_use_id: null, message: { role: 'user', content: 'Go.' } }
  if (input === 'text') child.stdin.end('Go.')
  else child.stdin.write(`${JSON.stringify(message)}\n`)
  await reached
  // The command has begun; the result is there and the session waits for more.
  while (doing === 'runs a command' && !existsSync(join(options.cwd, 'begun'))) await pause()
  while (doing === 'idle' && !seen.stdout.includes('"type":"result"')) await pause()
  if (doing === 'idle') seen.stdout = ''
  child.kill(signal)
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { ...seen, code }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
