/** `kedge worker`: reads the command line, takes runs, and leaves in order. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createShutdown } from '../../platform/ending.js'
import { messageOf } from '../../protocol/thrown.js'
import { openCluster } from '../open-cluster.js'
import { type App, appProblem } from './app.js'
import { type StartWorkerOptions, startWorker } from './start-worker.js'
import type { Worker } from './worker.js'
import { startWorkerProbe } from './worker-probe.js'

const HELP = `kedge worker: runs turns of a cluster

  --database ADDRESS          postgres://user:password@host:port/name, or "embedded" (embedded:FOLDER) for one of
                              this machine; also KEDGE_DATABASE, where nobody sees the password
  --app FILE                  a module whose default export is defineApp({ name, options }); may be repeated
  --root FOLDER               sessions work in these folders and below (anywhere); may be repeated
  --files FOLDER              where workspaces of sessions are on this machine (~/.kedge/files)
  --machine NAME              by which sessions with a folder of one machine call it (the name of the host)
  --model NAME                for sessions that name none; "practice" needs no key
  --trust                     use what the folders bring: settings, hooks, MCP servers, CLAUDE.md
  --capacity NUMBER           sessions at a time (50)
  --per-tenant NUMBER         sessions of one tenant at a time, over all workers (20)
  --requests-per-minute NUMBER  to models, over all workers (as many as there are)
  --warm-seconds SECONDS      the answer to a question is waited for so long before the turn is parked (20)
  --ask-timeout SECONDS       asks that nobody answers for so long count as a no (they wait)
  --silent-seconds SECONDS    a worker that was silent for so long is taken for lost; the same for all of them (6)
  --drain-seconds SECONDS     running turns have so long to get to a boundary after SIGTERM (30)
  --connections NUMBER        to the database (10, and 5 of the engine)
  --port NUMBER               serve /healthz and /metrics on this port, without a token; 0 takes a free one (off)
  --host ADDRESS              address for --port (default: 127.0.0.1)
  --log-format FORMAT         text or json, one object per line on stderr (default: text)
  --help

The page docs/many-machines.md has examples.
`

type Read = Omit<StartWorkerOptions, 'cluster' | 'apps'> & {
  database: string
  connections: number
  appFiles: string[]
  drainSeconds: number
  probe?: { host: string; port: number }
  logFormat: LogFormat
}
type LogFormat = (typeof LOG_FORMATS)[number]
const LOG_FORMATS = ['text', 'json'] as const

export async function workerMain(args: string[]): Promise<void> {
  const read = readWorkerArguments(args)
  if (typeof read === 'string') {
    const isHelp = read === HELP
    process[isHelp ? 'stdout' : 'stderr'].write(
      isHelp ? read : `error: ${read}\nRun \`kedge worker --help\` for all options.\n`,
    )
    process.exitCode = isHelp ? 0 : 1
    return
  }
  const { database, connections, appFiles, drainSeconds, probe: listen, logFormat, ...options } = read
  const say = createLog(logFormat)
  const whenEnding = createShutdown()
  let worker: Worker | undefined
  try {
    const apps = await Promise.all(appFiles.map(loadApp))
    // A port that is taken is noticed before the worker has any session.
    const probe = listen && (await startWorkerProbe(listen.host, listen.port, () => worker?.state()))
    const cluster = await openCluster({ database, connections, say })
    const given = apps.length > 0 ? { apps } : {}
    const starting = startWorker({ cluster, ...options, ...given, say })
    whenEnding(async () => {
      await (await starting).stop(drainSeconds * 1000)
      await cluster.close()
      await probe?.close()
    })
    const started = await starting
    worker = started
    process.stdout.write(`Worker ${started.id} takes runs from ${cluster.database.name}\n`)
    if (probe) process.stdout.write(`Health and metrics: ${probe.url}/healthz, ${probe.url}/metrics\n`)
  } catch (error) {
    const text = messageOf(error)
    process.stderr.write(logFormat === 'text' ? `error: ${text}\n` : workerLogLine(logFormat, now(), text, error))
    process.exit(1)
  }
}

const now = () => new Date().toISOString()

function createLog(format: LogFormat): (text: string, error?: unknown) => void {
  return (text, error) => process.stderr.write(workerLogLine(format, now(), text, error))
}

/** Returns one line of the log, with the message of `error` if there is one. */
export function workerLogLine(format: LogFormat, time: string, message: string, error?: unknown): string {
  const why = error === undefined ? undefined : messageOf(error)
  const level = error === undefined ? 'info' : 'error'
  if (format === 'json')
    return `${JSON.stringify({ time, level, message, error: why === message ? undefined : why })}\n`
  return `${time} ${message}${why === undefined ? '' : `: ${why}`}\n`
}

