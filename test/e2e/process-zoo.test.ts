/**
 * Misbehaving commands, ended in every way there is, many at once: nothing of them is left. Counted by a mark of the
 * test's own in their environment, never by name. `KEDGE_ZOO_SEED` repeats a run, `KEDGE_LONG=1` makes it a long one.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSessionCgroup } from '../../src/platform/processes/cgroup.js'
import { createProcessRunner } from '../../src/platform/processes/processes.js'
import { findLeftoverProcesses, findLeftoversAfterAbort } from '../../src/platform/processes/test-leftovers.js'
import { createBashTool } from '../../src/tools/bash/bash.js'
import { createTestContext, type TestContext } from '../../src/tools/test-context.js'
import { createRandom, ENDINGS, FASTER_THAN_WE, pick, SPECIES } from './zoo/species.js'

const linux = process.platform === 'linux'
const KILLS = process.env['KEDGE_LONG'] ? 2_000 : 200
const AT_ONCE = 6

type Kill = { number: number; names: string[]; command: string; way: (typeof WAYS)[number]; afterMs: number }
const WAYS = ['abort', 'stop', 'timeout, then stop', 'moved, then stop', 'end of session', 'left behind'] as const

function breed(number: number, random: () => number, all: readonly string[]): Kill {
  const count = 1 + Math.floor(random() * 3)
  const names = Array.from({ length: count }, () => pick(random, all))
  const way = pick(random, WAYS)
  const last = way === 'left behind' ? 'echo left' : pick(random, ENDINGS)
  const command = [...names.map((name) => SPECIES[name]), last].join('\n')
  return { number, names, command, way, afterMs: Math.floor(random() * 80) }
}

const tool = createBashTool({ isReadOnlyCommand: () => false })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Ends one command; what is left of it at the moment when it is said to be over is returned. */
async function endOne({ command, way, afterMs }: Kill, session: TestContext, mark: string): Promise<string[]> {
  const controller = new AbortController()
  const context = {
    ...session.context,
    env: { ...session.context.env, ZOO_MARK: mark },
    toolUseId: mark,
    signal: controller.signal,
  }
  const mine = () => session.tasks.running().filter(({ toolUseId }) => toolUseId === mark)
  const stopMine = async () => {
    for (const task of mine()) {
      await session.tasks.stop(task)
      assert.equal(task.status, 'stopped')
    }
  }
  if (way === 'abort') {
    const call = tool.execute({ command }, context)
    await pause(afterMs)
    controller.abort()
    assert.equal((await call).ok, false)
    return findLeftoversAfterAbort(mark)
  }
  if (way === 'stop') {
    await tool.execute({ command, run_in_background: true }, context)
    await pause(afterMs)
    await stopMine()
    return findLeftoverProcesses(mark)
  }
  if (way === 'timeout, then stop') {
    await tool.execute({ command, timeout: 1 + afterMs }, context)
    await stopMine()
    return findLeftoverProcesses(mark)
  }
  if (way === 'moved, then stop') {
    const call = tool.execute({ command }, context)
    await pause(afterMs)
    // The command may not have been started yet.
    while (session.tasks.moveToBackground(mark) === 0) await pause(1)
    await call
    await stopMine()
    return findLeftoverProcesses(mark)
  }
  const call = tool.execute({ command }, context)
  if (way === 'left behind') await call
  else await pause(afterMs)
  await session.context.platform.processes.close()
  await call
  return findLeftoverProcesses(mark)
}

const limits = { skip: !linux, timeout: 600_000 }

test(`${KILLS} commands that do not want to end leave nothing, each in a cgroup of its own`, {
  ...limits,
  skip: limits.skip || whyNoCgroup(),
}, async () => {
  await endAll(Object.keys(SPECIES), () => createProcessRunner())
})

test(
  `${KILLS} commands that do not want to end leave nothing where there are no cgroups, if they can be followed`,
  limits,
  async () => {
    const slow = Object.keys(SPECIES).filter((name) => !FASTER_THAN_WE.includes(name))
    await endAll(slow, () => createProcessRunner(undefined, () => undefined))
  },
)

async function endAll(species: readonly string[], processes: typeof createProcessRunner): Promise<void> {
  const seed = Number(process.env['KEDGE_ZOO_SEED'] ?? 20_260_301)
  const random = createRandom(seed)
  const queue = Array.from({ length: KILLS }, (_, number) => breed(number, random, species))
  const run = `zoo-${randomUUID()}`
  const escaped: string[] = []
  const keep = async () => {
    for (let kill = queue.shift(); kill && escaped.length === 0; kill = queue.shift()) {
      const session = await createTestContext({}, processes())
      const left = await endOne(kill, session, `${run}-${kill.number}-`)
      if (left.length > 0) escaped.push(`${kill.number}, ${kill.way}: ${kill.names.join(' + ')}\n${left.join('\n')}`)
      await session.dispose()
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, keep))
    // Once more, for those who were not to be seen at the moment.
    assert.deepEqual([...escaped, ...findLeftoverProcesses(run)], [], `seed ${seed}`)
  } finally {
    await catchEscaped(run)
  }
}

function whyNoCgroup(): string | false {
  const cgroup = createSessionCgroup('zoo')
  cgroup?.remove()
  return cgroup ? false : 'no cgroups can be made here'
}

/** The machine is not only ours: whatever got away is hunted down. */
async function catchEscaped(mark: string): Promise<void> {
  for (let clean = 0; clean < 5; clean += 1) {
    for (const found of findLeftoverProcesses(mark)) {
      clean = 0
      const pid = Number(found.split(' ')[0])
      for (const target of [-pid, pid]) {
        try {
          process.kill(target, 'SIGKILL')
        } catch {
          // No group of its own, or gone.
        }
      }
    }
    await pause(5)
  }
}

const bomb = fileURLToPath(new URL('./zoo/fork-bomb.js', import.meta.url))
/** Root is not bound by the limit, so it lets somebody else do it. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test('T17: a fork bomb meets a limit (KEDGE_MAX_PROCESSES), and the session goes on', {
  skip: whyNoBomb(),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-bomb-'))
  if (stranger.uid !== undefined) chownSync(folder, stranger.uid, stranger.gid)
  const child = spawn(process.execPath, [bomb], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
    ...stranger,
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  rmSync(folder, { recursive: true })
  assert.equal(code, 0)
  const { before, room, most, alive, left, uid } = JSON.parse(text)
  assert.notEqual(uid, 0)
  assert.ok(before >= 1, `${before} before`)
  assert.ok(most > 10 && most <= before + room, `${most} processes, ${before} before, room for ${room}`)
  assert.deepEqual([alive, left], ['alive', 0])
})

function whyNoBomb(): string | false {
  if (!linux) return 'the limit is only set on Linux'
  const read = ['-e', 'require("fs").readFileSync(process.argv[1])', bomb]
  const { status } = spawnSync(process.execPath, read, { ...stranger, stdio: 'ignore', env: {} })
  return status === 0 ? false : 'no user without privileges can read this checkout'
}
