import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSessionCgroup } from './cgroup.js'
import { createProcessRunner } from './processes.js'
import { createProcessStarter } from './starter.js'

/** A process without its environment, pipes, session, and parent, so only its cgroup shows where it comes from. */
const STRANGER = "(env -i setsid bash -c '(sleep 90 &)' < /dev/null > /dev/null 2>&1 &)"
const folder = mkdtempSync(join(tmpdir(), 'kedge-cgroup-'))
after(() => rmSync(folder, { recursive: true }))

const probe = createSessionCgroup('probe')
const above = probe && dirname(probe.folder)
probe?.remove()
const cgroups = () => readdirSync(above ?? '').filter((name) => name.startsWith(`kedge-${process.pid}-`))

/** One that has ended meanwhile is not there. */
function running(isWanted: (pid: string) => boolean): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder && isWanted(pid)
    } catch {
      return false
    }
  })
}
const inFolder = () => running(() => true)
const sleepers = () => running((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'))

async function eventually(condition: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    if (condition()) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return condition()
}

const command = (script: string) => ({
  command: '/bin/bash',
  args: ['-c', script],
  scriptAt: 1,
  cwd: folder,
  env: process.env,
  merge: true,
  report: true,
  leftovers: 'keep' as const,
})

describe('a command in a cgroup', { skip: above ? false : 'no cgroups can be made here' }, () => {
  const starters = { itself: undefined, 'the helper': () => createProcessStarter({ fromBytes: 0 }) }
  for (const [who, starter] of Object.entries(starters)) {
    it(`ends with what nothing shows to be its own, started by ${who}`, async () => {
      const processes = createProcessRunner(starter)
      const start = () => processes.start({ ...command(`${STRANGER}\nsleep 90`), judgedCwd: folder })
      const first = await start()
      // The helper process is ready by the third command at the latest.
      const others = [await start(), await start()]
      assert.ok(await eventually(() => sleepers().length === 6))
      for (const one of [first, ...others]) one.end('at once')
      await Promise.all([first, ...others].map(({ ended }) => ended))
      assert.deepEqual(inFolder(), [])
      await processes.close()
      assert.deepEqual(cgroups(), [])
    })
  }

  it('leaves what may stay until the session is over, and no longer', async () => {
    const processes = createProcessRunner()
    const { ended } = await processes.start(command(STRANGER))
    await ended
    assert.ok(await eventually(() => inFolder().length === 1))
    assert.equal(cgroups().length, 1)
    await processes.close()
    assert.deepEqual(inFolder(), [])
    assert.deepEqual(cgroups(), [])
  })

  it('is ended by the watchdog when the session was killed', async () => {
    const program = fileURLToPath(new URL('./test-host.js', import.meta.url))
    const host = spawn(process.execPath, [program, 'keep', STRANGER], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const own = () => readdirSync(above ?? '').filter((name) => name.startsWith(`kedge-${host.pid}-`))
    try {
      await new Promise((resolve) => host.stdout.once('data', resolve))
      assert.equal(own().length, 1)
      assert.ok(await eventually(() => inFolder().length === 2))
    } finally {
      host.kill('SIGKILL')
    }
    assert.ok(await eventually(() => inFolder().length === 0 && own().length === 0), inFolder().join())
  })

  it('sees the variables and arguments it would see elsewhere', async () => {
    const seen = async (processes: ReturnType<typeof createProcessRunner>) => {
      let text = ''
      const { ended } = await processes.start({
        ...command(
          'echo "$0 $# $LINENO $-"; env | grep -v KEDGE_TASK | sort; set | grep -c "^entry"; ulimit -a; umask',
        ),
        env: { PATH: process.env['PATH'], 'BASH_FUNC_f%%': '() { echo f; }', entry: 'x', 'odd.name': 'y' },
        onOutput(chunk) {
          text += Buffer.from(chunk).toString()
        },
      })
      await ended
      await processes.close()
      return text
    }
    const outside = await seen(createProcessRunner(undefined, () => undefined))
    assert.match(outside, /BASH_FUNC_f%%/)
    assert.equal(await seen(createProcessRunner()), outside)
  })

  it('is not used where it would hide a limit from programs that ask for theirs', () => {
    const parent = join(folder, 'limited')
    mkdirSync(parent)
    writeFileSync(join(parent, 'memory.max'), '536870912\n')
    assert.equal(createSessionCgroup('mark', parent), undefined)
    assert.deepEqual(readdirSync(parent), ['memory.max'])
  })

  it('removes those of processes that are gone', async () => {
    const stale = join(above ?? '', 'kedge-4194305-1-gone')
    mkdirSync(join(stale, 'command'), { recursive: true })
    createSessionCgroup('mark')?.remove()
    assert.equal(existsSync(stale), false)
    assert.match(readFileSync('/proc/self/cgroup', 'utf8'), /^0::/m)
  })
})
