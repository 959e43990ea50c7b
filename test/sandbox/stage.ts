/** A project with something outside it to attack: files, a secret, listeners, a process. Each attempt gets its own. */
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { createProcessRunner } from '../../src/platform/processes/processes.js'
import type { SandboxSettings } from '../../src/protocol/options.js'
import { createSandbox } from '../../src/sandbox/sandbox.js'
import type { SandboxMachineFacts, SandboxRequest } from '../../src/sandbox/sandbox-request.js'

export const SECRET = 'canary-secret-5f1e'
export const NOBODY = 65534
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export function findProgram(name: string): string | undefined {
  return PATH.split(':')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Undefined when the tests can run; otherwise why not, for the names of skipped tests. `user`: as whom, instead of oneself. */
export function findReason(user?: number): string | undefined {
  if (process.platform !== 'linux') return 'not Linux'
  const bwrap = findProgram('bwrap')
  if (!bwrap) return 'bubblewrap is not installed'
  const vector = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true']
  const who = user === undefined ? {} : { uid: user, gid: user }
  const { status, stderr } = spawnSync(bwrap, vector, { encoding: 'utf8', cwd: '/', env: { PATH }, ...who })
  return status === 0 ? undefined : `this system does not let it work: ${String(stderr).trim().slice(0, 200)}`
}

export const whyNoSandbox = findReason()

export type Ground = Awaited<ReturnType<typeof createGround>>

/**
 * A session, and a folder for stages: one that is seen from inside the sandbox, unlike /tmp. With `owner` the rest of this
 * process goes on as that user, who can't remove everything in the end; somebody who stayed behind does.
 */
export async function createGround(
  owner?: number,
  more: { machine?: Partial<SandboxMachineFacts>; settings?: SandboxSettings } = {},
) {
  const asRoot = process.getuid?.() === 0
  const folder = mkdtempSync(asRoot ? '/var/kedge-sandbox-' : join(homedir(), '.kedge-sandbox-'))
  const service = `/run/${basename(folder)}.sock`
  const visitors = { service: 0 }
  const listener = asRoot
    ? await listen(
        (server) => server.listen(service),
        () => void visitors.service++,
      )
    : undefined
  if (asRoot) prepareAsRoot(folder, service, owner === undefined ? NOBODY : 0)
  const remover = spawn('/bin/sh', ['-c', 'read -r line; rm -rf -- "$0" "$1"', folder, service], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  if (owner !== undefined) {
    chownSync(folder, owner, owner)
    process.setgroups?.([])
    process.setgid?.(owner)
    process.setuid?.(owner)
  }
  for (const name of ['home', 'temporary', 'private']) mkdirSync(join(folder, name))
  const processes = createProcessRunner()
  const machine: SandboxMachineFacts = {
    os: 'linux',
    architecture: process.arch,
    env: { PATH },
    home: join(folder, 'home'),
    temporary: join(folder, 'temporary'),
    privateParent: join(folder, 'private'),
    processes,
    probeTimeoutMs: 60_000,
    ...more.machine,
  }
  const sandbox = createSandbox(machine)
  return {
    folder,
    machine,
    processes,
    sandbox,
    settings: more.settings,
    service,
    visitors,
    async close() {
      await sandbox.close()
      await processes.close()
      listener?.close()
      const removed = once(remover, 'exit')
      remover.stdin.end()
      await removed
    },
  }
}

/** Things only root can make: a service everybody may talk to, and a program that runs as `user`. */
function prepareAsRoot(folder: string, service: string, user: number): void {
  chmodSync(folder, 0o755)
  chmodSync(service, 0o777)
  const program = findProgram('perl')
  if (!program) return
  copyFileSync(realpathSync(program), join(folder, 'setuid'))
  chownSync(join(folder, 'setuid'), user, user)
  chmodSync(join(folder, 'setuid'), 0o4755)
}

export type Stage = Awaited<ReturnType<typeof createStage>>

const FOLDERS = [
  'outside',
  'secrets',
  'project/.git/hooks',
  'project/.git/objects',
  'project/.git/refs',
  'project/.claude',
  'project/.venv/bin',
  'project/conf',
]
const FILES = {
  'outside/file': 'original',
  'secrets/key': SECRET,
  'project/conf/.env': SECRET,
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/config': '[core]\n',
  'project/.claude/settings.json': '{}',
  'project/.venv/bin/python': 'original',
}

export async function createStage(ground: Ground) {
  const base = mkdtempSync(join(ground.folder, 'stage-'))
  const at = (...names: string[]) => join(base, ...names)
  for (const folder of FOLDERS) mkdirSync(at(folder), { recursive: true })
  for (const [file, content] of Object.entries(FILES)) writeFileSync(at(file), content)
  const visitors = { tcp: 0, udp: 0, unix: 0, abstract: 0 }
  const servedBefore = ground.visitors.service
  const tcp = await listen(
    (server) => server.listen(0),
    () => void visitors.tcp++,
  )
  const unix = await listen(
    (server) => listenIn(at('outside'), 'socket', server),
    () => void visitors.unix++,
  )
  const abstract = await listen(
    (server) => server.listen(`\0${base}`),
    () => void visitors.abstract++,
  )
  const udp = createSocket('udp4', () => void visitors.udp++)
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const victim = spawn('/bin/sh', ['-c', 'exec 9<"$0"; exec sleep 600', at('secrets/key')], {
    env: { PATH, VICTIM_SECRET: SECRET },
    stdio: 'ignore',
    detached: true,
  })
  // It is not before it holds the secret that there is something to take from it.
  while (!existsSync(`/proc/${victim.pid}/fd/9`)) await new Promise((resolve) => setTimeout(resolve, 1))
  const address = tcp.address()
  const servers = [tcp, unix, abstract]
  const { processes, sandbox, settings } = ground
  return {
    at,
    processes,
    sandbox,
    settings,
    /** Counted as a visit to the unix socket. */
    async listenAt(path: string) {
      const server = await listen(
        (server) => server.listen(path),
        () => void visitors.unix++,
      )
      servers.push(server)
    },
    visits: (kind: keyof typeof visitors | 'service') =>
      kind === 'service' ? ground.visitors.service - servedBefore : visitors[kind],
    home: join(ground.folder, 'home'),
    victim,
    project: at('project'),
    /** Scripts find their targets by these names. */
    variables: {
      PATH,
      OUT: at('outside'),
      PROJECT: at('project'),
      DENIED: at('secrets/key'),
      NODE: process.execPath,
      TCP: String(typeof address === 'object' && address ? address.port : 0),
      UDP: String(udp.address().port),
      VICTIM: String(victim.pid),
      HOME: join(ground.folder, 'home'),
      SERVICE: ground.service,
      ABSTRACT: base,
      SETUID: join(ground.folder, 'setuid'),
    },
    async remove() {
      victim.kill('SIGKILL')
      udp.close()
      for (const server of servers) server.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/**
 * By a relative name, which the kernel's table of sockets does not lead back from. Tests run at the same time, and those that
 * cover the sockets they find would stumble over ours when it goes away.
 */
export function listenIn(folder: string, name: string, server: Server): void {
  const before = process.cwd()
  process.chdir(folder)
  server.listen(name)
  process.chdir(before)
}

async function listen(start: (server: Server) => void, onVisit: () => void): Promise<Server> {
  const server = createServer((socket) => {
    onVisit()
    socket.destroy()
  })
  start(server)
  await once(server, 'listening')
  return server
}

export type Outcome = { stdout: string; stderr: string; refusal: string | undefined; remarks: readonly string[] }

export type ScriptOptions = {
  sandboxed: boolean
  request?: Partial<SandboxRequest> | undefined
  settings?: SandboxSettings | undefined
  /** Opened for the command as descriptor 23, with everything below it. */
  descriptor?: string | undefined
  terminal?: boolean | undefined
}

/** `script` by bash, in the sandbox or as it is. */
export async function runScript(stage: Stage, script: string, options: ScriptOptions): Promise<Outcome> {
  const request: SandboxRequest = {
    command: 'bash',
    args: ['--noprofile', '--norc', '-c', script],
    cwd: stage.project,
    directories: [stage.project],
    hiddenPaths: [stage.at('secrets'), stage.at('project/conf/.env')],
    ...options.request,
    env: { ...stage.variables, ...options.request?.env },
  }
  const wrapped = options.sandboxed
    ? await stage.sandbox.wrap(request, { ...stage.settings, enabled: true, ...options.settings })
    : { ...request, ok: true as const, finish: async () => [] }
  if (!wrapped.ok) return { stdout: '', stderr: '', refusal: wrapped.error, remarks: [] }
  const { command, args, env } = wrapped
  const vector = options.terminal ? onTerminal(command, args) : { command, args }
  const result =
    options.descriptor === undefined
      ? await stage.processes.run({ ...vector, env, cwd: request.cwd, timeoutMs: 60_000 })
      : await withDescriptor({ ...vector, env, cwd: request.cwd }, options.descriptor)
  return { stdout: result.stdout, stderr: result.stderr, refusal: undefined, remarks: await wrapped.finish() }
}

type Started = Pick<SandboxRequest, 'command' | 'args' | 'env' | 'cwd'>

/** `script` has a terminal made for the command; it takes a command line, not a vector. */
function onTerminal(command: string, args: readonly string[]): Pick<Started, 'command' | 'args'> {
  const line = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return { command: 'script', args: ['-qec', `exec ${line}`, '/dev/null'] }
}

async function withDescriptor({ command, args, env, cwd }: Started, path: string) {
  const descriptor = openSync(path, 'r')
  const others = Array.from({ length: 20 }, () => 'ignore' as const)
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe', ...others, descriptor] })
  closeSync(descriptor)
  const texts = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    texts.stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    texts.stderr += String(chunk)
  })
  await once(child, 'close')
  return texts
}
