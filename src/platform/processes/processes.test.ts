/** Real children: what comes back, and that nothing of them stays. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from '../../../test/fast-check.js'
import { eventually } from '../../../test/support/eventually.js'
import { byTier } from '../../../test/support/tier.js'
import {
  createProcessRunner,
  type ProcessEnd,
  type ProcessRunner,
  type ProcessRunResult,
  type RunProcessOptions,
  type StartProcessOptions,
} from './processes.js'
import { findLeftoverProcesses, findLeftoversAfterAbort } from './test-leftovers.js'

const linux = process.platform === 'linux'
const shared = createProcessRunner()
after(() => shared.close())

/** Runs a bash script and checks that none of its processes is left. */
async function bash(script: string, options: Partial<RunProcessOptions> = {}): Promise<ProcessRunResult> {
  const mark = `test-${randomUUID()}`
  const env = { PATH: process.env['PATH'], KEDGE_TASK: mark }
  const result = await shared.run({
    command: 'bash',
    args: ['--norc', '-c', script],
    cwd: tmpdir(),
    env,
    ...options,
  })
  assert.deepEqual(options.signal?.aborted ? await findLeftoversAfterAbort(mark) : findLeftoverProcesses(mark), [])
  return result
}

const ended = { exitCode: 0, signal: null, timedOut: false, aborted: false, stdout: '', stderr: '', droppedBytes: 0 }

