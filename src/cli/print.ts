/** `kedge -p`: one prompt, one answer, as text, as one JSON object, or as every message. */

import { createNoticeFilter, type HostNoticeSelection, readHostNoticeSelection } from '../agent/notice-level.js'
import { runAgent } from '../agent/run-agent.js'
import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import { readSwitch } from '../platform/switch.js'
import { oneLine } from '../platform/visible-text.js'
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import type { SDKMessage, SDKResultMessage, SDKResultSuccess } from '../protocol/messages.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import { fixForInterface, userFailureText } from '../protocol/shown/fix-words.js'
import { createChannelPair } from '../transport/channel.js'
import { encodeLine } from '../transport/ndjson.js'
import { askForTrustFlag } from './ask-trust.js'
import { reportLostOutput } from './failing-output.js'
import { pickModelWithoutKey } from './practice-notice.js'
import type { ProgressLine } from './progress.js'
import { printableAnswer, printToStderr, terminalJson } from './terminal-output.js'

export async function runPrintMode(argv: readonly string[], flags: FlagReader): Promise<number> {
  const format = flags.text('output-format') ?? 'text'
  if (format === 'stream-json' && !flags.has('verbose')) {
    printToStderr('Error: When using --print, --output-format=stream-json requires --verbose\n')
    return 1
  }
  const problem = flags.has('print') ? undefined : (await import('./subcommands.js')).whyWordsAreNoPrompt(flags.rest)
  if (problem !== undefined) {
    printToStderr(`${problem}\n`)
    return 1
  }
  const prompt = await readPrompt(flags)
  if (prompt === '') {
    const eaten = flags
      .eaters()
      .map((name) => `--${name} takes all words up to the next flag: put the prompt before it.\n`)
    printToStderr(`Error: Input must be provided either through stdin or as a prompt argument when using --print
${eaten.join('')}Try: kedge -p "What does this repo do?", or kedge --help\n`)
    return 1
  }
  // `--resume` alone: which session is asked here, on the terminal.
  const chosen = flags.has('resume') ? await (await import('./choose-session.js')).insertChosenSessionId(argv) : argv
  if (!chosen) return 1
  const trust = await askForTrustFlag(flags)
  let unwritten = false
  /** The last of what the agent said to people: nothing has to be said twice. */
  let said = ''
  const [host, agent] = createChannelPair<object, object>()
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(name, () => stop.abort(name))
  process.stdout.on('error', (error) => {
    if (!unwritten) reportLostOutput(error)
    unwritten = true
    stop.abort('output closed')
  })
  process.stderr.on('error', () => {})
  void host.send({ type: 'user', session_id: '', message: { role: 'user', content: prompt }, parent_tool_use_id: null })
  host.end()
  const home = homeFolder(process.env)
  const progress = await openProgress(format, flags)
  const mcpWarner = createMcpWarner(() => progress?.clear())
  const running = runAgent({
    // In front: after a `--` they would be words of the prompt.
    argv: [...trust, '--print', '--include-notices', ...pickModelWithoutKey(flags, home), ...chosen],
    env: process.env,
    cwd: process.cwd(),
    home,
    platform: nodePlatform(),
    channel: agent,
    stderr(text) {
      progress?.clear()
      said = (said + text).slice(-8000)
      printToStderr(text)
    },
    signal: stop.signal,
    ...(format === 'text' && { onMcpServers: mcpWarner.see }),
  })
  const told = readHostNoticeSelection(
    flags.has('include-notices') || readSwitch(process.env.KEDGE_NOTICES) === true,
    process.env,
  )
  const waits = (flags.text('on-turn-end') ?? 'wait') === 'wait'
  const results = await show(host.incoming, { format, told, progress, waits })
  const code = await running
  await mcpWarner.printed()
  const last = results.at(-1)
  if (format === 'json' && last) await write(terminalJson(`${JSON.stringify(withAll(last, results))}\n`))
  if (format === 'text' && last && !isAnswer(last)) explainEnd(last, said)
  return unwritten || last?.terminal_reason === 'empty_response' ? 1 : code
}

/** Once per server: it may be reached later, and fail again. */
function createMcpWarner(clearLine: () => void) {
  const warned = new Set<string>()
  let last = Promise.resolve()
  return {
    see(servers: readonly McpServerStatus[]): void {
      const failed = servers.filter(
        ({ name, status }) => (status === 'failed' || status === 'needs-auth') && !warned.has(name),
      )
      for (const { name } of failed) warned.add(name)
      if (failed.length === 0) return
      last = last.then(async () => {
        const lines = await (await import('./mcp/mcp-warnings.js')).mcpWarnings(failed)
        clearLine()
        printToStderr(`${lines.join('\n')}\n`)
      })
    },
    printed: () => last,
  }
}

/** Only for somebody who watches: nothing of it may get into logs, files or what a program reads. */
async function openProgress(format: string, flags: FlagReader): Promise<ProgressLine | undefined> {
  const { env, stderr } = process
  const watched = format === 'text' && stderr.isTTY && readSwitch(env.CI) === false && env.TERM !== 'dumb'
  // A timeline on the same terminal says more.
  const traced = flags.has('debug') || flags.text('debug') || flags.has('debug-to-stderr')
  if (!watched || traced || readSwitch(env.KEDGE_DEBUG) !== false) return undefined
  return (await import('./progress.js')).createProgressLine(stderr, env)
}

