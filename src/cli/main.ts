/** The `kedge` command: decides what was asked for, gives the agent its process, and ends with the right exit code. */
import { closeSync, fstatSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { runAgent } from '../agent/run-agent.js'
import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import { VERSION } from '../platform/version.js'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import { createStdioChannel } from '../transport/stdio.js'
import { askForTrustFlag } from './ask-trust.js'
import { reportLostOutput, runWithOutputCheck } from './failing-output.js'
import type { McpCommandParts } from './mcp/mcp-command-parts.js'
import { print, printCommandText, printToStderr } from './terminal-output.js'

/** For the library, which runs the agent from the same bundle and code cache. */
export { runInProcess } from '../agent/in-process.js'

/** What hosts compare with the oldest version they can drive: the command of the original whose behavior this is. */
const HOST_VERSION = '2.1.50'
const KEEP_ALIVE_MS = 30_000
const FLUSH_MS = 500
/** How often an agent whose input has ended looks whether its host is still there. */
const HOST_CHECK_MS = 1000

export async function main(saveCache: () => void = () => {}): Promise<void> {
  takePrivate()
  if (isFile(1)) (await import('./whole-output.js')).makeStdoutSynchronous()
  const argv = wholeArgv(process.argv.slice(2))
  const code = await run(argv, saveCache)
  process.exitCode = code
  // Nothing may keep the process alive now: children and sockets are gone, and stdout has been written.
  process.exit(code)
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/** Keys that our library keeps out of the environment the kernel shows to others. */
function takePrivate(): void {
  const { KEDGE_PRIVATE_FD: descriptor } = process.env
  if (!descriptor) return
  delete process.env.KEDGE_PRIVATE_FD
  Object.assign(process.env, JSON.parse(readFileSync(Number(descriptor), 'utf8')))
  closeSync(Number(descriptor))
}

/** Our library puts flags that are too long for a command line into a file, which is ours to remove. */
function wholeArgv(argv: string[]): string[] {
  const [flag, file = ''] = argv
  if (flag !== '--args-file') return argv
  const flags: unknown = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(dirname(file), { recursive: true, force: true })
  return Array.isArray(flags) ? flags.map(String) : argv
}

/** `onSession`: after a session, whose functions are worth keeping; `--version` needs none of them. */
async function run(argv: string[], onSession: () => void): Promise<number> {
  const command = subcommand(argv[0])
  if (command) return runWithOutputCheck(() => command(argv.slice(1)))
  if (argv[0] === 'help') return runWithOutputCheck(async () => showHelp(argv.slice(1)))
  // Before its own flags are taken for wrong ones of ours.
  if (argv[0] && !argv[0].startsWith('-') && !argv.some((word) => word === '-p' || word === '--print')) {
    const missing = (await import('./subcommands.js')).unsupportedSubcommandText(argv[0])
    if (missing !== undefined) {
      printToStderr(`${missing}\n`)
      return 1
    }
  }
  const parsed = parseArgv(argv)
  if (!parsed.ok) {
    printToStderr(`${parsed.message}\nRun \`kedge --help\` for all options.\n`)
    return 1
  }
  const flags = createFlagReader(parsed.values)
  const [word] = flags.has('print') ? [] : flags.rest
  if (flags.has('version') || word === 'version') {
    return runWithOutputCheck(async () => {
      print(`${HOST_VERSION} (Kedge ${VERSION})\n`)
      return 0
    })
  }
  if (flags.has('help')) return runWithOutputCheck(async () => showHelp([]))
  const formats = [flags.text('input-format'), flags.text('output-format')]
  if (flags.has('replay-user-messages') && !formats.every((format) => format === 'stream-json')) {
    printToStderr(
      'Error: --replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.\n',
    )
    return 1
  }
  if (flags.has('include-partial-messages') && flags.text('output-format') !== 'stream-json') {
    printToStderr('Error: --include-partial-messages requires --print and --output-format=stream-json.\n')
    return 1
  }
  if (flags.text('input-format') === 'stream-json') {
    if (flags.has('print') && !(flags.text('output-format') === 'stream-json' && flags.has('verbose'))) {
      printToStderr('Error: --input-format=stream-json requires --output-format=stream-json and --verbose.\n')
      return 1
    }
    return runOnStdio([...(await askForTrustFlag(flags)), ...argv]).finally(onSession)
  }
  return (await import('./print.js')).runPrintMode(argv, flags).finally(onSession)
}

async function showHelp(words: readonly string[]): Promise<number> {
  return printCommandText((await import('./help.js')).helpCommand(words))
}

/** Those of `COMMANDS` that this bundle contains, each loaded when it is asked for. */
function subcommand(name: string | undefined): ((args: string[]) => Promise<number>) | undefined {
  switch (name) {
    case 'models':
      return async (args) => (await import('./models-command.js')).listModelsCommand(args)
    case 'mcp':
      return async (args) => (await import('./mcp/mcp-command.js')).mcpCommand(args, MCP_PARTS)
    case 'permissions':
      return async (args) => (await import('./permissions-command.js')).permissionsCommand(args)
    case 'sessions':
      return async (args) => (await import('./sessions-command.js')).sessionsCommand(args)
    case 'doctor':
      return async (args) => (await import('./doctor/doctor.js')).doctorCommand(args)
    case 'update':
      return async (args) => (await import('./update-command.js')).updateCommand(args)
    case 'attach':
      return async (args) => (await import('./subcommands.js')).explainAttach(args)
    case 'migrate':
      return async (args) =>
        (await import('./migrate/migrate-command.js')).migrateCommand(args, __dirname, nodePlatform())
    case 'completion':
      return async (args) => (await import('./completion.js')).completionCommand(args)
    default:
      return undefined
  }
}

/** The command is a separate file: this is what it loads of the agent or shares with it. */
const MCP_PARTS: McpCommandParts = {
  ask: async (servers, options) => (await import('./mcp/mcp-test.js')).fetchServerStatuses(servers, options),
  signIn: () => import('./mcp/mcp-sign-in.js'),
  library: () => import('../mcp/transports/official-client.js'),
}

/** Driven by a host: lines on stdin, lines on stdout. */
async function runOnStdio(argv: string[]): Promise<number> {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(name, () => stop.abort(name))
  const parent = process.ppid
  const input = () => {
    // A library started us: when it is gone nobody wants our work. Whoever uses a shell may well leave it.
    if (process.env.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk-')) {
      const check = () => process.ppid === parent || stop.abort('host gone')
      process.stdin.once('end', () => setInterval(check, HOST_CHECK_MS).unref())
    }
    return process.stdin
  }
  let lost: Error | undefined
  const channel = createStdioChannel(
    input,
    () => process.stdout,
    (error) => {
      lost = error
      stop.abort('output closed')
    },
  )
  const code = await runAgent({
    argv,
    env: process.env,
    cwd: process.cwd(),
    home: homeFolder(process.env),
    platform: nodePlatform(),
    channel,
    stderr: complain(),
    signal: stop.signal,
    keepAliveMs: KEEP_ALIVE_MS,
  })
  // Told to end while nobody reads our output: what is left of it can't be waited for.
  const enough = new Promise<void>((resolve) => stop.signal.aborted && setTimeout(resolve, FLUSH_MS))
  await Promise.race([channel.flushed(), enough])
  if (!lost) return code
  reportLostOutput(lost)
  return 1
}

/** To stderr, which is set up when there is something to say: that alone takes milliseconds of every start. */
function complain(): (text: string) => void {
  let isOpen = false
  return (text) => {
    // Nobody may read our complaints; the work continues.
    if (!isOpen) process.stderr.on('error', () => {})
    isOpen = true
    printToStderr(text)
  }
}