describe('run', () => {
  it('passes arguments and environment as they are, and no input', async () => {
    const result = await shared.run({
      command: 'bash',
      args: ['-c', 'printf "%s|" "$@"; printf "%s|" "$ONLY" "$HOME"; cat', 'name', 'a b', '$(x)', '*'],
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'], ONLY: 'this', GONE: undefined },
    })
    assert.deepEqual(result, { ...ended, stdout: 'a b|$(x)|*|this||' })
  })

  it('starts in the folder that was judged, or not at all, and leaves no handle open', {
    skip: process.platform === 'win32',
  }, async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-judged-')))
    const [judged, other, link] = [join(base, 'judged'), join(base, 'other'), join(base, 'link')]
    for (const folder of [judged, other]) mkdirSync(folder)
    symlinkSync('judged', link)
    const handles = () => (linux ? spawnSync('ls', ['-l', `/proc/${process.pid}/fd`], { encoding: 'utf8' }).stdout : '')
    const start = async (cwd: string, judgedCwd: string, merge = false) => {
      const env = { PATH: process.env['PATH'], PWD: cwd }
      const end = await shared.start({
        command: 'bash',
        args: ['--norc', '-c', 'touch "ran"; pwd -P'],
        cwd,
        judgedCwd,
        env,
        merge,
        report: false,
        onOutput: (chunk) => void output.push(Buffer.from(chunk).toString()),
      })
      await end.ended
      return output.splice(0).join('')
    }
    const output: string[] = []
    try {
      assert.equal(await start(link, judged), `${judged}\n`)
      assert.equal(await start(link, judged, true), `${judged}\n`)
      // By where it led, not by what it is called.
      assert.equal(await start(other, judged), `${judged}\n`)
      rmSync(join(judged, 'ran'))
      await assert.rejects(start(link, link), { code: 'ELOOP' })
      await assert.rejects(start(judged, join(base, 'none')), { code: 'ENOENT' })
      renameSync(judged, join(base, 'moved'))
      symlinkSync('other', judged)
      await assert.rejects(start(judged, judged), { code: 'ELOOP' })
      assert.deepEqual([readdirSync(other), readdirSync(join(base, 'moved'))], [[], []])
      assert.ok(!handles().includes(base))
    } finally {
      rmSync(base, { recursive: true })
    }
  })

  it('finds no program in the folder the child stands in, whatever PATH says', { skip: !linux }, async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'kedge-path-'))
    try {
      writeFileSync(join(cwd, 'evil'), '#!/bin/sh\necho evil\n', { mode: 0o755 })
      for (const path of ['', '.', ':', './', '.:/usr/bin:/bin:', '..:/nowhere']) {
        await assert.rejects(
          shared.run({ command: 'evil', args: [], cwd, env: { PATH: path } }),
          { code: 'ENOENT' },
          path,
        )
      }
      const env = { PATH: '.:/usr/bin::/bin' }
      assert.equal(
        (await shared.run({ command: 'sh', args: ['-c', 'echo "$PATH"'], cwd, env })).stdout,
        '/usr/bin:/bin\n',
      )
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })

  it('keeps stdout and stderr apart, and tells the exit code', async () => {
    assert.deepEqual(await bash('echo out; echo err >&2; exit 7'), {
      ...ended,
      exitCode: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    })
  })

  it('merges both in the order they were written', async () => {
    const expected = Array.from({ length: 300 }, (_, i) => `out ${i}\nerr ${i}\n`).join('')
    const result = await bash('for i in {0..299}; do echo "out $i"; echo "err $i" >&2; done', { merge: true })
    assert.deepEqual(result, { ...ended, stdout: expected })
  })

  it('merges in order whatever the order is, and whoever writes', async () => {
    const ways = [
      (text: string) => `echo ${text}`,
      (text: string) => `echo ${text} >&2`,
      (text: string) => `echo ${text} > /dev/stdout`,
      (text: string) => `echo ${text} > /dev/stderr`,
      (text: string) => `/bin/echo ${text} >&2`,
      (text: string) => `(echo ${text} >&2; :)`,
      (text: string) => `printf '%s\\n' ${text} | cat`,
    ]
    const writes = fc.array(fc.constantFrom(...ways), { maxLength: 30 })
    const order = fc.asyncProperty(writes, async (list) => {
      const script = list.map((way, i) => way(`line${i}`)).join('\n')
      const expected = list.map((_, i) => `line${i}\n`).join('')
      assert.equal((await bash(script, { merge: true })).stdout, expected)
    })
    await fc.assert(order, { numRuns: byTier({ quick: 6, all: 25, long: 1_000 }) })
  })

  it('merges also where no named pipe can be made', async () => {
    const env = { PATH: process.env['PATH'], TMPDIR: '/nonexistent' }
    const result = await bash('echo a; echo b >&2; echo c', { merge: true, env })
    assert.deepEqual(result, { ...ended, stdout: 'a\nb\nc\n' })
  })

  it('lets the merged outputs be opened by name', async () => {
    const result = await bash('echo a; echo b > /dev/stderr; echo c > /dev/stdout; echo d', { merge: true })
    assert.deepEqual(result, { ...ended, stdout: 'a\nb\nc\nd\n' })
  })

  it('gives input, also to a child that does not read it', async () => {
    assert.deepEqual(await bash('cat', { input: 'hello' }), { ...ended, stdout: 'hello' })
    assert.deepEqual(await bash('true', { input: 'x'.repeat(1_000_000) }), ended)
  })

  it('decodes characters that are split over two writes, and replaces invalid bytes', async () => {
    const result = await bash("printf 'a\\xc3'; sleep 0.1; printf '\\xa9b\\xff.'")
    assert.equal(result.stdout, 'aéb\ufffd.')
  })

  it('drops the middle of a long output', async () => {
    const result = await bash('seq 1 100000', { maxBytes: 40 })
    const expected = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n[… 588855 bytes left out …]\n\n99998\n99999\n100000\n'
    assert.deepEqual([result.stdout, result.droppedBytes, result.exitCode], [expected, 588855, 0])
  })

  it('stops a child whose output overflows, when asked to', async () => {
    const result = await bash('echo start; exec yes', { maxBytes: 8, overflow: 'stop' })
    assert.equal(result.stdout.slice(0, 8), 'start\ny\n')
    assert.deepEqual([result.signal, result.timedOut, result.aborted], ['SIGKILL', false, false])
  })

  it('rejects when the command or the folder is missing', async () => {
    const base = { args: [], cwd: tmpdir(), env: { PATH: process.env['PATH'] } }
    await assert.rejects(shared.run({ ...base, command: 'no-such-command-here' }), { code: 'ENOENT' })
    await assert.rejects(shared.run({ ...base, command: 'no-such-command-here', merge: true }), {
      code: 'ENOENT',
    })
    await assert.rejects(shared.run({ ...base, command: 'true', cwd: '/nonexistent' }), { code: 'ENOENT' })
  })

  it('ends a tree of sleepers at the time limit', async () => {
    const script = 'echo begun; (sleep 300 & sleep 300) & sleep 300 & sleep 300'
    assert.deepEqual(await bash(script, { merge: true, timeoutMs: 150 }), {
      ...ended,
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: true,
      stdout: 'begun\n',
    })
  })

  it('kills a child that ignores the polite signal', async () => {
    const result = await bash('trap "" TERM; while :; do sleep 0.05; done', { timeoutMs: 50 })
    assert.deepEqual(result, { ...ended, exitCode: null, signal: 'SIGKILL', timedOut: true })
  })

  it('returns when the child ends, though its children hold the output, and ends them', async () => {
    assert.deepEqual(await bash('sleep 300 & echo started', { merge: true }), { ...ended, stdout: 'started\n' })
    assert.deepEqual(await bash('(trap "" TERM; sleep 300) & echo started'), { ...ended, stdout: 'started\n' })
    assert.deepEqual(await bash('yes > /dev/null & echo started'), { ...ended, stdout: 'started\n' })
  })

  it('ends children that left the process group', { skip: !linux }, async () => {
    assert.deepEqual(await bash('setsid sleep 300 & sleep 0.05; echo started'), { ...ended, stdout: 'started\n' })
    const daemon = '(setsid bash -c "(sleep 300 &) ; sleep 300" > /dev/null 2>&1 &); sleep 0.05; echo started'
    assert.deepEqual(await bash(daemon, { merge: true }), { ...ended, stdout: 'started\n' })
    const late = await bash('setsid sleep 300 & sleep 300', { timeoutMs: 100 })
    assert.deepEqual(late, { ...ended, exitCode: null, signal: 'SIGTERM', timedOut: true })
  })

  it('reads endless output in flat memory until the time limit', async () => {
    const before = process.memoryUsage().rss
    const result = await bash('yes 0123456789', { merge: true, timeoutMs: 700, maxBytes: 100_000 })
    assert.ok(result.droppedBytes > 1_000_000, `only ${result.droppedBytes} bytes came`)
    assert.ok(result.stdout.length < 101_000)
    assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024)
    assert.equal(result.timedOut, true)
  })
})