type Shown = {
  format: string
  told: HostNoticeSelection
  progress: ProgressLine | undefined
  /** We don't end before background work has. */
  waits: boolean
}

/** We hear everything that the agent can tell; who reads the stream gets what it asked for. */
async function show(
  messages: AsyncIterable<object>,
  { format, told, progress, waits }: Shown,
): Promise<SDKResultMessage[]> {
  const isStream = format === 'stream-json'
  const pass = createNoticeFilter(told, (message) => write(terminalJson(encodeLine(message))))
  const isRetrySeen = progress !== undefined || (isStream && told !== 'none')
  const results: SDKResultMessage[] = []
  for await (const sent of messages) {
    const message = sent as SDKMessage // our own agent's, and nobody asked it anything
    if (isStream && !isForHostOnly(message)) await pass(message)
    progress?.see(message)
    if (message.type === 'system' && message.subtype === 'api_retry' && !isRetrySeen) {
      // Retries take minutes: silence would look like a hang.
      const { describeRetry, retryHint } = await import('./message-texts.js')
      printToStderr(`Note: ${describeRetry(message)}…${retryHint(message)}\n`)
    }
    if (message.type === 'system' && message.subtype === 'task_notification' && message.status === 'stopped') {
      progress?.clear()
      printToStderr(`Note: ${message.summary}\n`)
    }
    if (message.type !== 'result') continue
    results.push(message)
    progress?.clear()
    // Not at the end: background work may have none.
    if (format === 'text' && isAnswer(message)) await write(printableAnswer(`${message.result}\n`))
    if (waits && message.pending_tasks) printToStderr(waitingText(message.pending_tasks))
  }
  progress?.end()
  return results
}

function isAnswer(result: SDKResultMessage): result is SDKResultSuccess {
  return result.subtype === 'success' && !result.is_error
}

/** Turns about background work have results of their own: the last is the object, and the answers of all are in it. */
function withAll(last: SDKResultMessage, results: readonly SDKResultMessage[]): object {
  if (results.length === 1) return last
  return { ...last, results: results.flatMap((result) => ('result' in result ? result.result : [])) }
}

function waitingText(tasks: NonNullable<SDKResultMessage['pending_tasks']>): string {
  const names = tasks.map(({ task_id, description }) => `${oneLine(description, 100)} (${task_id})`)
  return `Waiting for background work to end: ${names.join(', ')}
Ctrl-C stops it. To leave as soon as the answer is there, use --on-turn-end detach.\n`
}

/** A turn without an answer: why, and what to do about it. */
function explainEnd(result: SDKResultMessage, said: string): void {
  const reason = result.subtype === 'success' ? result.result : result.errors.join('\n')
  const ended: Record<string, string> = {
    error_max_turns: 'Error: Reached max turns',
    error_max_budget_usd: 'Error: Exceeded the budget',
    error_during_execution: 'Error: The turn did not finish',
  }
  const empty = result.terminal_reason === 'empty_response' ? 'Error: The model gave no answer' : undefined
  const fix = result.error_fix === undefined ? '' : `Fix: ${fixForInterface(result.error_fix, 'shell')}\n`
  const known = ['', 'Error: '].some((start) => `\n${said}`.includes(`\n${start}${reason}\n`))
  printToStderr(`${known ? '' : `${userFailureText(reason) || empty || ended[result.subtype] || 'Error'}\n`}${fix}`)
}

function isForHostOnly(message: object): boolean {
  return 'sdk_host_only' in message || ('type' in message && message.type === 'keep_alive')
}

/** How long a pipe may stay open before people are told what is waited for. */
const STDIN_PATIENCE_MS = 3000

/** The argument, with what comes on stdin after it, to its end: who feeds us may take long. A terminal is not waited for. */
async function readPrompt(flags: FlagReader): Promise<string> {
  const argument = flags.rest.join(' ')
  if (process.stdin.isTTY) return argument
  const notice = setTimeout(
    () =>
      printToStderr(
        "Reading the rest of the prompt from stdin… If you didn't mean to pipe input, add `< /dev/null`.\n",
      ),
    STDIN_PATIENCE_MS,
  )
  const piped = await readAll(process.stdin)
  clearTimeout(notice)
  return [argument, piped.trim()].filter((part) => part !== '').join('\n\n')
}

function readAll(stream: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    stream.on('data', (chunk) => chunks.push(chunk))
    const finish = () => resolve(Buffer.concat(chunks).toString('utf8'))
    stream.once('end', finish)
    stream.once('error', (error) => {
      printToStderr(`Warning: stdin could not be read to its end: ${error.message}\n`)
      finish()
    })
  })
}

function write(text: string): Promise<void> {
  // The error of a write is told a little after its callback.
  return new Promise((resolve) => process.stdout.write(text, (error) => (error ? setImmediate(resolve) : resolve())))
}
