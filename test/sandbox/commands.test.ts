/** What commands can do in the sandbox: all that belongs to work in a project. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe } from 'node:test'
import type { SandboxSettings } from '../../src/protocol/options.js'
import { createSandbox } from '../../src/sandbox/sandbox.js'
import type { SandboxRequest } from '../../src/sandbox/sandbox-request.js'
import { sampledTest as it } from '../support/tier.js'
import {
  createGround,
  createStage,
  findProgram,
  type Ground,
  listenIn,
  runScript,
  type Stage,
  whyNoSandbox,
} from './stage.js'

/** Seconds nobody else sleeps. */
const long = 1_000_000 + process.pid

const suite = whyNoSandbox === undefined ? 'in the sandbox' : `in the sandbox (not run: ${whyNoSandbox})`

describe(suite, { skip: whyNoSandbox !== undefined }, () => {
  let ground: Ground
  let stage: Stage
  before(async () => {
    ground = await createGround()
  })
  after(() => ground.close())
  beforeEach(async () => {
    stage = await createStage(ground)
  })
  afterEach(() => stage.remove())

  const run = (script: string, request?: Partial<SandboxRequest>, settings?: SandboxSettings) =>
    runScript(stage, script, { sandboxed: true, request, settings })
  const output = async (script: string, request?: Partial<SandboxRequest>, settings?: SandboxSettings) => {
    const outcome = await run(script, request, settings)
    assert.equal(outcome.refusal, undefined)
    return outcome.stdout
  }
  const wrap = async (script: string, request: Partial<SandboxRequest> = {}) => {
    const wrapped = await stage.sandbox.wrap(
      {
        command: 'bash',
        args: ['-c', script],
        cwd: stage.project,
        env: stage.variables,
        directories: [stage.project],
        ...request,
      },
      { enabled: true },
    )
    assert.ok(wrapped.ok)
    return wrapped
  }

  it('writes to the project, reads elsewhere, and tells of its end', async () => {
    const wrapped = await wrap('echo made > made; cat "$OUT/file"; echo oops >&2; exit 7')
    const result = await stage.processes.run({ ...wrapped, cwd: stage.project })
    await wrapped.finish()
    assert.deepEqual([result.exitCode, result.stdout, result.stderr], [7, 'original', 'oops\n'])
    assert.equal(readFileSync(join(stage.project, 'made'), 'utf8'), 'made\n')
  })

  it('has its input, both outputs in order, and the descriptor it reports on', async () => {
    const wrapped = await wrap('cat; echo out; echo err >&2; echo again; pwd >&3')
    let text = ''
    const running = await stage.processes.start({
      ...wrapped,
      cwd: stage.project,
      input: 'given ',
      merge: true,
      report: true,
      onOutput: (chunk) => {
        text += Buffer.from(chunk).toString()
      },
    })
    const end = await running.ended
    await wrapped.finish()
    assert.deepEqual([text, end.report], ['given out\nerr\nagain\n', `${stage.project}\n`])
  })

  it('gets its arguments as they are', async () => {
    const strange = ['a b', '', '$(x)', '--', '-n', 'line\nline', '\u{1f600}', `'"\\`]
    const wrapped = await wrap('', { args: ['-c', 'printf "%s|" "$@"', 'bash', ...strange] })
    const { stdout } = await stage.processes.run({ ...wrapped, cwd: stage.project })
    await wrapped.finish()
    assert.equal(stdout, strange.map((word) => `${word}|`).join(''))
  })

  for (const name of ['with blanks  in it', 'with\nlines', '-rf', "it's", 'ünï', '$HOME', 'back\\slash', '*']) {
    it(`works in a folder named ${JSON.stringify(name)}, and protects what is in it`, async () => {
      const cwd = join(stage.project, name)
      mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
      writeFileSync(join(cwd, 'secret'), 'x')
      const script = 'pwd; echo x > made; echo x > .git/hooks/y; echo x > .mcp.json; cat secret; true'
      const outcome = await run(script, { cwd, directories: [cwd], hiddenPaths: [join(cwd, 'secret')] })
      assert.deepEqual([outcome.stdout, outcome.refusal, outcome.remarks], [`${cwd}\n`, undefined, []])
      assert.deepEqual(readdirSync(cwd).sort(), ['.git', 'made', 'secret'])
      assert.deepEqual(readdirSync(join(cwd, '.git/hooks')), [])
    })
  }

  it('works in a folder that is a link, and in folders inside each other', async () => {
    const link = stage.at('link')
    symlinkSync('project', link)
    mkdirSync(join(stage.project, 'a/b'), { recursive: true })
    const directories = [link, join(link, 'a/b'), join(link, 'a')]
    const script = 'pwd; echo x > made; echo x > ../../top; echo x > .mcp.json; echo x > ../../.mcp.json; true'
    assert.equal(await output(script, { cwd: join(link, 'a/b'), directories }), `${link}/a/b\n`)
    assert.ok(existsSync(join(stage.project, 'a/b/made')) && existsSync(join(stage.project, 'top')))
    assert.ok(!existsSync(join(stage.project, '.mcp.json')) && !existsSync(join(stage.project, 'a/b/.mcp.json')))
  })

  it('a folder that was added inside a protected one is writable', async () => {
    mkdirSync(join(stage.project, '.claude/worktrees/w'), { recursive: true })
    const directories = [stage.project, join(stage.project, '.claude/worktrees/w')]
    await output('echo x > .claude/worktrees/w/made; echo x > .claude/worktrees/other; true', { directories })
    assert.deepEqual(readdirSync(join(stage.project, '.claude/worktrees')), ['w'])
    assert.ok(existsSync(join(stage.project, '.claude/worktrees/w/made')))
  })

  it('says which working directories do not exist, and refuses one it can’t hold', async () => {
    const missing = stage.at('missing')
    const wrapped = await wrap('true', { directories: [stage.project, missing] })
    await wrapped.finish()
    assert.deepEqual(wrapped.notes, [`${missing} does not exist, so commands can't write there.`])
    const refusals = [
      { cwd: missing },
      { cwd: '/', directories: ['/'] },
      { cwd: '/proc/self', directories: ['/proc/self'] },
      { cwd: '/tmp', directories: [] },
      { hiddenPaths: [stage.at('.')] },
    ]
    const errors = await Promise.all(refusals.map(async (request) => (await run('true', request)).refusal ?? 'ran'))
    const expected = [
      /missing does not exist/,
      /all of \/ to/,
      /all of \/proc to/,
      /has its own of/,
      /commands work in it/,
    ]
    errors.forEach((error, i) => {
      assert.match(error, expected[i] ?? /never/)
    })
  })

  it('keeps temporary files from command to command, and out of the machine’s /tmp', async () => {
    await output('echo kept > "$TMPDIR/file"; echo kept > /tmp/other')
    assert.equal(await output('cat "$TMPDIR/file" /tmp/other'), 'kept\nkept\n')
    assert.ok(!existsSync('/tmp/other'))
    assert.equal(await output('ls -A /run /var/tmp'), '/run:\n\n/var/tmp:\n')
  })

  it('has a /tmp of its own for each command when the project is in /tmp', async () => {
    const project = join('/tmp', `kedge-commands-${process.pid}`)
    mkdirSync(project)
    try {
      const request = { cwd: project, directories: [project] }
      await output('echo x > made; echo x > ../other', request)
      assert.equal(await output('ls; ls ..', request), `made\n${project.slice('/tmp/'.length)}\n`)
    } finally {
      rmSync(project, { recursive: true })
    }
  })

  it('takes the paths of the settings', async () => {
    mkdirSync(join(stage.home, 'shared'))
    mkdirSync(stage.at('outside/more'))
    const filesystem = {
      allowWrite: ['~/shared', stage.at('outside/more/**'), '/nonexistent'],
      denyWrite: ['conf', `/${stage.at('outside/more/locked')}`],
      denyRead: ['./.git/HEAD'],
    }
    const script = `
      echo x > ~/shared/made; echo x > "$OUT/more/made"
      echo x > "$OUT/more/locked"; echo x > conf/made; cat .git/HEAD; true`
    const { stdout, refusal } = await run(script, {}, { filesystem })
    assert.deepEqual([stdout, refusal], ['', undefined])
    assert.deepEqual(readdirSync(join(stage.home, 'shared')), ['made'])
    assert.deepEqual(readdirSync(stage.at('outside/more')), ['made'])
    assert.deepEqual(readdirSync(stage.at('project/conf')), ['.env'])
    const pattern = await run('true', {}, { filesystem: { denyRead: ['**/*.pem'] } })
    assert.match(pattern.refusal ?? '', /denyRead has the pattern \*\*\/\*\.pem.*Name the files/)
  })

  it('git works', { skip: findProgram('git') === undefined }, async () => {
    rmSync(join(stage.project, '.git'), { recursive: true })
    spawnSync('git', ['init', '-q'], { cwd: stage.project })
    const script = `git add -A && git -c user.name=a -c user.email=a@b commit -qm first && git checkout -qb other &&
      git log --format=%s HEAD && git ls-files && git status --short`
    const files = '.claude/settings.json\n.venv/bin/python\nconf/.env\n'
    assert.equal(await output(script, { hiddenPaths: [] }), `first\n${files}`)
  })

  it('node works, with children and pipes', async () => {
    const script = `"$NODE" -e 'const { stdout } = child_process.spawnSync("echo", ["hi"]); process.stdout.write(stdout)
      child_process.fork(process.argv[1] ?? "-", [], { execArgv: ["-e", "process.send(1)"] }).on("message", (m) => console.log(m))'`
    assert.equal(await output(script), 'hi\n1\n')
  })

  it('descriptors can be opened by name', async () => {
    const wrapped = await wrap(
      'echo a > /dev/stdout; echo b > >(cat); wait; cat <(echo c) - <<< d; echo e | tee /dev/fd/1',
    )
    const { stdout } = await stage.processes.run({ ...wrapped, cwd: stage.project, merge: true })
    await wrapped.finish()
    assert.equal(stdout, 'a\nb\nc\nd\ne\ne\n')
  })

  it('ends with the process that started it, however that ends', async () => {
    const wrapped = await wrap(`setsid sleep ${long} & wait`)
    const starter = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', wrapped.command, ...wrapped.args], {
      env: wrapped.env,
      cwd: stage.project,
      stdio: 'ignore',
    })
    await until(() => countLong() === 1)
    starter.kill('SIGKILL')
    await until(() => countLong() === 0)
    await wrapped.finish()
  })

  it('whoever closes waits for what is being put away', async () => {
    const apart = await createGround()
    const { sandbox, project, variables: env, remove } = await createStage(apart)
    try {
      const before = readdirSync(project)
      const request = { command: 'bash', args: ['-c', 'true'], cwd: project, env, directories: [project] }
      const wrapped = await sandbox.wrap(request, { enabled: true })
      assert.ok(wrapped.ok && readdirSync(project).length > before.length)
      void wrapped.finish()
      await sandbox.close()
      assert.deepEqual(readdirSync(project), before)
    } finally {
      await remove()
      await apart.close()
    }
  })

  it('nothing it started is left', async () => {
    const wrapped = await wrap(`setsid sleep ${long} & wait`)
    const running = await stage.processes.start({ ...wrapped, cwd: stage.project, leftovers: 'keep' })
    await until(() => countLong() === 1)
    running.end('at once')
    await running.ended
    await wrapped.finish()
    assert.equal(countLong(), 0)
  })

  it('nothing runs any more at the moment when it is said to be over', async () => {
    for (let round = 0; round < 10; round++) {
      const wrapped = await wrap(`for i in 1 2 3 4 5; do setsid sleep ${long} & done; exit 5`)
      const child = spawn(wrapped.command, wrapped.args, { env: wrapped.env, cwd: stage.project, stdio: 'ignore' })
      const [code] = await once(child, 'exit')
      assert.deepEqual([code, countLong()], [5, 0])
      await wrapped.finish()
    }
  })

  it('is a process like any other: signals reach it, orphans go, and nobody comments on its end', async () => {
    const script = `trap 'echo caught' INT TERM; kill -INT $$; kill -TERM $$; (sleep 0 &); sleep 0.1
      grep -c zombie /proc/[0-9]*/status | grep -c ':1'; kill -SEGV $$`
    const wrapped = await wrap(script)
    const { stdout, stderr, exitCode } = await stage.processes.run({ ...wrapped, cwd: stage.project })
    await wrapped.finish()
    assert.deepEqual([stdout, stderr, exitCode], ['caught\ncaught\n0\n', '', 139])
  })

  it('names that were taken are free again, and shared by commands at the same time', async () => {
    const before = readdirSync(stage.project)
    const commands = await Promise.all(Array.from({ length: 12 }, () => wrap('echo x > .mcp.json; test -e .mcp.json')))
    const ends = await Promise.all(
      commands.map(async (wrapped) => {
        const { exitCode } = await stage.processes.run({ ...wrapped, cwd: stage.project })
        return [exitCode, await wrapped.finish()]
      }),
    )
    assert.deepEqual(ends, Array(12).fill([0, []]))
    assert.deepEqual(readdirSync(stage.project), before)
  })

  it('a placeholder that was left behind is used again and removed; a folder of the user is not', async () => {
    const left = join(stage.project, '.mcp.json')
    mkdirSync(left)
    utimesSync(left, 1_000_000_000, 1_000_000_000)
    mkdirSync(join(stage.project, '.idea'))
    await output('echo x > .mcp.json; echo x > .idea/made; true')
    assert.ok(!existsSync(left))
    assert.deepEqual(readdirSync(join(stage.project, '.idea')), [])
  })

  it('does not remove what another session relies on', async () => {
    const other = createSandbox(ground.machine)
    try {
      const long = await wrap('echo ready; read -r line; echo x > .mcp.json; echo $?')
      const child = spawn(long.command, long.args, { env: long.env, cwd: stage.project })
      await once(child.stdout, 'data')
      const request = {
        command: 'true',
        args: [],
        cwd: stage.project,
        env: stage.variables,
        directories: [stage.project],
      }
      const short = await other.wrap(request, { enabled: true })
      assert.ok(short.ok)
      assert.equal((await stage.processes.run({ ...short, cwd: stage.project })).exitCode, 0)
      await short.finish()
      const said = once(child.stdout, 'data')
      child.stdin.end('go\n')
      assert.equal(String(await said), '1\n')
      if (child.exitCode === null) await once(child, 'exit')
      await long.finish()
      assert.ok(!existsSync(join(stage.project, '.mcp.json')))
    } finally {
      await other.close()
    }
  })

  it('a session that ends leaves no placeholder, also of commands nobody finished', async () => {
    const other = createSandbox(ground.machine)
    const before = readdirSync(stage.project)
    const request = { command: 'true', args: [], cwd: stage.project, env: {}, directories: [stage.project] }
    assert.ok((await other.wrap(request, { enabled: true })).ok)
    assert.notDeepEqual(readdirSync(stage.project), before)
    await other.close()
    assert.deepEqual(readdirSync(stage.project), before)
  })

  it('says what it put right', async () => {
    symlinkSync('conf', join(stage.project, '.husky'))
    const { remarks } = await run('echo a > HEAD; rm .husky; mkdir .husky; echo b > .husky/pre-commit; rm -rf .vscode')
    const [head, husky] = ['HEAD', '.husky'].map((name) => join(stage.project, name))
    assert.deepEqual([...remarks].sort(), [
      `${husky} is protected: what the command put there is now ${husky}.blocked-by-sandbox.`,
      `${head} is protected: what the command put there is now ${head}.blocked-by-sandbox.`,
    ])
    assert.deepEqual(readdirSync(`${husky}`), ['.env'])
  })

  it('talks to the sockets the settings allow', async () => {
    const path = stage.at('outside/allowed')
    const server = createServer((socket) => socket.end('hello'))
    listenIn(stage.at('outside'), 'allowed', server)
    await once(server, 'listening')
    const script = `"$NODE" -e 'net.connect(process.env.OUT + "/allowed").on("data", (d) => console.log(String(d)))
      .on("error", (e) => console.log(e.code))'`
    try {
      const network = [{}, { allowUnixSockets: [path] }, { allowAllUnixSockets: true }]
      const outputs = await Promise.all(network.map((allowed) => output(script, {}, { network: allowed })))
      assert.deepEqual(outputs, ['EPERM\n', 'hello\n', 'hello\n'])
    } finally {
      server.close()
    }
  })

  it('has a network of its own to test servers in', async () => {
    const script = `"$NODE" -e 'const server = net.createServer((s) => s.end("served")).listen(0, "127.0.0.1", () =>
      net.connect(server.address().port).on("data", (d) => { console.log(String(d)); server.close() }))'`
    assert.equal(await output(script, {}, { network: { allowLocalBinding: true } }), 'served\n')
  })

  it('the weaker kind for containers keeps the rest', async () => {
    const script =
      'echo x > "$OUT/planted"; echo $((16#$(grep CapEff /proc/self/status | cut -f 2))); cat "/proc/$VICTIM/environ"'
    assert.equal(await output(script, {}, { enableWeakerNestedSandbox: true }), '0\n')
    assert.ok(!existsSync(stage.at('outside/planted')))
  })

  /** With a watchdog. */
  async function until(condition: () => boolean): Promise<void> {
    for (let turn = 0; turn < 3_000 && !condition(); turn++) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.ok(condition())
  }
  function countLong(): number {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.filter((pid) => read(`/proc/${pid}/cmdline`) === `sleep\0${long}\0`).length
  }
  function read(path: string): string {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
})
