/** `kedge serve`: reads the command line, starts the server, and ends it in order. */

import { printHelpOrUsageError } from '../platform/command-line/print-help-or-usage-error.js'
import { createUsageError, type HelpOrUsageError, readCommandLine } from '../platform/command-line/read-command-line.js'
import { createListenError } from '../platform/network/listen-error.js'
import { createShutdownRegistration } from '../platform/shutdown.js'
import { SERVE_COMMAND } from '../protocol/command-table/server-command-rows.js'
import { messageOf } from '../protocol/thrown.js'
import { DEFAULT_HOST, DEFAULT_PORT } from './build-server.js'
import { createServer, type KedgeServer, type ServerOptions } from './public-server.js'

export async function serveMain(args: string[]): Promise<void> {
  const read = readServeArguments(args)
  if ('text' in read) {
    printHelpOrUsageError(read)
    return
  }
  const { drainSeconds, cluster, ...options } = read
  const whenEnding = createShutdownRegistration()
  const log = createHeldLog((line) => void process.stderr.write(line), Boolean(process.stderr.isTTY))
  try {
    const server = await start({ ...options, log: log.write }, cluster)
    whenEnding(() => server.close({ seconds: drainSeconds }))
    const { url } = await server.listen().catch((error: unknown) => {
      const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
      throw isListenError(error) ? createListenError(host, port, error) : error
    })
    if (options.allowRemote)
      process.stderr.write('warning: Connections are not encrypted, and other machines on the network can connect.\n')
    const where = options.token === undefined ? `The token is in ${server.tokenFile}\n` : ''
    // Into a file or a pipe a token does not belong.
    const link = process.stdout.isTTY ? `Open in a browser: ${url}/#token=${server.token}\n` : ''
    process.stdout.write(`Kedge listens on ${url}\n${where}${link}`)
    log.release()
  } catch (error) {
    log.release()
    process.stderr.write(`error: ${messageOf(error)}\n`)
    process.exit(1)
  }
}

/** On a terminal the link comes first, in place of the log line that says where the server listens. */
function createHeldLog(write: (line: string) => void, isTerminal: boolean) {
  let held: string[] | undefined = isTerminal ? [] : undefined
  return {
    write(line: string): void {
      if (held) held.push(line)
      else write(line)
    },
    release(): void {
      const due = held ?? []
      held = undefined
      for (const line of due) if (!line.includes('"event":"listening"')) write(line)
    },
  }
}

/** Whether the operating system refused the port or address. */
function isListenError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall))
}

type ClusterPlace = { database: string; tenant: string; app: string }

async function start(options: ServerOptions, cluster: ClusterPlace | undefined): Promise<KedgeServer> {
  if (!cluster) return createServer(options)
  const { createClusterServer } = await import('./serve-cluster.js')
  return createClusterServer({ ...options, ...cluster, say: (text) => process.stderr.write(`kedge serve ${text}\n`) })
}

type ServeArguments = ServerOptions & { drainSeconds: number; cluster?: ClusterPlace }

export function readServeArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ServeArguments | HelpOrUsageError {
  const read = readCommandLine(SERVE_COMMAND, args)
  if ('text' in read) return read
  const { values } = read
  const { port, 'drain-seconds': drainSeconds = 30, 'ask-timeout': askTimeout, 'max-body': maxBody } = values
  const token = values.token ?? env['KEDGE_SERVER_TOKEN']
  const { host, root, model, tenant = 'default', app = '' } = values
  const database = values.database ?? env['KEDGE_DATABASE']
  if (!database && (values.tenant !== undefined || values.app !== undefined))
    return createUsageError(SERVE_COMMAND, '--tenant and --app need --database or KEDGE_DATABASE.')
  if (database && (model !== undefined || values.trust || askTimeout !== undefined))
    return createUsageError(
      SERVE_COMMAND,
      'With a database, workers run the sessions. Pass --model, --trust and --ask-timeout to `kedge worker`.',
    )
  return {
    drainSeconds,
    ...(database ? { cluster: { database, tenant, app } } : {}),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
    ...(root.length > 0 ? { roots: root } : {}),
    ...(values['allow-host'].length > 0 ? { allowHosts: values['allow-host'] } : {}),
    ...(values['allow-origin'].length > 0 ? { allowOrigins: values['allow-origin'] } : {}),
    ...(values['allow-remote'] ? { allowRemote: true } : {}),
    ...(values.webhook.length > 0 ? { webhooks: values.webhook } : {}),
    ...(values['push-contact'] === undefined ? {} : { pushContact: values['push-contact'] }),
    ...(askTimeout === undefined ? {} : { askTimeoutMs: askTimeout * 1000 }),
    ...(maxBody === undefined ? {} : { maxBody }),
    // As the command itself has it.
    options: {
      settingSources: ['user', 'project', 'local'],
      ...(model === undefined ? {} : { model }),
      ...(values.trust ? { untrusted: false } : {}),
    },
  }
}
