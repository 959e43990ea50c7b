/** A process that is killed leaves nothing behind: what it started is ended by the watchdog, which then ends itself. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SPECIES } from '../../../test/e2e/zoo/species.js'

const program = fileURLToPath(new URL('./test-host.js', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-watchdog-')))
const hosts: ChildProcess[] = []
after(() => {
  for (const host of hosts) host.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Everyone who stands in the folder: the commands, also those without an environment, and never their watchdog. */
function inFolder(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

function children(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) =>
    readIfThere(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
}

const isWatchdog = (pid: number) => readIfThere(`/proc/${pid}/cmdline`).includes('\0kedge-watchdog\0')

/** Threads and processes come and go while they are looked at. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function startHost(...args: string[]): Promise<ChildProcess & { pid: number; watchdog: number | undefined }> {
  const host = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => host.stdout.once('data', resolve))
  const { pid } = host
  assert.ok(pid)
  hosts.push(host)
  return Object.assign(host, { pid, watchdog: children(pid).find(isWatchdog) })
}

async function eventually(condition: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(20)) if (condition()) return true
  return condition()
}
const isGone = (pid: number | undefined) => pid !== undefined && !readdirSync('/proc').includes(String(pid))

describe('a killed process', { skip: process.platform !== 'linux' }, () => {
  // What has neither a mark, nor a pipe, nor a relative is found by nobody; see process-family.ts.
  const commands = Object.values(SPECIES).map((command) => `${command}\nwait; sleep 90`)

  it('takes all kinds of commands along, and the watchdog goes last', async () => {
    const host = await startHost('start', ...commands)
    assert.ok(await eventually(() => inFolder().length > commands.length * 2))
    host.kill('SIGKILL')
    assert.ok(await eventually(() => inFolder().length === 0), inFolder().join())
    assert.ok(await eventually(() => isGone(host.watchdog)))
  })

  it('takes along what its commands left running', async () => {
    const daemon = "setsid bash -c '(sleep 90 &)' < /dev/null > /dev/null 2>&1; echo up"
    const host = await startHost('keep', 'sleep 90 > /dev/null 2>&1 &', daemon)
    assert.ok(inFolder().length >= 3)
    host.kill('SIGKILL')
    assert.ok(await eventually(() => inFolder().length === 0 && isGone(host.watchdog)))
  })

  it('is served by the shell alone where the reaper does not run', async () => {
    const named = ['sleeper', 'another session', 'deaf daemon', 'stopped', 'own group', 'no environment']
    const host = await startHost('shell', ...named.map((name) => `${SPECIES[name]}\nwait; sleep 90`))
    assert.ok(await eventually(() => inFolder().length > named.length * 2))
    host.kill('SIGKILL')
    assert.ok(await eventually(() => inFolder().length === 0 && isGone(host.watchdog)))
  })

  it('is watched by another when somebody ended the first', async () => {
    const host = await startHost('step', 'sleep 90', 'sleep 91')
    const watchdog = () => children(host.pid).find(isWatchdog)
    assert.ok(await eventually(() => watchdog() !== undefined && inFolder().length === 2))
    const first = watchdog()
    assert.ok(first)
    process.kill(first, 'SIGKILL')
    // When it is waited for, its host has noticed.
    assert.ok(await eventually(() => isGone(first)))
    host.kill('SIGUSR2')
    assert.ok(await eventually(() => watchdog() !== undefined && inFolder().length === 3))
    const second = watchdog()
    host.kill('SIGKILL')
    assert.ok(await eventually(() => inFolder().length === 0 && isGone(second)))
  })
})

it('a session that is over has no watchdog', { skip: process.platform !== 'linux' }, async () => {
  const host = await startHost('close', 'sleep 90')
  try {
    assert.ok(await eventually(() => children(host.pid).length === 0))
    assert.deepEqual(inFolder(), [String(host.pid)])
  } finally {
    host.kill('SIGKILL')
  }
})
