/**
 * A session's log as lines: what is certain goes to the scrollback, what is under way is shown below it. Every kind of message
 * has its place here or is left out by name.
 */
import type { LogItem, PromptChange } from '../../hub/log/entries.js'
import { noticesOf, noticeText, type ViewNotice } from '../../hub/view/view-notices.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKResultMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from '../../protocol/messages.js'
import { NOTICES } from '../../protocol/shown/vocabulary.js'
import { toTerminalSafeLine, toTerminalSafeLines } from '../screen/shown-text.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import { CallTracker, type CallTrackerPorts, imageLines } from './call-tracker.js'
import { markdownLines } from './markdown-stream.js'
import { SpeechLines } from './speech-lines.js'

export type TranscriptPorts = CallTrackerPorts

export class TranscriptView {
  readonly #ports: TranscriptPorts
  readonly #speech: SpeechLines
  readonly calls: CallTracker
  readonly #prompts = new Map<string, string | readonly ContentBlockParam[]>()
  #isFirst = true
  /** Servers whose failure has been shown. Every turn reports all failures again. */
  readonly #failed = new Map<string, string>()

  constructor(ports: TranscriptPorts) {
    this.#ports = ports
    this.calls = new CallTracker(ports)
    this.#speech = new SpeechLines({ ...ports, keep: (block) => this.calls.keep(block) })
  }

  /** Lines that are certain. */
  take(item: LogItem): string[] {
    switch (item.kind) {
      case 'delta':
      case 'message':
        return this.#message(item.data)
      case 'prompt':
        return this.#prompt(item.data)
      // Cards show them; what comes of it is in the messages.
      case 'ask':
      case 'answered':
      case 'withdrawn':
        return []
      case 'state':
        return item.data.error ? this.#notice('error', item.data.error) : []
    }
  }

  /** A message of before: what the user said is shown as well. */
  replay(message: SDKMessage): string[] {
    if (message.type === 'user' && message.parent_tool_use_id === null && message.isSynthetic !== true) {
      const text = shownUserText(message)
      if (text !== '' && !isForModel(text))
        return this.#block([...this.#said(text), ...imageLines(message.message.content, this.#ports)])
    }
    return this.#message(message)
  }

  /** Returns what is under way: its latest rows, at most `height`. */
  live(height: number): string[] {
    const columns = this.#ports.columns()
    const rows = [...this.#speech.live(), ...this.calls.live()].map((row) => cutText(row, columns))
    return rows.length > height ? rows.slice(rows.length - height) : rows
  }

  /** What was being written when everything ended. */
  end(): string[] {
    return [...this.#gap(this.#speech.end()), ...this.calls.endTurn()]
  }

  // ── messages ───────────────────────────────────────────────────────────────

  #message(message: SDKMessage): string[] {
    switch (message.type) {
      case 'stream_event':
        return message.parent_tool_use_id === null ? this.#gap(this.#speech.stream(message.event)) : []
      case 'assistant':
        return this.#assistant(message)
      case 'user':
        return this.#user(message)
      case 'tool_progress':
        this.calls.progress(message.tool_use_id, message.output, message.elapsed_time_seconds)
        return []
      case 'result':
        return this.#result(message)
      case 'tool_use_summary':
        return []
      case 'auth_status':
        return message.error === undefined ? [] : this.#notices(message)
      case 'conversation_reset':
        return this.#notices(message)
      case 'rate_limit_event':
      case 'prompt_suggestion':
      case 'command_lifecycle':
        return []
      case 'system':
        return this.#system(message)
    }
  }

  #system(message: Extract<SDKMessage, { type: 'system' }>): string[] {
    switch (message.subtype) {
      case 'init':
        return message.mcp_servers.flatMap(({ name, status }) => this.#server(name, status))
      case 'compact_boundary':
      case 'hook_response':
      case 'model_fallback':
      case 'informational':
      case 'mirror_error':
      case 'files_persisted':
        return this.#notices(message)
      case 'task_started':
        if (message.tool_use_id !== undefined) this.calls.task(message.tool_use_id, message.task_id)
        return []
      case 'task_progress':
        this.calls.agentProgress(message)
        return []
      case 'task_notification':
        return this.#taskEnded(message)
      case 'permission_denied':
        return this.#gap(this.calls.denied(message.tool_use_id, message.decision_reason ?? message.content))
      // Shown by the status line, or for programs.
      case 'status':
      case 'hook_started':
      case 'hook_progress':
      case 'task_updated':
      case 'background_tasks_changed':
      case 'api_retry':
      case 'session_state_changed':
      case 'commands_changed':
      case 'elicitation_complete':
        return []
    }
  }

  #assistant(message: SDKAssistantMessage): string[] {
    const { parent_tool_use_id: parent } = message
    return message.message.content.flatMap((block): string[] => {
      if (block.type === 'tool_use' || block.type === 'server_tool_use') {
        const input = isObject(block.input) ? block.input : {}
        this.calls.begin({ id: block.id, name: block.name, input, parent })
        return parent === null ? this.#gap(this.#speech.end()) : []
      }
      if (parent !== null) return []
      return this.#gap(this.#speech.whole(message.message.id, block, message.error !== undefined))
    })
  }

  #user(message: SDKUserMessage | SDKUserMessageReplay): string[] {
    const { content } = message.message
    const blocks: readonly ContentBlockParam[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return blocks.flatMap((block): string[] => {
      if (block.type === 'tool_result') return this.#gap(this.calls.result(block, message.tool_use_result))
      if (block.type !== 'text' || message.parent_tool_use_id !== null) return []
      const [, , printed] = /^<local-command-(stdout|stderr)>([\s\S]*)<\/local-command-\1>$/.exec(block.text) ?? []
      if (printed === undefined || printed === '') return []
      const { styles } = this.#ports
      return this.#block(markdownLines(printed, this.#ports.columns(), styles))
    })
  }

