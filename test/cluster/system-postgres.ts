/** A PostgreSQL of the system with its tools, for what the embedded one has no programs for. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeOwner, unprivilegedUser } from '../../src/cluster/embedded/unprivileged-user.js'

const ALL = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'psql', 'pg_isready']

/** Where its programs are, all of one version: `pg_dump` refuses a server that is newer. */
export const programFolder = existsSync(ALL)
  ? readdirSync(ALL)
      .map((version) => join(ALL, version, 'bin'))
      .find((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))))
  : undefined

export async function startSystemPostgres() {
  const bin = programFolder ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'kedge-system-postgres-'))
  const user = unprivilegedUser()
  if (user) changeOwner(folder, user)
  const how = { ...(user ?? {}), cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], {
    ...how,
    stdio: 'ignore',
  })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, 'fsync=off']
  const server: ChildProcess = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...how,
    stdio: 'ignore' as const,
  })
  const host = ['-h', '127.0.0.1', '-p', `${port}`]
  while (!answers(join(bin, 'pg_isready'), host)) await new Promise((done) => setTimeout(done, 50))
  const urlOf = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
  /** A program of its, as an operator would call it. */
  const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
    execFileSync(join(bin, name), args, { encoding: 'utf8', stdio: 'pipe', env: { PATH: '/usr/bin:/bin', ...env } })
  const say = (...statements: string[]) =>
    run('psql', [urlOf('postgres', 'postgres'), '-qAt', ...statements.flatMap((one) => ['-c', one])])
  return {
    urlOf,
    run,
    say,
    folder,
    async stop() {
      const over = once(server, 'exit')
      server.kill('SIGINT')
      await over
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answers(program: string, host: string[]): boolean {
  try {
    execFileSync(program, [...host, '-q'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
