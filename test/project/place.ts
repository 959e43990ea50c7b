/** A throw-away world for one hostile repository: a home with a secret, the repository, and traps that tell what it did. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Stands in files that no repository may make us read; must never reach the model or a terminal. */
export const SECRET = 'HOSTILE-TEST-SECRET-c0ffee'

export type Place = {
  readonly root: string
  readonly home: string
  readonly repo: string
  /** Beside repository and home: what a link may lead to. */
  readonly outside: string
  /** A shell command that leaves a file in the traps and calls the canary server. */
  readonly command: string
  /** The same as a program of its own, for files that would be run by name. */
  readonly program: string
  /** The same as JavaScript, for files that would be loaded. */
  readonly module: string
  /** The address of the canary server, which nothing must ever call. */
  readonly url: string
  readonly port: number
  /** Writes a file of the repository; objects as JSON. Gives its path. */
  write(name: string, content: string | object, mode?: number): string
  /** `.claude/settings.json`. */
  settings(content: object): void
  /** As if the user had once answered yes for this folder. */
  trust(folder: string): void
}

export type World = Place &
  AsyncDisposable & {
    readonly config: string
    /** Everything the processes of a session see. */
    env(more?: Record<string, string>): Record<string, string>
    /** How often the canary server was called. */
    calls(): number
  }

export async function createWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-hostile-')))
  const folder = (...names: string[]) => {
    mkdirSync(join(root, ...names), { recursive: true })
    return join(root, ...names)
  }
  const home = folder('home')
  const config = folder('home', '.claude')
  const repo = folder('repo')
  const outside = folder('outside')
  const traps = folder('traps')
  const temp = folder('tmp')
  for (const path of [join(home, '.ssh', 'id_rsa'), join(home, '.aws', 'credentials'), join(outside, 'secret.txt')]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${SECRET}\n`, { mode: 0o600 })
  }
  const { server, port, seen } = await listen()
  const command = `touch ${traps}/sprung; (: </dev/tcp/127.0.0.1/${port}) 2>/dev/null`
  return {
    root,
    home,
    repo,
    outside,
    config,
    command,
    port,
    url: `http://127.0.0.1:${port}`,
    program: `#!/bin/bash\n${command}\n`,
    module: `require('node:fs').writeFileSync(${JSON.stringify(`${traps}/sprung`)}, ''); require('node:net').connect(${port}, '127.0.0.1').on('error', () => {})`,
    write(name, content, mode = 0o644) {
      const path = join(repo, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode })
      return path
    },
    settings(content) {
      mkdirSync(join(repo, '.claude'), { recursive: true })
      writeFileSync(join(repo, '.claude', 'settings.json'), JSON.stringify(content))
    },
    trust(folder) {
      writeFileSync(join(config, 'kedge-trust.json'), JSON.stringify({ folders: [folder] }), { mode: 0o600 })
    },
    env: (more) => ({
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      HOME: home,
      TMPDIR: temp,
      CLAUDE_CONFIG_DIR: config,
      // Compiled code is the same for every home.
      ...(process.env['XDG_CACHE_HOME'] ? { XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] } : {}),
      ...more,
    }),
    calls: () => seen.count,
    async [Symbol.asyncDispose]() {
      for (const socket of seen.sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function listen(): Promise<{ server: Server; port: number; seen: { count: number; sockets: Set<Socket> } }> {
  const seen = { count: 0, sockets: new Set<Socket>() }
  const server = createServer((socket) => {
    seen.count += 1
    seen.sockets.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { server, port: address.port, seen }
}
