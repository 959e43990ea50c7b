/**
 * C03: the host dies or closes, and agents, commands and MCP servers live on.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/142 · https://github.com/thedotmack/claude-mem/issues/701
 * https://github.com/anthropics/claude-code/issues/20369 · https://github.com/anthropics/claude-code/issues/19433
 * https://github.com/anthropics/claude-code/issues/19973 · https://github.com/anthropics/claude-code/issues/18752
 * https://github.com/anthropics/claude-code/issues/1935 · https://github.com/anthropics/claude-code/issues/40927
 * https://github.com/anthropics/claude-code/issues/40667 · https://github.com/getpaseo/paseo/issues/1540
 * https://github.com/openclaw/openclaw/issues/44790 · https://github.com/openclaw/openclaw/issues/70860
 * https://github.com/openclaw/openclaw/issues/68916 · https://github.com/agentclientprotocol/claude-agent-acp/issues/1011
 * https://github.com/AndyMik90/Aperant/issues/762 · https://github.com/anthropics/claude-agent-sdk-python/issues/378
 *
 * T: after `kill -9` of the host, `break`, `close()`, `abort()`, an error in the loop or a normal end, the agent, its commands and its
 * MCP servers are gone; `query.pid` and `query.closed` exist; the same session opened twice has one worker. (Issue 6 allows five
 * seconds where the notes ask for two; `test/sdk/kills.test.ts` measures them in the long run. macOS and Windows: open.)
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect, type TestOptions } from 'kedge/testing'
import { findLeftoverProcesses } from '../../src/platform/processes/test-leftovers.js'
import { bash, pause, prompts, say, until, untilFile, withModel } from '../support/stage.js'
import { isolationsOf, sampledTest as test } from '../support/tier.js'
import type { Errand } from './mortal-host.js'

const LINUX = { skip: process.platform !== 'linux' }
const host = fileURLToPath(new URL('./mortal-host.js', import.meta.url))
const deaf = fileURLToPath(new URL('./deaf-server.js', import.meta.url))

/** A command and a server that hear no signal; the mark is in the environment of everything the query starts. */
const stubborn = bash("trap '' TERM INT HUP; setsid sleep 300 & : > here; sleep 300")
const mcpServers = { deaf: { command: process.execPath, args: [deaf] } }
function mark(options: TestOptions): string {
  const name = `kedge-orphan-${randomUUID()}`
  options.env['PATH'] = `${options.env['PATH']}:/nonexistent/${name}`
  return name
}

/** Empty, after the time that everything may take to die. */
async function remaining(name: string): Promise<string[]> {
  for (let n = 0; n < 600 && findLeftoverProcesses(name).length > 0; n += 1) await pause(50)
  return findLeftoverProcesses(name)
}

for (const isolation of isolationsOf('C03 break, close(), abort(), an error')) {
  test(
    `C03 break, close(), abort(), an error in the loop: nothing of the query is left (${isolation})`,
    LINUX,
    async () => {
      const ways = ['break', 'close', 'abort', 'throw'] as const
      await Promise.all(
        ways.map((way) =>
          withModel([stubborn], { isolation, mcpServers, allowedTools: ['Bash'] }, async ({ options }) => {
            const name = mark(options)
            const abortController = new AbortController()
            const running = query({ prompt: 'Go.', options: { ...options, abortController } })
            const leave = async () => {
              for await (const message of running) {
                if (message.type !== 'assistant') continue
                await untilFile(join(options.cwd, 'here'))
                assert.notDeepEqual(findLeftoverProcesses(name), [])
                if (way === 'break') break
                if (way === 'close') running.close()
                if (way === 'abort') abortController.abort()
                if (way === 'throw') throw new Error('of the loop')
              }
            }
            await leave().catch(() => {})
            await running.closed
            assert.deepEqual(await remaining(name), [], way)
          }),
        ),
      )
    },
  )

  test(`C03 a normal end leaves nothing (${isolation})`, LINUX, async () => {
    const turns = [bash('setsid sleep 300 >/dev/null 2>&1 & :'), 'Done.']
    await withModel(turns, { isolation, mcpServers, allowedTools: ['Bash'] }, async ({ options }) => {
      const name = mark(options)
      const running = query({ prompt: 'Go.', options })
      assert.equal((await collect(running)).result?.subtype, 'success')
      await running.closed
      assert.deepEqual(await remaining(name), [])
    })
  })

  test(`C03 kill -9 of the host: agent, command and server are gone (${isolation})`, LINUX, async () => {
    await withModel([stubborn], { isolation, mcpServers, allowedTools: ['Bash'] }, async ({ options }) => {
      const name = mark(options)
      const errand: Errand = { point: 'tool', options: { ...options } }
      const child = spawn(process.execPath, [host, JSON.stringify(errand)], { stdio: 'pipe', cwd: options.cwd })
      const over = new Promise((resolve) => child.once('exit', resolve))
      await untilFile(join(options.cwd, 'here'))
      assert.notDeepEqual(findLeftoverProcesses(name), [])
      child.kill('SIGKILL')
      await over
      assert.deepEqual(await remaining(name), [])
    })
  })
}

test('C03 query.pid is the agent, query.closed tells when it is gone', LINUX, async () => {
  await withModel(
    () => 'Hello.',
    { isolation: 'process' },
    async ({ options }) => {
      const running = query({ prompt: 'Go.', options })
      await running.next()
      const { pid } = running
      assert.ok(pid !== undefined)
      process.kill(pid, 0)
      running.close()
      await running.closed
      assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    },
  )
  await withModel(['Hello.'], {}, async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    await collect(running)
    assert.equal(running.pid, undefined)
    await running.closed
  })
})

test('C03 the same session opened twice has one worker; the other is told who that is', LINUX, async () => {
  await withModel(['Hello.'], { isolation: 'process' }, async ({ options, server }) => {
    const name = mark(options)
    const input = prompts()
    await using first = query({ prompt: input.stream, options })
    input.send(say('Go.'))
    let id = ''
    await until(async () => {
      const { value } = await first.next()
      id = value?.session_id ?? id
      return value?.type === 'result'
    })
    const workers = findLeftoverProcesses(name).length
    const second = await collect(query({ prompt: 'Go on.', options: { ...options, resume: id } }))
    assert.equal(second.result?.error_code, 'session_in_use')
    for (let n = 0; n < 600 && findLeftoverProcesses(name).length > workers; n += 1) await pause(50)
    assert.equal(findLeftoverProcesses(name).length, workers)
    assert.equal(server.requests.length, 1)
    input.end()
    await collect(first)
    assert.deepEqual(await remaining(name), [])
  })
})

test('C03 an MCP server is not started again by every turn', LINUX, async () => {
  await withModel(['One.', 'Two.'], { mcpServers }, async ({ options }) => {
    const name = mark(options)
    const input = prompts()
    await using running = query({ prompt: input.stream, options })
    const turn = async () => {
      input.send(say('Go.'))
      await until(async () => (await running.next()).value?.type === 'result')
      await until(async () => (await running.mcpServerStatus())[0]?.status === 'connected')
      return findLeftoverProcesses(name).length
    }
    assert.equal(await turn(), await turn())
    running.close()
    await running.closed
    assert.deepEqual(await remaining(name), [])
  })
})
