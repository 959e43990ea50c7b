import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AbortError, KedgeError, query, type SDKMessage, type SpawnOptions } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { bothWays } from './both-ways.js'

/** Processes that carry this marker in their environment: what a run left behind. */
function leftovers(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker)
      } catch {
        return false
      }
    })
}

async function gone(marker: string): Promise<number[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (leftovers(marker).length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return leftovers(marker)
}

const sleeper = () => [{ tools: [{ id: 'toolu_s', name: 'Bash', input: { command: 'sleep 60 & sleep 60' } }] }]

for (const way of ['close', 'break', 'abort', 'throw', 'dispose'] as const) {
  for (const isolation of isolationsOf(`${way} ends the agent`)) {
    test(`${way} ends the agent and every child of its tools (${isolation})`, async () => {
      const marker = `KEDGE_TEST_MARK=${isolation}-${way}-${process.pid}`
      await using server = await startModelServer(sleeper())
      const abortController = new AbortController()
      await using options = testOptions(server, {
        isolation,
        allowedTools: ['Bash'],
        abortController,
        env: { KEDGE_TEST_MARK: marker.slice(16) },
      })
      const running = query({ prompt: 'Sleep.', options })
      const seen: SDKMessage[] = []
      let thrown: unknown
      try {
        for await (const message of running) {
          seen.push(message)
          if (message.type !== 'assistant') continue
          await new Promise((resolve) => setTimeout(resolve, 300))
          if (way === 'close') running.close()
          if (way === 'abort') abortController.abort()
          if (way === 'break') break
          if (way === 'throw') throw new Error('from the loop body')
          if (way === 'dispose') await running[Symbol.asyncDispose]()
        }
      } catch (error) {
        thrown = error
      }
      await running.closed
      assert.deepEqual(await gone(marker), [])
      if (way === 'abort') {
        assert.ok(thrown instanceof AbortError)
        // Only where there is a process.
        const said = { 'in-process': 'Query aborted by user', process: 'Claude Code process aborted by user' }
        assert.equal(thrown.message, said[isolation])
      } else if (way === 'throw') assert.match(String(thrown), /from the loop body/)
      else assert.equal(thrown, undefined)
      assert.deepEqual(await running.next(), { value: undefined, done: true })
    })
  }
}

test('a controller that was aborted before throws at once', () => {
  const abortController = new AbortController()
  abortController.abort()
  assert.throws(() => query({ prompt: 'x', options: { abortController } }), {
    name: 'AbortError',
    message: 'Operation aborted',
  })
})

test('a missing executable throws at once and names the file', () => {
  assert.throws(
    () => query({ prompt: 'x', options: { pathToClaudeCodeExecutable: '/no/such/cli.js' } }),
    (error: unknown) => {
      assert.ok(error instanceof ReferenceError && 'code' in error)
      assert.equal(
        error.message,
        'Claude Code executable not found at /no/such/cli.js. Is options.pathToClaudeCodeExecutable set?',
      )
      assert.equal(error.code, 'executable_not_found')
      return true
    },
  )
})

for (const isolation of isolationsOf('a bad cwd')) {
  test(`a bad cwd is a typed error that names it (${isolation})`, async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server, { isolation, cwd: '/no/such/folder' })
    const run = await collect(query({ prompt: 'x', options }))
    assert.ok(KedgeError.isInstance(run.error))
    assert.equal(run.error.code, 'invalid_cwd')
    assert.match(run.error.message, /\/no\/such\/folder/)
  })
}

test('an executable that does not exist is a typed error', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server, { isolation: 'process', executable: 'bun', env: { PATH: '/nonexistent' } })
  const run = await collect(query({ prompt: 'x', options }))
  assert.ok(KedgeError.isInstance(run.error))
  assert.equal(run.error.code, 'spawn_failed')
  assert.match(run.error.message, /^Failed to spawn Claude Code process: spawn bun ENOENT/)
})

