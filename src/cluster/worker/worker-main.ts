/** `kedge worker`: reads the command line, takes runs, and leaves in order. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printHelpOrUsageError } from '../../platform/command-line/print-help-or-usage-error.js'
import {
  createUsageError,
  type HelpOrUsageError,
  readCommandLine,
} from '../../platform/command-line/read-command-line.js'
import { createShutdownRegistration } from '../../platform/shutdown.js'
import { WORKER_COMMAND } from '../../protocol/command-table/worker-command-row.js'
import { messageOf } from '../../protocol/thrown.js'
import { NO_DATABASE_MESSAGE } from '../cluster-error.js'
import { openCluster } from '../open-cluster.js'
import { type App, appProblem } from './app.js'
import { type StartWorkerOptions, startWorker } from './start-worker.js'
import type { Worker } from './worker.js'
import { startWorkerProbe } from './worker-probe.js'

type Read = Omit<StartWorkerOptions, 'cluster' | 'apps'> & {
  database: string
  connections: number
  appFiles: string[]
  drainSeconds: number
  probe?: { host: string; port: number }
  logFormat: LogFormat
}
type LogFormat = 'text' | 'json'

export async function workerMain(args: string[]): Promise<void> {
  const read = readWorkerArguments(args)
  if ('text' in read) {
    printHelpOrUsageError(read)
    return
  }
  const { database, connections, appFiles, drainSeconds, probe: listen, logFormat, ...options } = read
  const say = createLog(logFormat)
  const whenEnding = createShutdownRegistration()
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

export function readWorkerArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Read | HelpOrUsageError {
  const read = readCommandLine(WORKER_COMMAND, args)
  if ('text' in read) return read
  const { values } = read
  const database = values.database ?? env['KEDGE_DATABASE']
  if (!database) return createUsageError(WORKER_COMMAND, NO_DATABASE_MESSAGE)
  if (values.host !== undefined && values.port === undefined)
    return createUsageError(WORKER_COMMAND, '--host needs --port.')
  const { 'warm-seconds': warm, 'silent-seconds': silent, 'ask-timeout': timeout } = values
  const rate = values['requests-per-minute']
  return {
    database,
    appFiles: values.app,
    drainSeconds: values['drain-seconds'] ?? 30,
    connections: values.connections ?? 10,
    roots: values.root,
    capacity: values.capacity ?? 50,
    perTenant: values['per-tenant'] ?? 20,
    ...(warm === undefined ? {} : { warmMs: warm * 1000 }),
    ...(silent === undefined ? {} : { silentMs: silent * 1000 }),
    ...(timeout === undefined ? {} : { askTimeoutMs: timeout * 1000 }),
    ...(rate === undefined ? {} : { requestsPerMinute: rate }),
    ...(values.files === undefined ? {} : { files: resolve(values.files) }),
    ...(values.machine === undefined ? {} : { machine: values.machine }),
    ...(values.port === undefined ? {} : { probe: { host: values.host ?? '127.0.0.1', port: values.port } }),
    logFormat: values['log-format'] ?? 'text',
    options: {
      settingSources: ['user', 'project', 'local'],
      untrusted: !values.trust,
      ...(values.model === undefined ? {} : { model: values.model }),
    },
  }
}
