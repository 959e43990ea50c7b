/** A command of the starter is what a child of our own is; and when the starter is not there, nothing is missed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { SPECIES } from '../../../test/e2e/zoo/species.js'
import { readEntry } from './process-table.js'
import { createProcessRunner, type ProcessEnd, type ProcessRunner, type StartProcessOptions } from './processes.js'
import { createProcessStarter } from './starter.js'
import { findLeftoverProcesses } from './test-leftovers.js'

const skip = process.platform !== 'linux' || !existsSync('/usr/bin/perl')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-starter-')))
const direct = createProcessRunner(() => createProcessStarter({ perl: '/nonexistent/perl', fromBytes: 0 }))
const runners: ProcessRunner[] = [direct]
after(async () => {
  for (const runner of runners) await runner.close()
  rmSync(folder, { recursive: true })
})

type Run = { end: ProcessEnd; text: string; mark: string }

async function begin(processes: ProcessRunner, script: string, more: Partial<StartProcessOptions> = {}) {
  const mark = `test-${randomUUID()}`
  let text = ''
  const running = await processes.start({
    command: '/bin/bash',
    args: ['--norc', '-c', script, 'name', 'a b', '$(x)', '*', '', 'ä\n'],
    cwd: folder,
    judgedCwd: folder,
    env: { PATH: process.env['PATH'], KEDGE_TASK: mark, EMPTY: '', 'ODD%%': 'x=y', LINES: 'a\nb', GONE: undefined },
    merge: true,
    report: true,
    onOutput(chunk) {
      text += Buffer.from(chunk).toString()
    },
    ...more,
  })
  return {
    running,
    mark,
    seen: () => text,
    finish: async (): Promise<Run> => ({ end: await running.ended, text, mark }),
  }
}
const run = async (...args: Parameters<typeof begin>) => (await begin(...args)).finish()

/** Processes whose commands are started by a starter that runs. */
async function started(): Promise<{ processes: ProcessRunner; starter: number }> {
  const processes = createProcessRunner(() => createProcessStarter({ fromBytes: 0 }))
  runners.push(processes)
  for (;;) {
    const starter = Number((await run(processes, 'echo $PPID')).text)
    if (starter !== process.pid) return { processes, starter }
  }
}

