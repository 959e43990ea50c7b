/** `kedge serve`: reads the command line, starts the server, and ends it in order. */
import { parseArgs } from 'node:util'
import { createShutdown } from '../platform/ending.js'
import { listenProblem } from '../platform/network/listen-problem.js'
import { messageOf } from '../protocol/thrown.js'
import { DEFAULT_HOST, DEFAULT_PORT } from './build-server.js'
import { createServer, type KedgeServer, type ServerOptions } from './public-server.js'

const HELP = `kedge serve: sessions over HTTP

  --host ADDRESS           where to listen (127.0.0.1)
  --port NUMBER            0 takes a free one (4141)
  --root FOLDER            sessions work in these folders and below (the current one); may be repeated
  --token TOKEN            instead of the one in ~/.claude/server/token; also KEDGE_SERVER_TOKEN
  --model NAME             for sessions that name none; "practice" needs no key
  --trust                  use what the folders bring: settings, hooks, MCP servers, CLAUDE.md; otherwise that of
                           folders you have said yes to on a terminal
  --allow-host NAME[:PORT] a name the server is called by, such as that of a proxy; may be repeated
  --allow-origin ORIGIN    a page elsewhere that may call; may be repeated
  --allow-remote           listen elsewhere than on this machine, unencrypted; needs a token of your own
  --webhook URL            told, signed, when a session needs somebody, ends or fails; may be repeated
  --push-contact ADDRESS   who answers for this server, for push services: mailto:… or https://…
  --ask-timeout SECONDS    asks that nobody answers for so long count as a no (they wait)
  --drain-seconds SECONDS  running turns have so long to end after SIGTERM (30)
  --max-body BYTES         of a request (20000000)
  --database ADDRESS       sessions in PostgreSQL, run by \`kedge worker\`: postgres://user:password@host:port/name, or
                           "embedded" (embedded:FOLDER); also KEDGE_DATABASE, where nobody sees the password (docs/many-machines.md)
  --tenant NAME            whose sessions they are, with --database (default)
  --app NAME               what new sessions are of, with --database: as workers have it
  --help

The page docs/server.md has examples.
`

export async function serveMain(args: string[]): Promise<void> {
  const read = readServeArguments(args)
  if (typeof read === 'string') {
    const isHelp = read === HELP
    process[isHelp ? 'stdout' : 'stderr'].write(
      isHelp ? read : `error: ${read}\nRun \`kedge serve --help\` for all options.\n`,
    )
    process.exitCode = isHelp ? 0 : 1
    return
  }
  const { drainSeconds, cluster, ...options } = read
  const whenEnding = createShutdown()
  try {
    const server = await start({ ...options, log: (line) => process.stderr.write(line) }, cluster)
    whenEnding(() => server.close({ seconds: drainSeconds }))
    const { url } = await server.listen().catch((error: unknown) => {
      const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
      throw isListenError(error) ? listenProblem(host, port, error) : error
    })
    if (options.allowRemote)
      process.stderr.write('warning: nothing is encrypted, and others on the network can call.\n')
    const where = options.token === undefined ? `The token is in ${server.tokenFile}\n` : ''
    // Into a file or a pipe a token does not belong.
    const link = process.stdout.isTTY ? `Open in a browser: ${url}/#token=${server.token}\n` : ''
    process.stdout.write(`Kedge listens on ${url}\n${where}${link}`)
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`)
    process.exit(1)
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

/** A text: what is wrong, or the help. */
export function readServeArguments(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): (ServerOptions & { drainSeconds: number; cluster?: ClusterPlace }) | string {
  let values: ReturnType<typeof parse>['values']
  try {
    values = parse(args).values
  } catch (error) {
    return messageOf(error).split('. ')[0] ?? ''
  }
  if (values.help) return HELP
  const numbers = {
    port: numberOf(values.port, 0, 65_535),
    'drain-seconds': numberOf(values['drain-seconds'], 0, 86_400),
    'ask-timeout': numberOf(values['ask-timeout'], 1, 31_536_000),
    'max-body': numberOf(values['max-body'], 1000, 1_000_000_000),
  }
  const [wrong] = Object.entries(numbers).filter(([, value]) => Number.isNaN(value))
  if (wrong) return `--${wrong[0]} must be a number in its range`
  const { port, 'drain-seconds': drainSeconds = 30, 'ask-timeout': askTimeout, 'max-body': maxBody } = numbers
  const token = values.token ?? env['KEDGE_SERVER_TOKEN']
  const { host, root, model, tenant = 'default', app = '' } = values
  const database = values.database ?? env['KEDGE_DATABASE']
  if (!database && (values.tenant !== undefined || values.app !== undefined))
    return '--tenant and --app go with --database'
  if (database && (model !== undefined || values.trust || askTimeout !== undefined))
    return "--model, --trust and --ask-timeout are the worker's: kedge worker --help"
  return {
    drainSeconds,
    ...(database ? { cluster: { database, tenant, app } } : {}),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
    ...(root ? { roots: root } : {}),
    ...(values['allow-host'] ? { allowHosts: values['allow-host'] } : {}),
    ...(values['allow-origin'] ? { allowOrigins: values['allow-origin'] } : {}),
    ...(values['allow-remote'] ? { allowRemote: true } : {}),
    ...(values.webhook ? { webhooks: values.webhook } : {}),
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

function parse(args: string[]) {
  const one = { type: 'string' } as const
  const several = { type: 'string', multiple: true } as const
  return parseArgs({
    args,
    allowPositionals: false,
    options: {
      host: one,
      port: one,
      token: one,
      model: one,
      root: several,
      'allow-host': several,
      'allow-origin': several,
      'allow-remote': { type: 'boolean' } as const,
      'ask-timeout': one,
      'drain-seconds': one,
      'max-body': one,
      help: { type: 'boolean' } as const,
      trust: { type: 'boolean' } as const,
      database: one,
      tenant: one,
      app: one,
      webhook: several,
      'push-contact': one,
    },
  })
}

/** Undefined: not given. NaN: not in the range. */
function numberOf(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : Number.NaN
}