async function loadApp(file: string): Promise<App> {
  const path = resolve(file)
  const loaded: { default?: unknown } = await import(pathToFileURL(path).href)
  const problem = appProblem(loaded.default)
  if (problem !== undefined) throw new Error(`${file}: ${problem}`)
  return loaded.default as App // looked at
}

/** A text: what is wrong, or the help. */
export function readWorkerArguments(args: string[], env: NodeJS.ProcessEnv = process.env): Read | string {
  let values: ReturnType<typeof parse>['values']
  try {
    values = parse(args).values
  } catch (error) {
    return messageOf(error).split('. ')[0] ?? ''
  }
  if (values.help) return HELP
  const database = values.database ?? env['KEDGE_DATABASE']
  if (!database) return 'which database? --database postgres://…, or --database embedded'
  const wrong = Object.entries(RANGES).find(([name, [least, most]]) => {
    const text = values[name as keyof typeof RANGES] // its own keys
    return text !== undefined && !isNumber(text, least, most)
  })
  if (wrong) return `--${wrong[0]} must be a number from ${wrong[1][0]} to ${wrong[1][1]}`
  const logFormat = LOG_FORMATS.find((one) => one === (values['log-format'] ?? 'text'))
  if (!logFormat) return `--log-format must be ${LOG_FORMATS.join(' or ')}`
  if (values.host !== undefined && values.port === undefined) return '--host needs --port'
  const number = (name: keyof typeof RANGES) => (values[name] === undefined ? undefined : Number(values[name]))
  const silent = number('silent-seconds')
  const [warm, timeout, rate] = [number('warm-seconds'), number('ask-timeout'), number('requests-per-minute')]
  return {
    database,
    appFiles: values.app ?? [],
    drainSeconds: number('drain-seconds') ?? 30,
    connections: number('connections') ?? 10,
    roots: values.root ?? [],
    capacity: number('capacity') ?? 50,
    perTenant: number('per-tenant') ?? 20,
    ...(warm === undefined ? {} : { warmMs: warm * 1000 }),
    ...(silent === undefined ? {} : { silentMs: silent * 1000 }),
    ...(timeout === undefined ? {} : { askTimeoutMs: timeout * 1000 }),
    ...(rate === undefined ? {} : { requestsPerMinute: rate }),
    ...(values.files === undefined ? {} : { files: resolve(values.files) }),
    ...(values.machine === undefined ? {} : { machine: values.machine }),
    ...(values.port === undefined ? {} : { probe: { host: values.host ?? '127.0.0.1', port: Number(values.port) } }),
    logFormat,
    options: {
      settingSources: ['user', 'project', 'local'],
      untrusted: !values.trust,
      ...(values.model === undefined ? {} : { model: values.model }),
    },
  }
}

const RANGES = {
  capacity: [1, 10_000],
  'per-tenant': [1, 100_000],
  'requests-per-minute': [1, 1_000_000],
  'warm-seconds': [0, 86_400],
  'ask-timeout': [1, 31_536_000],
  'drain-seconds': [0, 86_400],
  'silent-seconds': [2, 3600],
  connections: [2, 1000],
  port: [0, 65_535],
} as const satisfies Record<string, readonly [number, number]>

function isNumber(text: string, least: number, most: number): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most
}

function parse(args: string[]) {
  const one = { type: 'string' } as const
  const several = { type: 'string', multiple: true } as const
  const flag = { type: 'boolean' } as const
  return parseArgs({
    args,
    allowPositionals: false,
    options: {
      database: one,
      app: several,
      root: several,
      files: one,
      machine: one,
      model: one,
      trust: flag,
      help: flag,
      capacity: one,
      'per-tenant': one,
      'requests-per-minute': one,
      connections: one,
      'warm-seconds': one,
      'ask-timeout': one,
      'drain-seconds': one,
      'silent-seconds': one,
      port: one,
      host: one,
      'log-format': one,
    },
  })
}
