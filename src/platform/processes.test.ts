/** Real children: what comes back, and that nothing of them stays. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { nodeProcesses, type RunOptions, type RunResult } from './processes.js'
import { leftovers } from './test-leftovers.js'

const linux = process.platform === 'linux'

/** Runs a bash script and checks that none of its processes is left. */
async function bash(script: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const mark = `test-${randomUUID()}`
  const env = { PATH: process.env['PATH'], KEDGE_TASK: mark }
  const result = await nodeProcesses.run({
    command: 'bash',
    args: ['--norc', '-c', script],
    cwd: tmpdir(),
    env,
    ...options,
  })
  assert.deepEqual(leftovers(mark), [])
  return result
}

const ended = { exitCode: 0, signal: null, timedOut: false, aborted: false, stdout: '', stderr: '', droppedBytes: 0 }

describe('nodeProcesses.run', () => {
  it('passes arguments and environment as they are, and no input', async () => {
    const result = await nodeProcesses.run({
      command: 'bash',
      args: ['-c', 'printf "%s|" "$@"; printf "%s|" "$ONLY" "$HOME"; cat', 'name', 'a b', '$(x)', '*'],
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'], ONLY: 'this', GONE: undefined },
    })
    assert.deepEqual(result, { ...ended, stdout: 'a b|$(x)|*|this||' })
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

  it('returns what the child reports on descriptor 3', async () => {
    assert.deepEqual(await bash('echo out; echo secret >&3', { report: true }), {
      ...ended,
      stdout: 'out\n',
      report: 'secret\n',
    })
  })

  it('decodes characters that are split over two writes, and replaces invalid bytes', async () => {
    const chunks: string[] = []
    const script = "printf 'a\\xc3'; sleep 0.1; printf '\\xa9b\\xff.'"
    const result = await bash(script, { onOutput: (chunk) => chunks.push(chunk) })
    assert.deepEqual([result.stdout, chunks.join('')], ['aéb\ufffd.', 'aéb\ufffd.'])
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
    await assert.rejects(nodeProcesses.run({ ...base, command: 'no-such-command-here' }), { code: 'ENOENT' })
    await assert.rejects(nodeProcesses.run({ ...base, command: 'no-such-command-here', merge: true }), {
      code: 'ENOENT',
    })
    await assert.rejects(nodeProcesses.run({ ...base, command: 'true', cwd: '/nonexistent' }), { code: 'ENOENT' })
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
  const after = (ms: number) => AbortSignal.timeout(ms)
  const cut = { ...ended, exitCode: null, signal: 'SIGKILL', aborted: true }

  it('does not start at all when it comes first', async () => {
    assert.deepEqual(await bash('echo ran', { signal: AbortSignal.abort() }), cut)
    assert.deepEqual(await bash('echo ran', { signal: AbortSignal.abort(), merge: true }), cut)
  })

  it('kills the whole tree and keeps the output so far', async () => {
    const script = 'echo begun; trap "" TERM; sleep 300 & setsid sleep 300 & sleep 300'
    const result = await bash(script, { signal: after(150), merge: true })
    assert.deepEqual(result, { ...cut, stdout: 'begun\n' })
  })

  it('ends the wait for stragglers too', async () => {
    const controller = new AbortController()
    const result = bash('(trap "" TERM; sleep 300) & echo started', {
      signal: controller.signal,
      onOutput: () => setTimeout(() => controller.abort(), 60),
    })
    assert.equal((await result).stdout, 'started\n')
  })
})

it('runs many children at once and leaves no handles behind', async () => {
  await bash('true', { merge: true })
  const open = () => process.getActiveResourcesInfo().filter((name) => /Wrap$|^Timeout$/.test(name))
  const before = open()
  const outputs = await Promise.all(
    Array.from({ length: 60 }, (_, i) => bash(`echo ${i}; echo ${i} >&2; sleep 0.05`, { merge: true })),
  )
  assert.deepEqual(
    outputs,
    outputs.map((_, i) => ({ ...ended, stdout: `${i}\n${i}\n` })),
  )
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(open(), before)
})
