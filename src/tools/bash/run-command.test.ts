/** A command from its start to its result, with a process that does as the test says: every way it can end or continue. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import type { BashInput } from './bash-shapes.js'
import { runBashCommand } from './run-command.js'
import type { BashSandbox, SandboxedStart, ShellStart } from './sandbox-port.js'
import { type CommandFolder, findCommandFolder } from './shell-directory.js'
import { createFakeShell, type FakeShellOptions, untilFakeShellStarted } from './test-shell.js'

let test: TestContext
beforeEach(async () => {
  test = await createTestContext()
})
afterEach(() => test.dispose())

type Stage = FakeShellOptions & {
  signal?: AbortSignal
  env?: Record<string, string>
  prepare?: () => Promise<{ id: string; outputFile: string }>
  sandbox?: Partial<BashSandbox>
  /** Where it was judged; where the shell stands if not said. */
  standing?: CommandFolder
}

function begin(input: BashInput | string, { signal, env, prepare, sandbox, standing, ...options }: Stage = {}) {
  const shell = createFakeShell(
    {
      ...test.context,
      env: { ...test.context.env, ...env },
      ...(signal ? { signal } : {}),
      ...(prepare ? { tasks: { ...test.context.tasks, prepare } } : {}),
    },
    options,
  )
  const command = typeof input === 'string' ? { command: input } : input
  const surroundings = {
    line: command.command,
    program: '/bin/bash',
    environment: shell.context.env,
    // Only the part that starting needs.
    sandbox: sandbox as BashSandbox | undefined,
  }
  const outcome = (async () =>
    runBashCommand(command, shell.context, surroundings, standing ?? (await findCommandFolder(shell.context))))()
  return { shell, outcome }
}

const error = async (outcome: ReturnType<typeof runBashCommand>) => {
  const result = await outcome
  return result.ok ? assert.fail(`it succeeded: ${JSON.stringify(result.content)}`) : result.error
}
const content = async (outcome: ReturnType<typeof runBashCommand>) => {
  const result = await outcome
  return result.ok ? result.content : assert.fail(result.error)
}

describe('a command that is waited for', () => {
  it('is given to bash as data, without start files, in the folder of the shell', async () => {
    const { shell, outcome } = begin('echo "$1"')
    await untilFakeShellStarted(shell)
    shell.end()
    await outcome
    const [start] = shell.started
    assert.equal(start?.command, '/bin/bash')
    assert.deepEqual(start?.args.slice(0, 3), ['--noprofile', '--norc', '-c'])
    assert.deepEqual(start?.args.slice(4), ['/bin/bash', 'echo "$1"'])
    assert.doesNotMatch(start?.args[3] ?? '', /ulimit|echo/)
    assert.deepEqual(
      [start?.cwd, start?.env['PWD'], start?.merge, start?.report, start?.leftovers],
      [test.folder, test.folder, true, true, 'keep'],
    )
  })

  it('has a limit on its processes where one can be set', async () => {
    const { shell, outcome } = begin('true', { processLimit: 300 })
    await untilFakeShellStarted(shell)
    shell.end()
    await outcome
    assert.match(shell.started[0]?.args[3] ?? '', /^ulimit -S -u 300 2>\/dev\/null; /)
  })

  it('has its output told as it comes and in the end', async () => {
    const { shell, outcome } = begin('x')
    await untilFakeShellStarted(shell)
    void shell.print('one\n')
    void shell.print('two\n')
    shell.end()
    assert.equal(await content(outcome), 'one\ntwo')
    assert.deepEqual(test.progress, ['one\n', 'two\n'])
  })

  it('is waited for as long as its limit says, and no timer is left', async () => {
    const { shell, outcome } = begin({ command: 'x', timeout: 5_000 })
    await untilFakeShellStarted(shell)
    shell.end()
    await outcome
    assert.deepEqual(shell.timers, [5_000])
    // After the end nothing of the wait goes off.
    shell.timeOut()
    assert.deepEqual(shell.asked, [])
  })

  it('that was ended by a signal failed, with the number shells give it', async () => {
    const { shell, outcome } = begin('x')
    await untilFakeShellStarted(shell)
    void shell.print('half')
    shell.end({ exitCode: null, signal: 'SIGSEGV' })
    assert.equal(await error(outcome), 'Exit code 139\nhalf')
  })

  it('has remarks about what it left running', async () => {
    const { shell, outcome } = begin('x')
    await untilFakeShellStarted(shell)
    shell.end({ endedLeftovers: 33 })
    assert.equal(await content(outcome), '33 processes that the command left running were ended: they were too many.')
  })

  it('moves the shell to where it says it stands, and stays where it is when it says nothing', async () => {
    const silent = begin('x')
    await untilFakeShellStarted(silent.shell)
    silent.shell.end({ report: '' })
    await silent.outcome
    assert.equal(silent.shell.context.session.shellCwd, test.folder)
    const left = begin('x')
    await untilFakeShellStarted(left.shell)
    left.shell.end({ report: '/\n' })
    assert.equal(await content(left.outcome), `Shell cwd was reset to ${test.folder}`)
    assert.equal(left.shell.context.session.shellCwd, test.folder)
  })
})