test('an agent that dies is reported with its signal and what it printed', async () => {
  await using server = await startModelServer(sleeper())
  await using options = testOptions(server, { isolation: 'process', allowedTools: ['Bash'] })
  const running = query({ prompt: 'x', options })
  const run = await collect(
    (async function* () {
      for await (const message of running) {
        if (message.type === 'assistant' && running.pid) process.kill(running.pid, 'SIGKILL')
        yield message
      }
    })(),
  )
  assert.ok(run.error instanceof Error && 'code' in run.error)
  assert.equal(run.error.message, 'Claude Code process terminated by signal SIGKILL')
  assert.equal(run.error.code, 'process_signaled')
})

test('a custom spawn function gets command, args, cwd, env and signal, and the observed flags', async () => {
  await using server = await startModelServer(['Hi.'])
  let request: SpawnOptions | undefined
  await using options = testOptions(server, {
    model: 'sonnet',
    canUseTool: async () => ({ behavior: 'allow' }),
    maxTurns: 3,
  })
  const spawned = {
    ...options,
    pathToClaudeCodeExecutable: join(process.cwd(), 'dist', 'cli.js'),
    spawnClaudeCodeProcess(asked: SpawnOptions) {
      request = asked
      return spawn(asked.command, asked.args, { cwd: asked.cwd, env: asked.env, stdio: ['pipe', 'pipe', 'inherit'] })
    },
  }
  const run = await collect(query({ prompt: 'Hi.', options: spawned }))
  assert.equal(run.error, undefined)
  assert.deepEqual(Object.keys(request ?? {}).sort(), ['args', 'command', 'cwd', 'env', 'signal'])
  assert.equal(request?.command, 'node')
  assert.deepEqual(request?.args.slice(1), [
    ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
    ...[
      '--max-turns',
      '3',
      '--model',
      'sonnet',
      '--permission-prompt-tool',
      'stdio',
      '--setting-sources',
      '',
      '--permission-mode',
      'default',
    ],
  ])
  assert.equal(request?.env.CLAUDE_CODE_ENTRYPOINT, 'sdk-ts')
  assert.equal(request?.env.CLAUDE_AGENT_SDK_VERSION, undefined)
})

bothWays(
  'timeoutMs ends the query with a result that says so',
  () => sleeper(),
  { timeoutMs: 700, allowedTools: ['Bash'] },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Sleep.', options }))
    assert.deepEqual(
      [run.result?.subtype, run.result?.is_error, run.result?.terminal_reason],
      ['error_during_execution', true, 'timeout'],
    )
    assert.deepEqual(run.result?.subtype !== 'success' && run.result?.errors, ['Timed out after 0.7 s'])
    assert.ok(run.error instanceof Error)
  },
)

test('SIGTERM ends the command and takes its children along; SIGINT lets the turn end with a result', async () => {
  for (const [signal, expected] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const marker = `KEDGE_TEST_MARK=${signal}-${process.pid}`
    await using server = await startModelServer(sleeper())
    await using options = testOptions(server, { env: { KEDGE_TEST_MARK: marker.slice(16) } })
    const flags = [
      '--output-format',
      'stream-json',
      '--verbose',
      '--input-format',
      'stream-json',
      '--allowedTools',
      'Bash',
    ]
    const child = spawn(process.execPath, [join(process.cwd(), 'dist', 'kedge.cjs'), ...flags], {
      cwd: options.cwd,
      env: options.env,
    })
    let output = ''
    let isTold = false
    child.stdout.on('data', (chunk) => {
      output += chunk
      // Once: a second one ends the command at once, whatever it still has to say.
      if (isTold || !output.includes('"tool_use"')) return
      isTold = true
      setTimeout(() => child.kill(signal), 300)
    })
    child.stdin.write(
      '{"type":"user","message":{"role":"user","content":"Sleep."},"parent_tool_use_id":null,"session_id":""}\n',
    )
    const code = await new Promise((resolve) => child.on('exit', resolve))
    assert.equal(code, expected)
    assert.deepEqual(await gone(marker), [])
    assert.equal(output.includes('"subtype":"error_during_execution"'), signal === 'SIGINT')
  }
})