  #result(message: SDKResultMessage): string[] {
    const rest = [...this.#gap(this.#speech.end()), ...this.calls.endTurn()]
    if (message.subtype === 'success' && !message.is_error) {
      // One of Kedge's commands answers with its result alone.
      const said =
        this.#speech.hasSpoken || message.result.trim() === ''
          ? []
          : this.#block(markdownLines(message.result, this.#ports.columns(), this.#ports.styles))
      this.#speech.hasSpoken = false
      return [...rest, ...said]
    }
    this.#speech.hasSpoken = false
    if (
      message.terminal_reason === 'aborted_streaming' ||
      message.terminal_reason === 'aborted_tools' ||
      message.terminal_reason === 'interrupted_by_permission'
    )
      return [...rest, ...this.#notice('notice', `${NOTICES.stopped} What should the agent do instead?`)]
    const reason = message.subtype === 'success' ? message.result : message.errors.join('\n') || message.subtype
    const fix = message.error_fix === undefined ? [] : [`Fix: ${message.error_fix}`]
    return [...rest, ...this.#notice('error', [reason, ...fix].join('\n'))]
  }

  #taskEnded({ status, summary, task_id: id }: { status: string; summary: string; task_id: string }): string[] {
    const { styles } = this.#ports
    if (this.calls.isForeground(id)) return []
    const sign = status === 'completed' ? styles.green(styles.sign.tick) : styles.red(styles.sign.cross)
    return this.#block(
      wrapText(`${sign} ${styles.dim(`in the background: ${toTerminalSafeLine(summary)}`)}`, this.#ports.columns(), {
        indent: '  ',
      }),
    )
  }

  #prompt(change: PromptChange): string[] {
    if (change.change === 'queued') this.#prompts.set(change.prompt.id, change.prompt.content)
    if (change.change === 'interrupted')
      return this.#noticed({ level: 'warning', text: NOTICES.promptInterrupted, detail: change.reason })
    if (change.change !== 'started') return []
    const content = this.#prompts.get(change.id)
    this.#prompts.delete(change.id)
    this.#speech.hasSpoken = false
    return content === undefined
      ? []
      : this.#block([...this.#said(contentText(content)), ...imageLines(content, this.#ports)])
  }

  #said(text: string): string[] {
    const { styles } = this.#ports
    const columns = this.#ports.columns()
    const all = toTerminalSafeLines(text.trim())
    const lines = all.length > 30 ? [...all.slice(0, 20), `${styles.sign.more} ${all.length - 20} more lines`] : all
    return lines.flatMap((line, n) =>
      wrapText(`${n === 0 ? styles.sign.arrow : ' '} ${line}`, columns, { indent: '  ' }).map((row) =>
        styles.cyan(row),
      ),
    )
  }

  // ── spacing ────────────────────────────────────────────────────────────────

  /** A line from us. */
  #notice(level: 'notice' | 'warning' | 'error', text: string): string[] {
    const { styles } = this.#ports
    const style = level === 'error' ? styles.red : level === 'warning' ? styles.yellow : styles.dim
    const rows = toTerminalSafeLines(text.trim()).flatMap((line, n) =>
      wrapText(
        style(n === 0 ? `${level === 'notice' ? styles.sign.ring : '!'} ${line}` : `  ${line}`),
        this.#ports.columns(),
        { indent: '  ' },
      ),
    )
    return this.#block(rows)
  }

  #notices(message: SDKMessage): string[] {
    return noticesOf(message).flatMap((notice) => this.#noticed(notice))
  }

  #noticed(notice: ViewNotice): string[] {
    return this.#notice(notice.level === 'info' ? 'notice' : notice.level, noticeText(notice))
  }

  notice(level: 'notice' | 'warning' | 'error', text: string): string[] {
    return this.#notice(level, text)
  }

  /** Returns the lines of a text of ours, written in markdown. */
  words(text: string): string[] {
    return this.#block(markdownLines(text, this.#ports.columns(), this.#ports.styles))
  }

  #server(name: string, status: string): string[] {
    const isShown = this.#failed.get(name) === status
    this.#failed.set(name, status)
    if (isShown || (status !== 'failed' && status !== 'needs-auth')) return []
    const text = status === 'failed' ? NOTICES.serverFailed(name) : NOTICES.serverNeedsSignIn(name)
    return this.#noticed({ level: 'warning', text, detail: 'type /mcp for details' })
  }

  #block(lines: string[]): string[] {
    if (lines.length === 0) return []
    this.#speech.breakHere()
    return this.#spaced(lines)
  }

  /** Adds the space before new blocks; the code that made them marks those. */
  #gap(blocks: { lines: string[]; isNew: boolean }[]): string[] {
    return blocks.flatMap(({ lines, isNew }) => (lines.length === 0 ? [] : isNew ? this.#spaced(lines) : lines))
  }

  #spaced(lines: string[]): string[] {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return isFirst ? lines : ['', ...lines]
  }
}

export function shownUserText({ message }: Pick<SDKUserMessage, 'message'>): string {
  return contentText(message.content)
}

export function contentText(content: string | readonly ContentBlockParam[]): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[image]' : []))
    .filter((text) => !isForModel(text))
    .join('\n')
}

/** Put beside what people say, for the model to read. */
export function isForModel(text: string): boolean {
  return /^\s*(?:<(?:system-reminder|command-name|command-message|local-command-|shell-command)|\[Request interrupted by user)/.test(
    text,
  )
}