describe('a command whose folder was gone before it was judged', () => {
  it('runs in that of the session, and the result says so', async () => {
    test.context.session.shellCwd = join(test.folder, 'gone')
    const { shell, outcome } = begin('x')
    await untilFakeShellStarted(shell)
    void shell.print('out')
    shell.end()
    assert.equal(await content(outcome), `out\nShell cwd was reset to ${test.folder}`)
    assert.deepEqual(
      shell.started.map(({ cwd, judgedCwd }) => [cwd, judgedCwd]),
      [[test.folder, test.folder]],
    )
    assert.equal(shell.context.session.shellCwd, test.folder)
  })

  it('does not lead the shell back from where another command has led it', async () => {
    const other = join(test.folder, 'other')
    test.context.session.shellCwd = other
    const { shell, outcome } = begin('x', { standing: { cwd: test.folder, real: test.folder, lost: '/gone' } })
    await untilFakeShellStarted(shell)
    shell.end({ report: '' })
    await outcome
    assert.equal(shell.context.session.shellCwd, other)
  })
})

describe('where only the shell can tell what folder it is in', () => {
  const inside: Partial<BashSandbox> = {
    wrap: async ({ command, args, env }) => ({
      ok: true,
      command,
      args,
      env,
      finish: async () => [],
      explain: () => [],
    }),
  }
  /** What the command is started as, in a sandbox that is none. */
  const startIn = async (standing: CommandFolder, command: string) => {
    const { shell, outcome } = begin(command, { sandbox: inside, standing })
    await untilFakeShellStarted(shell)
    shell.end()
    await outcome
    return shell.started[0] ?? assert.fail('nothing was started')
  }
  const run = async (standing: CommandFolder, command: string) => {
    const { args } = await startIn(standing, command)
    return spawnSync('/bin/bash', args, {
      cwd: test.folder,
      encoding: 'utf8',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', 'ignore'],
    })
  }

  it('it looks before it runs anything', async () => {
    const here = { cwd: '/home/ada/project', real: test.folder }
    const { status, stdout } = await run(here, 'echo "ran $# $1"')
    assert.deepEqual([status, stdout], [0, 'ran 0 \n'])
  })

  it('and runs nothing in another one', async () => {
    for (const real of [`${test.folder}/`, '/', `${test.folder}\n`, '']) {
      const { status, stdout, stderr } = await run({ cwd: '/home/ada/project', real }, 'echo ran')
      const why = 'has been moved, or a link has taken its place: /home/ada/project. Nothing was run.\n'
      assert.deepEqual([status, stdout], [126, ''], real)
      assert.ok(stderr.endsWith(why), stderr)
    }
  })

  it('also in one with an odd name', async () => {
    const odd = join(test.folder, `odd * "$(x)' name\n`)
    await mkdir(odd)
    const { args } = await startIn({ cwd: odd, real: odd }, 'echo ran')
    const { stdout } = spawnSync('/bin/bash', args, {
      cwd: odd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'ignore'],
    })
    assert.equal(stdout, 'ran\n')
  })
})