describe('commands of the starter', { skip }, () => {
  it('are given what a child of our own is given', async () => {
    const { processes } = await started()
    const look = [
      'grep -E "^(Sig[BIC]|Umask|Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp)" /proc/self/status; cat /proc/self/limits; nice',
      'for n in {0..20}; do readlink /proc/$$/fd/$n; done',
      'pwd -P; printf "%s|" "$0" "$@"; tr "\\0" "\\n" < /proc/$$/environ | grep -v -e KEDGE_TASK -e ^_= | sort',
      'read -r _ _ _ _ group session terminal _ < /proc/$$/stat; echo $((group == $$)) $((session == $$)) $terminal',
      'echo secret >&3; exit 3',
    ].join('\n')
    // Each has outputs of its own.
    const alike = ({ text, end }: Run) => [text.replaceAll(/kedge-[0-9a-f]+-[\w.]+/g, 'a pipe'), end]
    const [own, other] = [await run(direct, look), await run(processes, look)]
    assert.deepEqual(alike(other), alike(own))
    assert.ok(own.text.length > 1_000 && own.end.report === 'secret\n' && own.end.exitCode === 3, own.text)
  })

  it('end as they end, and what they leave ends with them', async () => {
    const { processes } = await started()
    const endings = [
      'exit 0',
      'exit 143',
      'exit 255',
      'kill -TERM $$',
      'kill -KILL $$',
      'kill -INT $$',
      'kill -SEGV $$',
    ]
    for (const ending of [...endings, 'sleep 300 & exit 5', 'setsid sleep 300 & exit 6']) {
      const [own, other] = [await run(direct, ending), await run(processes, ending)]
      assert.deepEqual([other.end, other.text, findLeftoverProcesses(other.mark)], [own.end, own.text, []], ending)
    }
  })

  it('are ended, whatever they are, at once and politely', async () => {
    const { processes } = await started()
    for (const how of ['at once', 'politely'] as const) {
      for (const [name, command] of Object.entries(SPECIES)) {
        const one = await begin(processes, `${command}\necho ready; wait; sleep 90`)
        while (!one.seen().includes('ready')) await new Promise((resolve) => setImmediate(resolve))
        one.running.end(how)
        assert.notEqual((await one.finish()).end.exitCode, 0, name)
        assert.deepEqual(findLeftoverProcesses(one.mark), [], name)
      }
    }
  })

  it('run side by side, and end with the session though they have only just been asked for', async () => {
    const { processes } = await started()
    const numbers = Array.from({ length: 30 }, (_, i) => i)
    const all = await Promise.all(numbers.map((i) => run(processes, `echo ${i} >&2; exit ${i}`)))
    assert.deepEqual(
      all.map(({ end, text }) => [end.exitCode, text]),
      numbers.map((i) => [i, `${i}\n`]),
    )
    const mark = `test-${randomUUID()}`
    const asked = numbers.map(() =>
      run(processes, 'sleep 300', { env: { PATH: process.env['PATH'], KEDGE_TASK: mark } }),
    )
    const ended = Promise.allSettled(asked)
    await processes.close()
    for (const one of await ended) assert.ok(one.status === 'rejected' || one.value.end.exitCode === null)
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  it('start in the folder that was judged, or not at all', async () => {
    const { processes } = await started()
    const [judged, link] = [join(folder, 'judged'), join(folder, 'link')]
    spawnSync('mkdir', [judged])
    symlinkSync('judged', link)
    assert.equal((await run(processes, 'pwd -P', { cwd: link, judgedCwd: judged })).text, `${judged}\n`)
    await assert.rejects(run(processes, 'touch ran', { cwd: link, judgedCwd: link }), { code: 'ELOOP' })
    renameSync(judged, join(folder, 'moved'))
    await assert.rejects(run(processes, 'touch ran', { cwd: judged, judgedCwd: judged }), { code: 'ENOENT' })
    assert.equal(existsSync(join(folder, 'moved', 'ran')), false)
  })

  it('that can not be started are refused as ever, and the next ones are not', async () => {
    const { processes, starter } = await started()
    await assert.rejects(run(processes, '', { command: '/nonexistent/program' }), { code: 'ENOENT' })
    await assert.rejects(run(processes, '', { args: ['-c', 'x'.repeat(3_000_000)] }), { code: 'E2BIG' })
    await assert.rejects(run(processes, '', { args: ['a\0b'] }), { code: 'ERR_INVALID_ARG_VALUE' })
    assert.equal((await run(processes, 'echo $PPID')).text, `${starter}\n`)
  })
})

describe('a starter', { skip }, () => {
  it('that is ended takes its commands along, which were killed then; the next ones are started all the same', async () => {
    const { processes, starter } = await started()
    const running = [
      await begin(processes, 'echo up; sleep 300'),
      await begin(processes, 'setsid sleep 300 & sleep 300'),
    ]
    process.kill(starter, 'SIGKILL')
    const killed = { exitCode: null, signal: 'SIGKILL', report: '', endedLeftovers: 0 }
    for (const one of running)
      assert.deepEqual([(await one.finish()).end, findLeftoverProcesses(one.mark)], [killed, []])
    assert.deepEqual((await run(processes, 'echo next')).text, 'next\n')
  })

  it('that is ended by the command it starts takes that along, too', async () => {
    const { processes } = await started()
    const mark = `test-${randomUUID()}`
    const env = { PATH: process.env['PATH'], KEDGE_TASK: mark }
    // Whether we had heard by then that it was started is a matter of luck.
    const [end] = await Promise.allSettled([run(processes, 'kill -KILL $PPID; setsid sleep 300 & sleep 300', { env })])
    if (end?.status === 'rejected') assert.match(String(end.reason), /it was ended too/)
    else assert.deepEqual([end?.value.end.exitCode, end?.value.end.signal], [null, 'SIGKILL'])
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  it('does not listen to signals for all, and its commands do', async () => {
    const { processes, starter } = await started()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(starter, signal)
    assert.equal((await run(processes, 'echo $PPID; kill -TERM $$')).end.signal, 'SIGTERM')
    assert.equal((await run(processes, 'echo $PPID')).text, `${starter}\n`)
  })

  it('is left out when its host has changed, and is gone with the last session', async () => {
    const script = `
      const { createProcessRunner } = await import(process.argv[1])
      const { createProcessStarter } = await import(process.argv[2])
      const processes = createProcessRunner(() => starter)
      const starter = createProcessStarter({ fromBytes: 0 })
      const run = async (line) => {
        let text = ''
        const { ended } = await processes.start({
          command: '/bin/bash', args: ['--norc', '-c', line], cwd: '/', judgedCwd: '/', env: { PATH: process.env.PATH },
          merge: true, report: true, onOutput: (chunk) => { text += Buffer.from(chunk) },
        })
        await ended
        return text.trim()
      }
      let first = String(process.pid)
      while (first === String(process.pid)) first = await run('echo $PPID')
      process.umask(0o027)
      const [umask, parent] = (await run('umask; echo $PPID')).split('\\n')
      console.log(umask, parent === String(process.pid))
      let second = String(process.pid)
      while (second === String(process.pid)) second = await run('echo $PPID')
      console.log(await run('umask'), second !== first)
      await processes.close()
      console.log(second)`
    const [processes, starter] = ['./processes.js', './starter.js'].map((file) => new URL(file, import.meta.url).href)
    const args = ['--input-type=module', '-e', script, processes ?? '', starter ?? '']
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
    const [changed, again, last] = stdout.split('\n')
    assert.deepEqual([status, changed, again], [0, '0027 true', '0027 true'], stderr)
    // Whoever takes in orphans may not have waited for it yet.
    const isGone = () => readEntry(Number(last))?.isOver ?? true
    while (!isGone()) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('is not needed where there is none', async () => {
    for (let i = 0; i < 5; i += 1) assert.equal((await run(direct, 'echo $PPID')).text, `${process.pid}\n`)
  })
})