describe('abort of a run', () => {
  const cut = { ...ended, exitCode: null, signal: 'SIGKILL', aborted: true }

  it('does not start at all when it comes first', async () => {
    assert.deepEqual(await bash('echo ran', { signal: AbortSignal.abort() }), cut)
    assert.deepEqual(await bash('echo ran', { signal: AbortSignal.abort(), merge: true }), cut)
  })

  it('kills the whole tree and keeps the output so far', async () => {
    const script = 'echo begun; trap "" TERM; sleep 300 & setsid sleep 300 & sleep 300'
    const result = await bash(script, { signal: AbortSignal.timeout(150), merge: true })
    assert.deepEqual(result, { ...cut, stdout: 'begun\n' })
  })

  it('ends the wait for stragglers too', async () => {
    const controller = new AbortController()
    const folder = mkdtempSync(join(tmpdir(), 'kedge-processes-'))
    // The straggler says so only when its shell has ended ($$ is the shell, also in a subshell).
    const gone = 'while kill -0 $$ 2> /dev/null; do sleep 0.01; done'
    const script = `(trap "" TERM; ${gone}; touch ${folder}/started; exec sleep 300) & echo started`
    const result = bash(script, { signal: controller.signal })
    while (readdirSync(folder).length === 0) await pause(5)
    controller.abort()
    assert.equal((await result).stdout, 'started\n')
    rmSync(folder, { recursive: true })
  })
})