describe('a command that can not be started', () => {
  it('fails with the reason', async () => {
    const { outcome } = begin('x', { failures: [new Error('spawn EACCES')] })
    assert.equal(await error(outcome), 'The command could not be started: spawn EACCES')
    const odd = begin('x', { failures: ['odd'] })
    assert.equal(await error(odd.outcome), 'The command could not be started: odd')
  })

  it('is not run anywhere else when its folder went after it was judged; the shell leaves that folder', async () => {
    const gone = join(test.folder, 'gone')
    test.context.session.shellCwd = gone
    const failures = [Object.assign(new Error('open'), { code: 'ENOENT' })]
    const { shell, outcome } = begin('x', { failures, standing: { cwd: gone, real: gone } })
    assert.equal(
      await error(outcome),
      `The folder that the command was to run in is gone: ${gone}. The shell stands in ${test.folder} now. Nothing was run. Run it again if that is where it is meant to run.`,
    )
    assert.deepEqual([shell.started.length, shell.context.session.shellCwd], [1, test.folder])
  })

  it('is not run anywhere else when its folder was moved after it was judged', async () => {
    const moved = `The folder that the command was allowed to run in has been moved, or a link has taken its place: ${test.folder}. Nothing was run. Run it again if that is where it is meant to run.`
    const elsewhere = { cwd: test.folder, real: '/home/ada/project' }
    const enoent = () => Object.assign(new Error('open'), { code: 'ENOENT' })
    assert.equal(await error(begin('x', { failures: [enoent()], standing: elsewhere }).outcome), moved)
    // It may be back by the time anybody looks.
    const failures = [Object.assign(new Error('open'), { code: 'ELOOP' })]
    assert.equal(await error(begin('x', { failures }).outcome), moved)
  })

  it('is not run where nobody knows where it is', async () => {
    const { shell, outcome } = begin('x', { standing: { cwd: test.folder, real: undefined } })
    assert.equal(await error(outcome), `The working directory does not exist any more: ${test.folder}`)
    assert.deepEqual(shell.started, [])
  })

  it('says so when there is no folder left to run it in', async () => {
    await rm(test.folder, { recursive: true })
    const { outcome } = begin('x', { failures: [new Error('spawn ENOENT')] })
    assert.equal(await error(outcome), `The working directory does not exist any more: ${test.folder}`)
  })

  it('was interrupted, when that is why', async () => {
    const { outcome } = begin('x', { failures: [new Error('aborted')], signal: AbortSignal.abort() })
    assert.equal(await error(outcome), 'Exit code 137\n[Request interrupted by user for tool use]')
  })
})

describe('an interrupt', () => {
  it('ends the command at once and shows what it printed', async () => {
    const controller = new AbortController()
    const { shell, outcome } = begin('x', { signal: controller.signal })
    await untilFakeShellStarted(shell)
    void shell.print('half\n')
    controller.abort()
    assert.equal(await error(outcome), 'Exit code 137\nhalf\n[Request interrupted by user for tool use]')
    assert.deepEqual(shell.asked, ['at once'])
  })

  it('that came while it was being started counts too', async () => {
    const { shell, outcome } = begin('x', { signal: AbortSignal.abort() })
    assert.equal(await error(outcome), 'Exit code 137\n[Request interrupted by user for tool use]')
    assert.deepEqual(shell.asked, ['at once'])
  })
})

describe('a command whose time is over', () => {
  it('goes on as a task, with its output in the file', async () => {
    const { shell, outcome } = begin({ command: 'x', timeout: 1_500 })
    await untilFakeShellStarted(shell)
    void shell.print('half\n')
    shell.timeOut()
    const text = String(await content(outcome))
    assert.match(
      text,
      /^Command running in background with ID: \S+\. .*\nIt is still running after its time limit of 1\.5 s\.\n.*\nOutput so far:\nhalf$/,
    )
    assert.deepEqual(shell.asked, [])
    const [, id = ''] = /ID: (\S+)\./.exec(text) ?? []
    const task = test.tasks.find(id)
    assert.equal(await task?.output(100), 'half\n')
    shell.end({ exitCode: 3 })
    await task?.ended
    assert.deepEqual([task?.status, task?.exitCode], ['failed', 3])
  })

  it('is ended politely where nothing may go on', async () => {
    const { shell, outcome } = begin(
      { command: 'x', timeout: 1_000 },
      { env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } },
    )
    await untilFakeShellStarted(shell)
    void shell.print('half\n')
    shell.timeOut()
    assert.equal(
      await error(outcome),
      'Exit code 143\nCommand timed out after 1s\nhalf\nNothing may go on in the background (CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set).',
    )
    assert.deepEqual(shell.asked, ['politely'])
  })

  it('is ended where there is no file for its output, and that is the reason', async () => {
    const { shell, outcome } = begin('x', { prepare: () => Promise.reject(new Error('the disk is full')) })
    await untilFakeShellStarted(shell)
    shell.timeOut()
    assert.equal(
      await error(outcome),
      'Exit code 143\nCommand timed out after 120s\nIt could not go on in the background: the disk is full',
    )
  })

  it('and that ended meanwhile has its own result', async () => {
    let open = (_: { id: string; outputFile: string }) => {}
    const prepared = new Promise<{ id: string; outputFile: string }>((resolve) => {
      open = resolve
    })
    const { shell, outcome } = begin('x', { prepare: () => prepared })
    await untilFakeShellStarted(shell)
    void shell.print('all\n')
    shell.timeOut()
    shell.end()
    open({ id: 'b1', outputFile: join(test.folder, 'b1.output') })
    assert.equal(await content(outcome), 'all')
    assert.deepEqual(shell.asked, [])
  })

  it('and was interrupted while its file was opened is ended at once', async () => {
    const controller = new AbortController()
    const prepare = async () => {
      controller.abort()
      return { id: 'b1', outputFile: join(test.folder, 'b1.output') }
    }
    const { shell, outcome } = begin('x', { prepare, signal: controller.signal })
    await untilFakeShellStarted(shell)
    shell.timeOut()
    assert.equal(await error(outcome), 'Exit code 137\n[Request interrupted by user for tool use]')
    assert.deepEqual(shell.asked, ['at once'])
  })
})

