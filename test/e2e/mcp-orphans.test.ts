/**
 * Sessions with MCP servers, ended in every way there is: no server is left, and none of its helpers. Counted by a mark of
 * the test's own in their environment. `KEDGE_LONG=1` makes it a hundred ends, `KEDGE_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { findLeftoverProcesses } from '../../src/platform/processes/test-leftovers.js'
import { oddServer } from '../badinput/mcp-run.js'
import { createRandom, pick } from './zoo/species.js'

const ENDS = process.env['KEDGE_LONG'] ? 100 : 10
const AT_ONCE = 2
/** After force nobody of ours is there to wait for. */
const PATIENCE_MS = 20_000

const WAYS = ['finish', 'close', 'abort', 'break', 'SIGTERM', 'SIGINT', 'SIGKILL', 'host SIGKILL'] as const
const SERVERS = ['fine', 'stays', 'helpers', 'sleeps', 'npx', 'npx stays'] as const

test(`${ENDS} random ends of sessions with MCP servers leave nothing`, {
  skip: process.platform !== 'linux',
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env['KEDGE_SEED'] ?? 20_261_115)
  const random = createRandom(seed)
  const plan = Array.from({ length: ENDS }, (_unused, number) => ({
    number,
    // Every way and every kind comes up, also in a short run.
    way: WAYS[number % WAYS.length] ?? 'finish',
    server: number < SERVERS.length ? (SERVERS[number] ?? 'fine') : pick(random, SERVERS),
    afterMs: Math.floor(random() * 600),
  }))
  const run = randomUUID()
  const failures: string[] = []
  const work = async () => {
    for (let one = plan.shift(); one; one = plan.shift()) {
      const mark = `orphan-${run}-${one.number}-`
      await endSession(one.way, one.server, one.afterMs, mark)
      const left = await untilGone(mark)
      if (left.length > 0) failures.push(`${one.number}: ${one.server}, ${one.way}\n${left.join('\n')}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const found of findLeftoverProcesses(`orphan-${run}`)) {
    try {
      process.kill(Number(found.split(' ')[0]), 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
  assert.deepEqual(failures, [], `seed ${seed}`)
})

async function endSession(way: (typeof WAYS)[number], kind: (typeof SERVERS)[number], afterMs: number, mark: string) {
  await using model = await startModelServer(() => 'Done.')
  await using options = testOptions(model, { isolation: 'process', env: { ZOO_MARK: mark } })
  const odd = kind.replace('npx', '').trim()
  const server = kind.startsWith('npx')
    ? { command: 'npx', args: ['--no-install', 'odd-server', odd], env: { npm_config_update_notifier: 'false' } }
    : { command: process.execPath, args: [oddServer, odd] }
  if (kind.startsWith('npx')) installOdd(options)
  options.mcpServers = { odd: server }
  if (way === 'host SIGKILL') return await endHost(options, afterMs)
  const controller = new AbortController()
  options.abortController = controller
  const running = query({ prompt: waiting(controller.signal), options })
  const end = async () => {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (way === 'close' || way === 'finish') running.close()
    else if (way === 'abort') controller.abort()
    else if (way !== 'break' && running.pid)
      process.kill(running.pid, way === 'SIGTERM' || way === 'SIGINT' ? way : 'SIGKILL')
  }
  try {
    for await (const message of running) {
      if (message.type !== 'result') continue
      await end()
      if (way === 'break') break
    }
  } catch {
    // Most of these ways end with an error, as they should.
  }
  await running.closed
}

/** One message, and no end of the input until it is over. */
async function* waiting(signal: AbortSignal) {
  yield {
    type: 'user' as const,
    message: { role: 'user' as const, content: 'Go.' },
    parent_tool_use_id: null,
    session_id: '',
  }
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve)
    setTimeout(resolve, 30_000).unref()
  })
}

/** A program of its own that runs the agent in-process, killed like that. */
async function endHost({ cwd, env, mcpServers }: TestOptions, afterMs: number): Promise<void> {
  const index = fileURLToPath(import.meta.resolve('kedge'))
  const program = `
    const { query } = await import(${JSON.stringify(index)})
    const never = (async function* () { await new Promise((resolve) => setTimeout(resolve, 60000)) })()
    const running = query({ prompt: never, options: ${JSON.stringify({ cwd, env, mcpServers })} })
    running.initializationResult().then(() => console.log('up'))
    for await (const message of running);`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, afterMs + 200))
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}

/** A package that npx finds without the network. */
function installOdd({ cwd }: TestOptions): void {
  const bin = join(cwd, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(cwd, 'package.json'), '{"name":"here","version":"1.0.0"}')
  writeFileSync(join(bin, 'odd-server'), `#!/bin/sh\nexec node ${JSON.stringify(oddServer)} "$@"\n`)
  chmodSync(join(bin, 'odd-server'), 0o755)
}

async function untilGone(mark: string): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS
  let left = findLeftoverProcesses(mark)
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    left = findLeftoverProcesses(mark)
  }
  return left
}