describe('start', () => {
  type Started = { end: ProcessEnd; text: string; mark: string }
  const environment = (mark: string) => ({ PATH: process.env['PATH'], KEDGE_TASK: mark })

  async function begin(script: string, options: Partial<StartProcessOptions> = {}, processes = shared) {
    const mark = `test-${randomUUID()}`
    const seen = { text: '' }
    const running = await processes.start({
      command: 'bash',
      args: ['--norc', '-c', script],
      cwd: tmpdir(),
      env: environment(mark),
      merge: true,
      onOutput(chunk) {
        seen.text += Buffer.from(chunk).toString()
      },
      ...options,
    })
    const finish = async (): Promise<Started> => ({ end: await running.ended, text: seen.text, mark })
    return { running, mark, seen, finish }
  }

  const plain: ProcessEnd = { exitCode: 0, signal: null, report: '', endedLeftovers: 0 }

  it('returns what the child reports on descriptor 3, also when its children hold that', async () => {
    for (const env of [{}, { TMPDIR: '/nonexistent' }]) {
      const { mark, finish } = await begin('exec 29>&3 3>&-; sleep 300 > /dev/null 2>&1 & echo out; echo secret >&29', {
        report: true,
        env: { ...environment('m'), ...env },
      })
      const { end, text } = await finish()
      assert.deepEqual([end, text, findLeftoverProcesses(mark)], [{ ...plain, report: 'secret\n' }, 'out\n', []])
    }
  })

  it('waits with the rest while what came is being worked on', async () => {
    let busy = 0
    let most = 0
    let bytes = 0
    const { finish } = await begin('seq 1 200000', {
      async onOutput(chunk) {
        busy += 1
        most = Math.max(most, busy)
        await nextTurn()
        bytes += chunk.length
        busy -= 1
      },
    })
    assert.deepEqual([(await finish()).end, most, bytes, busy], [plain, 1, 1_288_895, 0])
  })

  it('ends politely: first a word, force for those who do not listen', async () => {
    const script =
      'trap "echo bye; exit 3" TERM; (trap "" TERM; exec setsid sleep 300) & echo ready; while :; do sleep 0.02; done'
    const { running, seen, finish } = await begin(script)
    while (!seen.text.includes('ready')) await pause(5)
    running.end('politely')
    const { end, text, mark } = await finish()
    assert.match(text, /^ready\n[\s\S]*bye\n$/)
    assert.deepEqual([end, findLeftoverProcesses(mark)], [{ ...plain, exitCode: 3 }, []])
  })

  it('leaves alone who starts while another is being ended, whatever that held', { skip: !linux }, async () => {
    const processes = createProcessRunner()
    // Deaf, and without a pipe: the shell is long gone when force comes.
    const deaf = '(trap "" TERM; echo deaf; exec > /dev/null 2>&1 3>&-; while :; do sleep 0.05; done) & wait'
    const first = await begin(deaf, { report: true }, processes)
    while (!first.seen.text.includes('deaf')) await pause(5)
    first.running.end('politely')
    while (existsSync(`/proc/${first.running.pid}`)) await pause(5)
    const second = await begin('sleep 1; echo alive', { report: true }, processes)
    const { end, text } = await second.finish()
    await first.finish()
    assert.deepEqual([end, text, findLeftoverProcesses(first.mark)], [plain, 'alive\n', []])
    await processes.close()
  })

  it('does not start what was aborted before', async () => {
    await assert.rejects(begin('true', { unless: AbortSignal.abort() }), /Aborted/)
  })

  it('keeps what is left running until it is closed', { skip: !linux }, async () => {
    const processes = createProcessRunner()
    // Nobody else sleeps for so long; some of them have no environment to be known by.
    const long = Array.from({ length: 7 }, (_, i) => `${process.pid}${randomInt(1000, 9999)}${i}`)
    const script = [
      `sleep ${long[0]} &`,
      `(trap "" TERM; exec sleep ${long[1]}) > /dev/null 2>&1 &`,
      `setsid -f sleep ${long[2]} > /dev/null 2>&1`,
      `(setsid bash -c "(sleep ${long[3]} &); exec sleep ${long[4]}" &)`,
      `env -i sleep ${long[5]} &`,
      `env -i setsid -f sleep ${long[6]} < /dev/null`,
      'echo started',
    ]
    const { finish, mark } = await begin(script.join('\n'), { leftovers: 'keep' }, processes)
    const { end, text } = await finish()
    assert.deepEqual([end, text], [plain, 'started\n'])
    while (sleepers(long).length < 7) await pause(5)
    await processes.close()
    assert.deepEqual([sleepers(long), findLeftoverProcesses(mark)], [[], []])
    await assert.rejects(begin('true', {}, processes), /The session is over/)
  })

  it('drains what is left, so that it does not die of writing', { skip: !linux }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-processes-'))
    const script = `(for i in {1..40}; do echo "$i \${x:=$(printf %4096s)}" || exit 1; sleep 0.01; done; touch ${folder}/wrote) & echo started`
    const { finish } = await begin(script, { leftovers: 'keep' })
    assert.deepEqual((await finish()).end, plain)
    while (readdirSync(folder).length === 0) await pause(10)
    rmSync(folder, { recursive: true })
  })

  it('lets its own process end while something is left running', async () => {
    const script = `
      const { createProcessRunner } = await import(process.argv[1])
      const { ended } = await createProcessRunner().start({
        command: 'bash', args: ['-c', 'sleep 300 & echo $!'], cwd: '/', env: { PATH: process.env.PATH },
        merge: true, leftovers: 'keep', onOutput: (chunk) => void process.stdout.write(chunk),
      })
      await ended`
    const module = new URL('./processes.js', import.meta.url).href
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script, module], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    assert.equal(status, 0)
    process.kill(Number(stdout), 'SIGKILL')
  })

  it('ends leftovers that are too many, and says so', { skip: !linux }, async () => {
    const { finish } = await begin('for i in {1..40}; do sleep 300 & done', { leftovers: 'keep' })
    const { end, mark } = await finish()
    assert.deepEqual([end, findLeftoverProcesses(mark)], [{ ...plain, endedLeftovers: 40 }, []])
  })

  it('is closed at once, running children included, and costs nothing when there were none', async () => {
    await createProcessRunner().close()
    const processes = createProcessRunner()
    const first = await begin('trap "" TERM; setsid sleep 300 & while :; do sleep 0.1; done', {}, processes)
    await processes.close()
    const { end, mark } = await first.finish()
    assert.deepEqual([end, findLeftoverProcesses(mark)], [{ ...plain, exitCode: null, signal: 'SIGKILL' }, []])
  })
})