describe('a command in a sandbox', () => {
  const wrapped =
    (more: Partial<SandboxedStart> = {}) =>
    async (start: ShellStart): Promise<SandboxedStart> => ({
      ok: true,
      command: '/usr/bin/wrapper',
      args: ['--', start.command, ...start.args],
      env: { ...start.env, INSIDE: '1' },
      finish: async () => [],
      explain: () => [],
      ...more,
    })

  it('is started as the sandbox says, and what that undid is told in the end', async () => {
    const { shell, outcome } = begin('x', {
      sandbox: { wrap: wrapped({ finish: async () => ['.git/hooks was put back.'] }) },
    })
    await untilFakeShellStarted(shell)
    assert.deepEqual(
      [shell.started[0]?.command, shell.started[0]?.args.slice(0, 2), shell.started[0]?.env['INSIDE']],
      ['/usr/bin/wrapper', ['--', '/bin/bash'], '1'],
    )
    shell.end()
    assert.equal(await content(outcome), '.git/hooks was put back.')
  })

  it('that failed has the sandbox explain it from its output; one that did not has not', async () => {
    const explain = (output: string) => [`Perhaps the sandbox: ${output.trim()}`]
    const bad = begin('x', { sandbox: { wrap: wrapped({ explain }) } })
    await untilFakeShellStarted(bad.shell)
    void bad.shell.print('denied\n')
    bad.shell.end({ exitCode: 1 })
    assert.equal(await error(bad.outcome), 'Exit code 1\ndenied\nPerhaps the sandbox: denied')
    const good = begin('x', { sandbox: { wrap: wrapped({ explain }) } })
    await untilFakeShellStarted(good.shell)
    void good.shell.print('denied\n')
    good.shell.end()
    assert.equal(await content(good.outcome), 'denied')
  })

  it('does not run without one, and the sandbox says why', async () => {
    const { shell, outcome } = begin('x', { sandbox: { wrap: async () => ({ ok: false, error: 'no bwrap' }) } })
    assert.equal(await error(outcome), 'The command could not be started: no bwrap')
    assert.deepEqual(shell.started, [])
  })

  it('that could not be started is cleaned up after', async () => {
    let finished = 0
    const finish = async () => {
      finished += 1
      return []
    }
    const { outcome } = begin('x', { failures: [new Error('E2BIG')], sandbox: { wrap: wrapped({ finish }) } })
    assert.equal(await error(outcome), 'The command could not be started: E2BIG')
    assert.equal(finished, 1)
  })

  it('keeps its result when cleaning up fails, which is told', async () => {
    const finish = () => Promise.reject(new Error('EBUSY'))
    const { shell, outcome } = begin('x', { sandbox: { wrap: wrapped({ finish }) } })
    await untilFakeShellStarted(shell)
    void shell.print('out\n')
    shell.end()
    assert.equal(await content(outcome), 'out\nError: EBUSY')
  })

  it('writes what the sandbox has to say into the file of a task', async () => {
    const sandbox = { wrap: wrapped({ finish: async () => ['undone'], explain: () => ['explained'] }) }
    const { shell, outcome } = begin({ command: 'x', run_in_background: true }, { sandbox })
    const [, id = ''] = /ID: (\S+)\./.exec(String(await content(outcome))) ?? []
    void shell.print('out\n')
    shell.end({ exitCode: 1, endedLeftovers: 50 })
    const task = test.tasks.find(id)
    await task?.ended
    assert.equal(
      await task?.output(1_000),
      'out\nundone\n50 processes that the command left running were ended: they were too many.\nexplained\n',
    )
    assert.deepEqual(test.progress, [])
  })
})
