/** `kedge mcp serve`: sessions for programs that speak MCP, on stdin and stdout or over HTTP. */
import { printHelpOrUsageError } from '../../platform/command-line/print-help-or-usage-error.js'
import {
  createUsageError,
  type HelpOrUsageError,
  readCommandLine,
} from '../../platform/command-line/read-command-line.js'
import { createListenError } from '../../platform/network/listen-error.js'
import { createShutdownRegistration } from '../../platform/shutdown.js'
import { MCP_SERVE_COMMAND } from '../../protocol/command-table/mcp-serve-command-row.js'
import { messageOf } from '../../protocol/thrown.js'
import { TOKEN_SCOPES, type TokenScope } from '../access/access-tokens.js'
import { DEFAULT_HOST, DEFAULT_PORT, type ServerOptions } from '../build-server.js'
import { createServer } from '../public-server.js'

type McpServeArguments = { http: boolean; scopes: TokenScope[]; options: ServerOptions }

export async function serveMcpMain(args: string[]): Promise<void> {
  const read = readMcpServeArguments(args)
  if ('text' in read) {
    printHelpOrUsageError(read)
    return
  }
  try {
    if (read.http) await serveHttp(read.options)
    else await serveOnStdio(read)
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`)
    process.exit(1)
  }
}

async function serveHttp(options: ServerOptions): Promise<void> {
  const whenEnding = createShutdownRegistration()
  const server = createServer({ ...options, log: (line) => void process.stderr.write(line) })
  whenEnding(() => server.close({ seconds: 5 }))
  const { url } = await server.listen().catch((error: NodeJS.ErrnoException) => {
    const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
    throw error.syscall === 'listen' || error.syscall === 'getaddrinfo' ? createListenError(host, port, error) : error
  })
  const where = options.token === undefined ? `The token is in ${server.tokenFile}\n` : ''
  process.stdout.write(`Kedge serves MCP at ${url}/mcp\n${where}`)
}

async function serveOnStdio({ scopes, options }: McpServeArguments): Promise<void> {
  // Only the protocol goes to stdout.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error
  const { serveSessionsOnStdio } = await import('./stdio-sessions.js')
  await serveSessionsOnStdio({ scopes, roots: options.roots ?? [process.cwd()], options: options.options ?? {} })
  process.exit(0)
}

export function readMcpServeArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): McpServeArguments | HelpOrUsageError {
  const read = readCommandLine(MCP_SERVE_COMMAND, args)
  if ('text' in read) return read
  const { values } = read
  const { http, host, port, root, model, scope } = values
  const forHttp = [host, port, values.token, values['allow-remote'] || undefined].some((value) => value !== undefined)
  if (!http && (forHttp || values['allow-host'].length > 0 || values['allow-origin'].length > 0))
    return createUsageError(MCP_SERVE_COMMAND, '--host, --port, --token, and --allow-… need --http.')
  if (http && scope.length > 0)
    return createUsageError(
      MCP_SERVE_COMMAND,
      'With --http, the scopes of the token apply: make one with POST /v1/tokens.',
    )
  const token = values.token ?? (http ? env['KEDGE_SERVER_TOKEN'] : undefined)
  const scopes: readonly string[] = scope.length > 0 ? scope : ['read', 'prompt', 'answer']
  return {
    http,
    scopes: TOKEN_SCOPES.filter((known) => scopes.includes(known)),
    options: {
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(token === undefined ? {} : { token }),
      ...(root.length > 0 ? { roots: root } : {}),
      ...(values['allow-host'].length > 0 ? { allowHosts: values['allow-host'] } : {}),
      ...(values['allow-origin'].length > 0 ? { allowOrigins: values['allow-origin'] } : {}),
      ...(values['allow-remote'] ? { allowRemote: true } : {}),
      // As the command itself has it.
      options: {
        settingSources: ['user', 'project', 'local'],
        ...(model === undefined ? {} : { model }),
        ...(values.trust ? { untrusted: false } : {}),
      },
    },
  }
}
