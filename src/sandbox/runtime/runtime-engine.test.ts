/** The optional engine, with a stand-in for its package: what it is told, and that sessions don't get in each other's way. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createProcessRunner } from '../../platform/processes/processes.js'
import { createSandbox } from '../sandbox.js'
import type { SandboxMachineFacts } from '../sandbox-request.js'
import type { SandboxRuntimeConfig } from './runtime-manager.js'

/** Holds commands as well as nothing does, unless `holds`: then it runs a canary that gets nowhere. */
function standIn(holds: boolean) {
  const calls: { initialized: SandboxRuntimeConfig[]; wrapped: unknown[][]; cleanups: number; resets: number } = {
    initialized: [],
    wrapped: [],
    cleanups: 0,
    resets: 0,
  }
  let port: number | undefined
  const SandboxManager = {
    async initialize(config: SandboxRuntimeConfig) {
      // As the original: whoever comes second is passed over in silence.
      if (port === undefined) calls.initialized.push(config)
      port = 3128
    },
    getConfig: () => calls.initialized.at(-1),
    getProxyPort: () => port,
    async wrapWithSandboxArgv(line: string, ...others: unknown[]) {
      calls.wrapped.push([line, ...others])
      const nonce = /[0-9a-f]{24}/.exec(line)?.[0] ?? ''
      return { argv: holds ? ['bash', '-c', `printf ${nonce} > wrote`] : ['bash', '-c', line] }
    },
    cleanupAfterCommand: () => void calls.cleanups++,
    async reset() {
      calls.resets += 1
      port = undefined
    },
  }
  return { calls, loadRuntime: async (): Promise<unknown> => ({ SandboxManager }) }
}

describe('the engine for macOS', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-runtime-')))
  const processes = createProcessRunner()
  const project = join(folder, 'project')
  const request = {
    command: 'echo',
    args: ["it's", ''],
    cwd: project,
    env: { A: 'b', LD_X: 'c' },
    directories: [project],
  }
  const machine = (more: Partial<SandboxMachineFacts>): SandboxMachineFacts => ({
    os: 'darwin',
    architecture: 'arm64',
    env: { PATH: process.env['PATH'] },
    home: join(folder, 'home'),
    temporary: join(folder, 'temporary'),
    privateParent: folder,
    processes,
    probeTimeoutMs: 60_000,
    ...more,
  })
  before(() => {
    for (const name of ['project/.git/hooks', 'home', 'temporary']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(project, 'hidden'), '')
  })
  after(async () => {
    await processes.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is told the plan of each command', async () => {
    const { calls, loadRuntime } = standIn(true)
    const sandbox = createSandbox(machine({ loadRuntime }))
    const settings = { network: { allowedDomains: ['a.example'], allowManagedDomainsOnly: true, httpProxyPort: 8080 } }
    const wrapped = await sandbox.wrap({ ...request, hiddenPaths: [join(project, 'hidden')] }, settings)
    assert.ok(wrapped.ok)
    assert.deepEqual([wrapped.command, wrapped.args[0], wrapped.env], ['bash', '-c', { A: 'b' }])
    assert.deepEqual(calls.initialized, [
      {
        network: { allowedDomains: ['a.example'], deniedDomains: [], httpProxyPort: 8080 },
        filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
      },
    ])
    const [line, shell, config, signal, cwd] = calls.wrapped.at(-1) ?? []
    assert.equal(line, `'exec' 'env' 'LD_X=c' 'TMPDIR=${join(folder, 'temporary')}' 'echo' 'it'\\''s' ''`)
    assert.deepEqual([shell, signal, cwd], ['bash', undefined, project])
    const { filesystem } = config as { filesystem: SandboxRuntimeConfig['filesystem'] }
    assert.deepEqual(filesystem.allowWrite.sort(), [project, join(folder, 'temporary')])
    assert.deepEqual(filesystem.denyRead, [join(project, 'hidden')])
    assert.deepEqual(filesystem.denyWrite.map((path) => path.slice(project.length + 1)).sort(), [
      '.claude',
      '.devcontainer',
      '.envrc',
      '.git/hooks',
      '.idea',
      '.mcp.json',
      '.vscode',
    ])
    const cleanups = calls.cleanups
    assert.deepEqual(await wrapped.finish(), [])
    assert.equal(calls.cleanups, cleanups + 1)
    await sandbox.close()
    assert.equal(calls.resets, 1)
  })

  it('is refused when a command gets out of it', async () => {
    const { loadRuntime } = standIn(false)
    const sandbox = createSandbox(machine({ loadRuntime }))
    const refusal = await sandbox.wrap(request, {})
    assert.ok(!refusal.ok)
    assert.match(refusal.error, /could write outside its folders and change a protected file and reach the network/)
    await sandbox.close()
  })

  it('is one for all: a second session has the same network, or none', async () => {
    const { calls, loadRuntime } = standIn(true)
    const network = { allowedDomains: ['a.example'] }
    const [first, same, other] = [1, 2, 3].map(() => createSandbox(machine({ loadRuntime })))
    assert.ok(first && same && other)
    assert.ok((await first.wrap(request, { network })).ok)
    assert.ok((await same.wrap(request, { network })).ok)
    const refusal = await other.wrap(request, { network: { allowedDomains: ['b.example'] } })
    assert.match(refusal.ok ? '' : refusal.error, /another session .* isolation: "process"/)
    await same.close()
    assert.equal(calls.resets, 0)
    await first.close()
    assert.equal(calls.resets, 1)
    await other.close()
  })

  it('has no second network for those who come at the same time', async () => {
    const { loadRuntime } = standIn(true)
    const sandboxes = ['a', 'b', 'c'].map((name) => ({ name, sandbox: createSandbox(machine({ loadRuntime })) }))
    const results = await Promise.all(
      sandboxes.map(({ name, sandbox }) => sandbox.wrap(request, { network: { allowedDomains: [name] } })),
    )
    assert.deepEqual(results.map(({ ok }) => ok).sort(), [false, false, true])
    for (const { sandbox } of sandboxes) await sandbox.close()
  })

  for (const [what, loadRuntime, says] of [
    ['is something else', async () => ({ default: 1 }), /another one than we know/],
    ['can’t be loaded', () => Promise.reject(new Error('no such module')), /can't be set up: no such module/],
  ] as const) {
    it(`is refused when the package ${what}`, async () => {
      const sandbox = createSandbox(machine({ loadRuntime }))
      const refusal = await sandbox.wrap(request, {})
      assert.match(refusal.ok ? '' : refusal.error, says)
      await sandbox.close()
    })
  }
})