it('runs many children at once and leaves no handles behind', async () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => /Wrap$|^Timeout$/.test(name))
  // What is over is let go of a moment later.
  const isQuiet = () => !open().includes('ProcessWrap')
  await bash('true', { merge: true })
  while (!isQuiet()) await pause(5)
  const before = open()
  const outputs = await Promise.all(
    Array.from({ length: 60 }, (_, i) => bash(`echo ${i}; echo ${i} >&2; sleep 0.05`, { merge: true })),
  )
  assert.deepEqual(
    outputs,
    outputs.map((_, i) => ({ ...ended, stdout: `${i}\n${i}\n` })),
  )
  while (!isQuiet()) await pause(5)
  assert.deepEqual(open(), before)
})

it('holds few descriptors between children, and none when it is closed', { skip: !linux }, async () => {
  const count = () => readdirSync('/proc/self/fd').length
  const run = (processes: ProcessRunner, leftovers: 'keep' | 'end') =>
    processes.start({
      command: 'bash',
      args: ['-c', 'sleep 0.05; sleep 300 > /dev/null & echo left'],
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'] },
      merge: true,
      report: true,
      leftovers,
    })
  await (await run(shared, 'end')).ended
  const before = count()
  const processes = createProcessRunner()
  for (const leftovers of ['end', 'keep'] as const) {
    const all = await Promise.all(Array.from({ length: 20 }, () => run(processes, leftovers)))
    for (const { ended } of all) await ended
    // The watchdog's, four pipes for the next ones; what was left running holds its own two, of which one is read.
    const most = leftovers === 'end' ? 5 : 5 + 2 * 20
    assert.ok(await eventually(`at most ${most} descriptors more`, () => count() <= before + most))
  }
  await processes.close()
  assert.ok(await eventually('no descriptor more', () => count() <= before))
})

/** Those of the given `sleep <seconds>` that run, by their arguments. */
function sleepers(seconds: string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => seconds.some((count) => line === `sleep ${count}`))
    .sort()
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' ')
  } catch {
    return ''
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
