/** The Bash tool of a session whose settings turn the sandbox on. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe } from 'node:test'
import { createPermissions, type Permissions } from '../../src/permissions/permission-engine.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import { findLeftoverProcesses, findLeftoversAfterAbort } from '../../src/platform/processes/test-leftovers.js'
import type { SandboxSettings } from '../../src/protocol/options.js'
import type { Configuration } from '../../src/runtime/configuration.js'
import { createLiveSettings } from '../../src/runtime/live-settings.js'
import { createSessionSandbox, type SessionSandbox } from '../../src/runtime/permission/session-sandbox.js'
import { listSecretPaths } from '../../src/sandbox/files/secret-places.js'
import { createBashTool } from '../../src/tools/bash/bash.js'
import type { BashInput } from '../../src/tools/bash/bash-shapes.js'
import { createTestContext, type TestContext } from '../../src/tools/test-context.js'
import type { CallContext, Tool } from '../../src/tools/tool.js'
import { sampledTest as it } from '../support/tier.js'
import { whyNoSandbox } from './stage.js'

const suite = whyNoSandbox === undefined ? 'Bash in the sandbox' : `Bash in the sandbox (not run: ${whyNoSandbox})`

describe(suite, { skip: whyNoSandbox !== undefined }, () => {
  let base: string
  let test: TestContext
  let session: { sandbox: SessionSandbox; permissions: Permissions; warnings: string[]; tool: Tool<BashInput> }
  let mark: string
  const at = (...names: string[]) => join(base, ...names)

  beforeEach(async () => {
    // Seen from inside the sandbox, unlike /tmp.
    base = mkdtempSync(process.getuid?.() === 0 ? '/var/kedge-bash-' : join(homedir(), '.kedge-bash-'))
    for (const name of ['project', 'home/.ssh', 'home/.claude', 'outside']) mkdirSync(at(name), { recursive: true })
    mark = `test-${randomUUID()}`
    const env = { PATH: process.env['PATH'], HOME: at('home'), LANG: 'C.UTF-8', KEDGE_TASK: mark, OUT: at('outside') }
    const cwd = at('project')
    const made = await createTestContext()
    const context: CallContext = {
      ...made.context,
      cwd,
      env,
      directories: () => session.permissions.directories(),
      session: { ...made.context.session, shellCwd: cwd },
    }
    test = { ...made, context }
    session = open({})
  })
  afterEach(async () => {
    await test.dispose()
    await session.sandbox.close()
    rmSync(base, { recursive: true, force: true })
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  /** The session with these settings, in place of the one there is. */
  function open(more: SandboxSettings, rules: { deny?: string[]; env?: Record<string, string> } = {}) {
    const { platform, env, cwd } = test.context
    const warnings: string[] = []
    const permissions = createPermissions({
      files: platform.files,
      cwd,
      home: at('home'),
      mode: 'default',
      allowBypass: false,
      deny: rules.deny ?? [],
      sandbox: () => sandbox?.state(),
    })
    // Of a session's settings the sandbox reads these.
    const settings = {
      sandbox: { enabled: true, ...more },
      env: { ...env, ...rules.env },
      cwd,
      home: at('home'),
      configDir: at('home/.claude'),
    } as unknown as Configuration
    const files = nodeFiles
    const sandbox = createSessionSandbox(
      settings,
      createLiveSettings(settings),
      { ...platform, files },
      {
        permissions: () => permissions,
        readable: () => readableFolders,
        stderr: (text) => void warnings.push(text),
      },
    )
    assert.ok(sandbox)
    const tool = createBashTool({ isReadOnlyCommand: () => false, sandbox: sandbox.bash })
    return { sandbox, permissions, warnings, tool }
  }
  let readableFolders: string[] = []
  const reopen = async (...how: Parameters<typeof open>) => {
    await session.sandbox.close()
    session = open(...how)
  }

  const bash = (input: string | BashInput, overrides: Partial<CallContext> = {}) =>
    session.tool.execute(typeof input === 'string' ? { command: input } : input, { ...test.context, ...overrides })
  const printed = async (input: string | BashInput) => {
    const outcome = await bash(input)
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.error)
    return outcome.content
  }
  const failure = async (input: string | BashInput) => {
    const outcome = await bash(input)
    assert.ok(!outcome.ok, 'it did not fail')
    return outcome.error
  }

  it('writes inside only, has no network, sees no credentials and no tokens', async () => {
    writeFileSync(at('home/.ssh/id_ed25519'), 'key')
    writeFileSync(at('home/.claude/.credentials.json'), 'login')
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    let visits = 0
    server.on('connection', (socket) => {
      visits += 1
      socket.destroy()
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const env = { ...test.context.env, MY_TOKEN: 'secret', ANTHROPIC_API_KEY: 'secret' }
    const command = `echo made > made; echo x > "$OUT/planted"; cat ~/.ssh/* ~/.claude/.credentials.json
      exec 7<>/dev/tcp/127.0.0.1/${port}; env; true`
    const outcome = await bash(command, { env })
    server.close()
    assert.ok(outcome.ok)
    assert.equal(readFileSync(at('project/made'), 'utf8'), 'made\n')
    assert.deepEqual(readdirSync(at('outside')), [])
    assert.equal(visits, 0)
    assert.doesNotMatch(String(outcome.content), /key|login|secret/)
  })

  it('sees none of the places in the home folder that hold keys, and what is beside them', async () => {
    const places = listSecretPaths(at('home')).filter((path) => path.startsWith(at('home')))
    for (const name of ['.erlang.cookie', '.pgpass', '.Xauthority', '.config/Bitwarden CLI', '.snowflake'])
      assert.ok(places.includes(at('home', name)), name)
    const canary = randomUUID()
    for (const path of places) {
      mkdirSync(dirname(path), { recursive: true })
      if (!existsSync(path)) writeFileSync(path, canary)
      else writeFileSync(join(path, 'inside'), canary)
    }
    writeFileSync(at('home/.inputrc'), 'beside')
    const seen = String(await printed('find ~ -type f -exec cat {} +; cat ~/.erlang.cookie ~/.ssh/inside; true'))
    assert.match(seen, /beside/)
    assert.equal(seen.includes(canary), false)
    await reopen({}, { env: { KEDGE_PASS_SECRETS: '1' } })
    assert.equal(await printed('cat ~/.erlang.cookie'), canary)
  })

  it('tells of the end as without one: codes, signals, output in order, images, what an exit code means', async () => {
    assert.equal(await printed('echo out; echo err >&2; echo again > /dev/stderr'), 'out\nerr\nagain')
    assert.equal(await failure('echo oops; exit 3'), 'Exit code 3\noops')
    assert.match(await failure('kill -9 $$'), /^Exit code 137/)
    assert.deepEqual(await bash('grep x /dev/null'), {
      ...(await bash('true')),
      content: '(no output, exit code 1: no matches found)',
      output: {
        stdout: '',
        stderr: '',
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
        returnCodeInterpretation: 'No matches found',
      },
    })
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
    const image = await bash(`echo ${png} | base64 -d`)
    assert.ok(image.ok && Array.isArray(image.content))
    assert.deepEqual(image.content[0], {
      type: 'image',
      source: { type: 'base64', data: png, media_type: 'image/png' },
    })
  })

  it('stands where the last command went, and comes back from outside', async () => {
    mkdirSync(at('project/sub'))
    assert.equal(await printed('cd sub'), `(The working directory is now ${at('project/sub')})`)
    assert.equal(await printed('pwd'), at('project/sub'))
    assert.equal(await printed('cd /; pwd'), `/\nShell cwd was reset to ${at('project')}`)
    assert.equal(await printed('cd "$TMPDIR"; true'), `Shell cwd was reset to ${at('project')}`)
    assert.equal(await printed('pwd'), at('project'))
    rmSync(at('project/sub'), { recursive: true })
    await printed('mkdir gone && cd gone')
    rmSync(at('project/gone'), { recursive: true })
    assert.equal(await printed('pwd'), `${at('project')}\nShell cwd was reset to ${at('project')}`)
  })

  it('keeps what it puts into /tmp for the next command, and takes it along at the end', async () => {
    await printed('echo kept > /tmp/file; echo too > "$TMPDIR/other"')
    assert.equal(
      await printed('cat /tmp/file /tmp/other; echo "$TMPDIR"').then((text) => text),
      `kept\ntoo\n${own()}/tmp`,
    )
    assert.ok(!existsSync('/tmp/file'))
    const folder = own()
    await reopen({})
    assert.ok(!existsSync(folder))
  })
  /** The folder of the sandbox in use. */
  function own(): string {
    const folders = readdirSync('/var/tmp').filter((name) => name.startsWith('kedge-sandbox-'))
    const found = folders.map((name) => join('/var/tmp', name)).find((path) => existsSync(join(path, 'tmp/other')))
    assert.ok(found)
    return found
  }

  it('long output is in a file that commands can read too', async () => {
    const folder = mkdtempSync('/var/tmp/kedge-outputs-')
    readableFolders = [folder]
    const outputFile = join(folder, 'b1')
    const tasks = { ...test.context.tasks, prepare: async () => ({ id: 'b1', outputFile }) }
    try {
      const outcome = await bash('seq 20000', { tasks })
      assert.ok(outcome.ok)
      assert.equal(await printed(`tail -n 1 ${outputFile}; wc -l < ${outputFile}`).then(String), `20000\n20000`)
      assert.match(await failure(`echo x > ${outputFile}`), /Read-only file system/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('runs in the background like in the foreground', async () => {
    const command = 'echo up; echo x > "$OUT/planted"; until [ -e go ]; do sleep 0.02; done; echo x > HEAD; exit 4'
    const outcome = await bash({ command, run_in_background: true })
    assert.ok(outcome.ok)
    const [task] = test.tasks.running()
    assert.ok(task)
    writeFileSync(at('project/go'), '')
    await task.ended
    const text = readFileSync(task.outputFile, 'utf8')
    assert.deepEqual([task.status, task.exitCode, readdirSync(at('outside'))], ['failed', 4, []])
    assert.match(text, /^up\n.*planted: Read-only file system\n/)
    assert.match(text, /HEAD is protected: what the command put there is now .*HEAD\.blocked-by-sandbox\.\n/)
    assert.match(text, /It ran in a sandbox/)
  })

  const TREE = `(setsid sh -c 'trap "" TERM HUP; while :; do sleep 0.05; done' &) ; (nohup sleep 1000 > /dev/null 2>&1 &) ; echo up > up; `

  it('an interrupt ends all of it', async () => {
    const controller = new AbortController()
    const call = bash(`${TREE} sleep 1000`, { signal: controller.signal })
    await until(() => existsSync(at('project/up')))
    controller.abort()
    const outcome = await call
    assert.match(outcome.ok ? '' : outcome.error, /^Exit code 137/)
    assert.deepEqual(await findLeftoversAfterAbort(mark), [])
    await until(() => !existsSync(at('project/.mcp.json')))
  })

  it('what it leaves running ends with it; a task ends when it is stopped, and with the session', async () => {
    await printed(`${TREE} echo left`)
    assert.deepEqual(findLeftoverProcesses(mark), [])
    rmSync(at('project/up'))
    await bash({ command: `${TREE} sleep 1000`, run_in_background: true })
    const [task] = test.tasks.running()
    assert.ok(task)
    await until(() => existsSync(at('project/up')))
    await test.tasks.stop(task)
    assert.deepEqual(findLeftoverProcesses(mark), [])
    rmSync(at('project/up'))
    await bash({ command: `${TREE} sleep 1000`, run_in_background: true })
    await until(() => existsSync(at('project/up')))
    await test.context.platform.processes.close()
    assert.deepEqual(findLeftoverProcesses(mark), [])
    await session.sandbox.close()
    assert.deepEqual(readdirSync(at('project')), ['up'])
  })

  it('a command that reaches its time limit goes on as it is', async () => {
    const outcome = await bash({
      command: 'until [ -e go ]; do sleep 0.02; done; echo x > "$OUT/planted"',
      timeout: 50,
    })
    assert.match(outcome.ok ? String(outcome.content) : '', /still running after its time limit/)
    const [task] = test.tasks.running()
    assert.ok(task)
    writeFileSync(at('project/go'), '')
    await task.ended
    assert.equal(task.status, 'failed')
    assert.deepEqual(readdirSync(at('outside')), [])
  })

  it('ten at the same time', async () => {
    const before = readdirSync(at('project'))
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => bash(`echo ${i}; echo x > "$OUT/planted${i}" || echo blocked`)),
    )
    outcomes.forEach((outcome, i) => {
      assert.match(outcome.ok ? String(outcome.content) : '', new RegExp(`^${i}\n.*\nblocked$`))
    })
    assert.deepEqual([readdirSync(at('project')), readdirSync(at('outside'))], [before, []])
  })

  it('says what it may have been, unless told to pass over it', async () => {
    const command = 'touch /etc/planted'
    const hint = /It ran in a sandbox, which may be why it failed: commands can write only to/
    assert.match(await failure(command), hint)
    assert.match(await failure(`node -e 'dns.lookup("x.example", (e) => { throw e })'`), /there is no network/)
    assert.doesNotMatch(await failure('echo other; false'), /sandbox/)
    const ignored: Record<string, string[]>[] = [
      { file: ['/etc/*'] },
      { '*': ['planted'] },
      { touch: ['/etc/planted'] },
    ]
    for (const ignoreViolations of ignored) {
      await reopen({ ignoreViolations })
      assert.doesNotMatch(await failure(command), /sandbox/)
    }
    await reopen({ ignoreViolations: { 'touch -c': ['/etc'], network: ['/etc'], file: ['/usr'] } })
    assert.match(await failure(command), hint)
    await reopen({ ignoreViolations: { file: ['HEAD'] } })
    assert.equal(await printed('echo x > HEAD'), '(no output, exit code 0)')
    assert.deepEqual(readdirSync(at('project')), ['HEAD.blocked-by-sandbox'])
  })

  it('what deny rules say holds for programs too, whatever their patterns', async () => {
    mkdirSync(at('project/a/secrets'), { recursive: true })
    mkdirSync(at('project/node_modules/x'), { recursive: true })
    for (const name of ['.env', 'a/.env', 'a/key.pem', 'a/secrets/x', 'a/open'])
      writeFileSync(at('project', name), 'TOLD')
    writeFileSync(at('outside/note'), 'TOLD')
    const deny = [
      'Read(./.env)',
      'Read(**/*.pem)',
      'Read(/a/secrets/**)',
      `Read(/${at('outside')}/note)`,
      'Edit(/locked)',
    ]
    await reopen({}, { deny: [...deny, 'Edit(a/open)'] })
    const script = `for f in .env a/.env a/key.pem a/secrets/x "$OUT/note"; do cat "$f"; done
      echo x >> a/open; echo x > locked; mv a/.env a/moved; cat a/moved; cat a/open; true`
    assert.equal(String(await printed(script)).match(/TOLD/g)?.length, 1)
    assert.deepEqual(readFileSync(at('project/a/open'), 'utf8'), 'TOLD')
    assert.ok(!existsSync(at('project/locked')))
    // What comes later, too.
    mkdirSync(at('project/b'))
    writeFileSync(at('project/b/.env'), 'TOLD')
    assert.doesNotMatch(String(await printed('cat b/.env; true')), /TOLD/)
  })

  it('the keys of the settings', async () => {
    await reopen({
      excludedCommands: ['git status', 'docker *'],
      filesystem: { allowWrite: [at('outside')], denyWrite: ['kept'], denyRead: [at('home/.claude')] },
      network: { allowLocalBinding: true, allowUnixSockets: ['/nonexistent.sock'] },
      ripgrep: { command: 'rg' },
    })
    assert.equal(await printed('echo x > "$OUT/made"; echo x > kept || ls ~/.claude || true').then(Boolean), true)
    assert.deepEqual([readdirSync(at('outside')), readdirSync(at('project'))], [['made'], []])
    assert.deepEqual(session.warnings, [
      'Warning: /nonexistent.sock (sandbox.network.allowUnixSockets) is no socket.\n',
    ])
    const { description } = session.tool
    for (const text of [at('outside'), 'git status, docker *', 'no network'])
      assert.ok(description.includes(text), text)
    await reopen({ network: { allowedDomains: ['a.example'] } })
    await session.sandbox.bash.prepare()
    assert.match(session.sandbox.state().problem ?? 'works', /npm install @anthropic-ai\/sandbox-runtime|^works$/)
    assert.ok(session.tool.description.includes('a.example'))
  })

  async function until(condition: () => boolean) {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
})
