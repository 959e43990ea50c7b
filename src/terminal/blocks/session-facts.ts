/** What the status line says of a session, added up from its log. */
import type { LogItem } from '../../hub/log/entries.js'
import type { SessionInfo } from '../../hub/session-types.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import type { SDKMessage } from '../../protocol/messages.js'

export type TaskFacts = {
  id: string
  kind: string
  description: string
  since: number
  output: string
  file?: string
  lastTool?: string
  tokens?: number
}

const KEPT_OUTPUT = 8000
const STARTED = /^Command running in background with ID: (\S+)\. Output is being written to: (.+?)$/m

export class TerminalSessionFacts {
  model = ''
  mode = 'default'
  title: string | undefined
  costUsd = 0
  /** How much of what was read came from the cache, from 0 to 1; undefined where nothing was cached. */
  cacheHitRate: number | undefined
  /** Tokens in the context, and how many there may be. */
  context = 0
  window = 200_000
  isBusy = false
  isCompacting = false
  /** When the running turn began. */
  since = 0
  /** Tokens the model wrote in this turn. */
  written = 0
  retry: string | undefined
  error: string | undefined
  /** Work in the background. */
  readonly tasks = new Map<string, TaskFacts>()

  /** What is known of a session before its log is followed. */
  begin({ model, mode, costUsd, title, status }: SessionInfo): void {
    if (model !== undefined) this.model = model
    this.mode = mode ?? 'default'
    this.costUsd = costUsd
    this.cacheHitRate = undefined
    this.title = title
    this.context = 0
    this.isBusy = status === 'running' || status === 'needs-you'
    this.tasks.clear()
  }

  take(item: LogItem, now: number): void {
    if (item.kind === 'state') {
      const { mode, model, title, status, error } = item.data
      if (mode !== undefined) this.mode = mode
      if (model !== undefined) this.model = model
      if (title !== undefined) this.title = title ?? undefined
      if (error !== undefined) this.error = error ?? undefined
      if (status !== undefined) this.#status(status === 'running' || status === 'needs-you', now)
    }
    if (item.kind === 'message' || item.kind === 'delta') this.#message(item.data, now)
  }

  #status(isBusy: boolean, now: number): void {
    if (isBusy && !this.isBusy) {
      this.since = now
      this.written = 0
    }
    this.isBusy = isBusy
    if (!isBusy) this.retry = undefined
  }

  #message(message: SDKMessage, now: number): void {
    if (message.type === 'stream_event' && message.parent_tool_use_id === null) {
      this.retry = undefined
      const { event } = message
      if (event.type === 'message_delta') this.written += event.usage.output_tokens ?? 0
    }
    if (message.type === 'assistant' && message.parent_tool_use_id === null) {
      const { usage } = message.message
      const sum = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
      if (sum > 0) this.context = sum + usage.output_tokens
    }
    if (message.type === 'result') {
      this.costUsd = message.session_total_cost_usd ?? message.total_cost_usd
      this.cacheHitRate = message.cache_hit_rate
      const windows = Object.values(message.modelUsage).map(({ contextWindow }) => contextWindow)
      if (windows.length > 0) this.window = Math.max(...windows) || this.window
    }
    if (message.type === 'conversation_reset') this.context = 0
    if (message.type === 'user') this.#taskFile(message.message.content)
    if (message.type === 'tool_progress') this.#printed(message.task_id, message.output ?? '')
    if (message.type === 'system') this.#system(message, now)
  }

  #system(message: Extract<SDKMessage, { type: 'system' }>, now: number): void {
    switch (message.subtype) {
      case 'status':
        this.isCompacting = message.status === 'compacting'
        break
      case 'compact_boundary':
        this.context = 0
        break
      case 'api_retry':
        this.retry = `no answer (${message.error_status ?? message.error}), try ${message.attempt} of ${message.max_retries}`
        break
      case 'task_started':
        this.tasks.set(message.task_id, {
          id: message.task_id,
          kind: message.task_type ?? '',
          description: message.description,
          since: now,
          output: '',
        })
        break
      case 'task_progress': {
        const task = this.tasks.get(message.task_id)
        if (!task) break
        if (message.last_tool_name !== undefined) task.lastTool = message.last_tool_name
        task.tokens = message.usage.total_tokens
        break
      }
      case 'task_notification':
        this.tasks.delete(message.task_id)
        break
      case 'background_tasks_changed': {
        const running = new Set(message.tasks.map(({ task_id: id }) => id))
        for (const id of this.tasks.keys()) if (!running.has(id)) this.tasks.delete(id)
        for (const { task_id: id, task_type: kind, description } of message.tasks)
          if (!this.tasks.has(id)) this.tasks.set(id, { id, kind, description, since: now, output: '' })
        break
      }
      default:
    }
  }

  #taskFile(content: string | readonly ContentBlockParam[]): void {
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type !== 'tool_result' || typeof block.content !== 'string') continue
      const [, id = '', file] = STARTED.exec(block.content) ?? []
      const task = this.tasks.get(id)
      if (task && file !== undefined) task.file = file
    }
  }

  #printed(task: string | undefined, output: string): void {
    const found = task === undefined ? undefined : this.tasks.get(task)
    if (found) found.output = (found.output + output).slice(-KEPT_OUTPUT)
  }
}
