// What Kedge has beyond the original.
import { spawn } from 'node:child_process'
import {
  AbortError,
  type AgentProcess,
  type AgentStart,
  type Channel,
  type ContentBlock,
  explainPermission,
  KedgeError,
  type Options,
  type PermissionExplanation,
  ProcessExitError,
  type Query,
  query,
  type SDKResultMessage,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type SpawnedProcess,
  type StdinMessage,
  type StdoutMessage,
  startup,
  type WarmQuery,
} from 'kedge'

export async function methods(running: Query): Promise<void> {
  const pid: number | undefined = running.pid
  await running.interrupt({ scope: 'all' })
  const usage = await running.getContextUsage()
  const agents = await running.supportedAgents()
  const file = await running.readFile('a.txt', { maxBytes: 100, encoding: 'utf-8' })
  const moved: boolean = await running.backgroundTasks('toolu_1')
  await running.applyFlagSettings({ model: 'sonnet' })
  console.log(pid, usage.percentage, agents[0]?.name, file.content, moved)
  await running.closed
}

export async function warm(): Promise<SDKResultMessage | undefined> {
  await using ready: WarmQuery = await startup({ options: { isolation: 'process' } })
  await using running = ready.query('hi')
  for await (const message of running) if (message.type === 'result') return message
  return undefined
}

export function explain(error: unknown): string {
  if (error instanceof ProcessExitError) return `${error.exitCode} ${error.stderr}`
  if (error instanceof AbortError) return error.code
  return KedgeError.isInstance(error) ? error.code : String(error)
}

export function retries(message: StdoutMessage): number {
  if (message.type === 'control_request' && message.request.subtype === 'can_use_tool')
    return message.request.tool_name.length
  return message.type === 'system' && message.subtype === 'api_retry' ? message.attempt : 0
}

export function why(result: SDKResultMessage): string {
  return result.terminal_reason === 'completed'
    ? 'done'
    : `${result.terminal_reason} ${result.pending_tasks?.length ?? 0}`
}

export class MemoryStore implements SessionStore {
  private readonly lists = new Map<string, SessionStoreEntry[]>()

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const name = JSON.stringify(key)
    this.lists.set(name, [...(this.lists.get(name) ?? []), ...entries])
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.lists.get(JSON.stringify(key)) ?? null
  }
}

export const options: Options = { isolation: 'in-process', timeoutMs: 1000, includeToolOutput: true, model: 'practice' }
export const running = query({ prompt: 'hi', options })

/** A conversation with an agent behind a channel of our own. */
export async function converse(
  port: { postMessage(message: object): void; close(): void },
  incoming: AsyncIterable<StdoutMessage>,
): Promise<void> {
  const channel: Channel<StdoutMessage, StdinMessage> = {
    send: (message) => port.postMessage(message),
    end: () => port.close(),
    incoming,
  }
  const open: Query = query({ prompt: null, options: { transport: channel } })
  await open.send('hello')
  await open.send({ type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, session_id: '' })
  open.endInput()
  query({
    prompt: 'x',
    options: { transport: ({ args, cwd, env, signal }: AgentStart) => start(args, cwd, env, signal) },
  })
}
declare function start(args: string[], cwd: string, env: AgentStart['env'], signal: AbortSignal): Promise<Channel>
export const child: SpawnedProcess = spawn('agent', { stdio: ['pipe', 'pipe', 'inherit'] })
export const seen: AgentProcess = child
export const starts: Options = {
  spawnClaudeCodeProcess: ({ command, args }) => spawn(command, args, { stdio: 'pipe' }),
}

export const texts = (blocks: ContentBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))

export async function wouldRun(command: string): Promise<string> {
  const told: PermissionExplanation = await explainPermission({ tool: 'Bash', input: { command }, mode: 'delegate' })
  return [told.behavior, told.layer, told.rule ?? told.reason, ...(told.parts ?? []).map((part) => part.command)].join()
}
