/** Tool calls of the view as the client sees them: announced once, updated as more is known. */
import type { SessionUpdate, ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { displayOf } from '../../tools/displays.js'
import type { ToolItem, ViewCallResult, ViewChange } from '../../view/view-items.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { PartialInputReader } from './partial-input-reader.js'
import { toAcpToolCallFields } from './tool-call-fields.js'
import {
  changedFileContent,
  codeFence,
  MAX_SHOWN_OUTPUT_CHARS,
  plannedContent,
  resultContent,
  textContent,
  textOfResult,
} from './tool-content.js'

/** Output as text replaces what was there before: not more often than this. */
const REFRESH_MS = 500

/** The end of known output, by which it is found in the file. */
const KNOWN_CHARACTERS = 1000

export type ToolUpdatePorts = { client: AcpClientAbilities; cwd: string; now(): number }

/** What the client knows of a call. */
type ShownCall = {
  status: ToolCallStatus
  isShown: boolean
  input: PartialInputReader
  hasResult: boolean
  outputAt: number
  /** The end of the file that the command printed to, which has more than what came as pieces. */
  fileEnd?: string
  /** Id of the client's terminal, if the command runs in one. */
  terminal?: string
}

export class ToolUpdates {
  readonly #ports: ToolUpdatePorts
  /** Forgotten with the items, which the view keeps while they can change. */
  readonly #shown = new WeakMap<ToolItem, ShownCall>()

  constructor(ports: ToolUpdatePorts) {
    this.#ports = ports
  }

  /** `unfinished`: why a call has no result if its turn is over. */
  of(item: ToolItem, change: ViewChange, unfinished: string): SessionUpdate[] {
    const shown = this.#of(item)
    if (change.what === 'added') return isTodoList(item.name) ? [] : [this.#announce(item)]
    if (change.what === 'changed') return this.#changed(item, unfinished)
    if (!shown.isShown) return []
    switch (change.what) {
      case 'grew':
        return item.state === 'writing' ? this.#grew(item, change.piece) : this.#printed(item, change.piece)
      case 'input':
        return [this.#update(item, this.#facts(item, item.input))]
      case 'progress':
        return [this.#runs(item, change.seconds)]
      case 'task':
        return this.#taskEnded(item)
      case 'removed':
        return this.#fails(item, unfinished)
      default:
        return []
    }
  }

  isShown(item: ToolItem): boolean {
    return this.#of(item).isShown
  }

  /** Notes that the client shows the command in its own terminal. */
  inTerminal(calls: Iterable<ToolItem>, command: string, terminalId: string): [ToolItem, SessionUpdate] | undefined {
    const isIt = (item: ToolItem) =>
      isCommand(item) && item.input['command'] === command && this.#of(item).terminal === undefined
    const item = [...calls].findLast(isIt)
    if (!item) return undefined
    this.#of(item).terminal = terminalId
    return [item, this.#update(item, { content: [{ type: 'terminal', terminalId }] })]
  }

  /**
   * Takes the end of what a command in the background printed, from its file: pieces of output are not kept for clients that were
   * slow or joined later.
   */
  lastOutput(item: ToolItem, end: string): SessionUpdate[] {
    const shown = this.#of(item)
    if (item.name !== 'Bash' || shown.terminal !== undefined) return []
    const known = item.output.slice(-KNOWN_CHARACTERS)
    const at = known === '' ? -1 : end.lastIndexOf(known)
    const missing = at === -1 ? end : end.slice(at + known.length)
    shown.fileEnd = end
    const { terminalOutput: key } = this.#ports.client
    if (!key || missing === '') return []
    return [this.#update(item, { meta: { [key]: { terminal_id: item.useId, data: missing } } })]
  }

  /** Reports something about the call that has no field in the protocol. */
  note(item: ToolItem, kedge: Record<string, unknown>): SessionUpdate[] {
    return this.#of(item).isShown ? [this.#update(item, { meta: { kedge: { ...own(item), ...kedge } } })] : []
  }

  #of(item: ToolItem): ShownCall {
    const known = this.#shown.get(item)
    if (known) return known
    const shown: ShownCall = {
      status: 'pending',
      isShown: false,
      input: new PartialInputReader(),
      hasResult: false,
      outputAt: 0,
    }
    this.#shown.set(item, shown)
    return shown
  }

  #announce(item: ToolItem): SessionUpdate {
    const { client, cwd } = this.#ports
    const { useId: toolCallId, name } = item
    const shown = this.#of(item)
    shown.isShown = true
    const isTerminal = isCommand(item) && client.terminalOutput !== undefined
    const terminal = isTerminal ? { terminal_info: { terminal_id: toolCallId, cwd } } : {}
    const content: ToolCallContent[] = isTerminal ? [{ type: 'terminal', terminalId: toolCallId }] : []
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      name,
      status: shown.status,
      content,
      ...this.#facts(item, item.input),
      _meta: { ...meta(item), ...terminal },
    }
  }

  #facts(item: ToolItem, input: Record<string, unknown>) {
    const { client, cwd } = this.#ports
    const content = plannedContent(item.name, input, cwd)
    return {
      ...toAcpToolCallFields(item.name, input, cwd),
      rawInput: input,
      ...(content.length > 0 && !(isCommand(item) && client.terminalOutput) ? { content } : {}),
    }
  }

  #grew(item: ToolItem, piece: string): SessionUpdate[] {
    const input = this.#of(item).input.add(piece)
    return input ? [this.#update(item, this.#facts(item, input))] : []
  }

  #runs(item: ToolItem, seconds: number): SessionUpdate {
    const elapsed = { toolName: item.name, toolResponse: { elapsedTimeSeconds: seconds } }
    this.#of(item).status = 'in_progress'
    return this.#update(item, {
      status: 'in_progress',
      meta: { claudeCode: { ...claudeCode(item), ...elapsed }, kedge: { ...own(item), elapsedSeconds: seconds } },
    })
  }

  #printed(item: ToolItem, piece: string): SessionUpdate[] {
    const shown = this.#of(item)
    const { terminalOutput: key } = this.#ports.client
    if (key) return [this.#update(item, { meta: { [key]: { terminal_id: item.useId, data: piece } } })]
    if (shown.terminal !== undefined) return []
    const now = this.#ports.now()
    if (now - shown.outputAt < REFRESH_MS) return []
    shown.outputAt = now
    return [this.#update(item, { content: [printedText(item.output)] })]
  }

  /** Its state is another, or it has a result. */
  #changed(item: ToolItem, unfinished: string): SessionUpdate[] {
    const shown = this.#of(item)
    const { state, result } = item
    if (state === 'unfinished') return this.#fails(item, unfinished)
    if (result && !shown.hasResult) return this.#hasResult(item, result)
    if (state === 'denied') {
      const before = shown.isShown ? [] : [this.#announce(item)]
      return [...before, ...this.#fails(item, item.reason ?? '', { rawOutput: item.reason })]
    }
    if (state !== 'running' || !shown.isShown || shown.status !== 'pending') return []
    shown.status = 'in_progress'
    return [this.#update(item, { status: 'in_progress' })]
  }

  #fails(item: ToolItem, reason: string, fields: Fields = {}): SessionUpdate[] {
    const shown = this.#of(item)
    if (!shown.isShown || shown.status === 'failed') return []
    shown.status = 'failed'
    return [this.#update(item, { status: 'failed', content: [textContent(reason)], ...fields })]
  }

  #hasResult(item: ToolItem, result: ViewCallResult): SessionUpdate[] {
    const shown = this.#of(item)
    shown.hasResult = true
    if (isTodoList(item.name) && !result.isError) return []
    const before = shown.isShown ? [] : [this.#announce(item)]
    if (item.state === 'background') return [...before, this.#continues(item)]
    shown.status = result.isError ? 'failed' : 'completed'
    return [...before, this.#ended(item, result)]
  }

  #continues(item: ToolItem): SessionUpdate {
    this.#of(item).status = 'in_progress'
    const id = item.task?.id ?? ''
    return this.#update(item, {
      status: 'in_progress',
      content: this.#after(item, [textContent(`${NOTICE_TEXTS.continuesInBackground} (task ${id})`)]),
      meta: { kedge: { ...own(item), task: { id, status: 'running' } } },
    })
  }

  #ended(item: ToolItem, { content, detail, isError }: ViewCallResult): SessionUpdate {
    const { client, cwd } = this.#ports
    const { name, input, useId, printed } = item
    // A transcript has no details: the change is what was planned.
    const planned = detail === undefined ? plannedContent(name, input, cwd).filter(isDiff) : []
    const change = isError
      ? undefined
      : [changedFileContent(name, detail, cwd), planned].find((shownContent) => shownContent.length > 0)
    const text = textOfResult(content)
    const raw = detail === undefined ? text : detail
    const fields = { status: isError ? ('failed' as const) : ('completed' as const), rawOutput: raw }
    const response = { claudeCode: { ...claudeCode(item), toolResponse: raw } }
    if (isCommand(item) && client.terminalOutput) {
      const whole = isObject(detail) && typeof detail['stdout'] === 'string' ? detail['stdout'] : text
      const rest = whole.slice(printed)
      const more = rest === '' ? {} : { [client.terminalOutput]: { terminal_id: useId, data: rest } }
      const exit = terminalExit(item, isError ? exitCode(text) : 0)
      return this.#update(item, { ...fields, content: terminal(useId), meta: { ...response, ...more, ...exit } })
    }
    // It stays where its user has watched it.
    const { terminal: ownTerminal } = this.#of(item)
    if (ownTerminal !== undefined)
      return this.#update(item, { ...fields, content: terminal(ownTerminal), meta: response })
    const said = resultContent(content, isCommand(item) ? 'console' : undefined)
    return this.#update(item, { ...fields, content: change ?? said, meta: response })
  }

  /** The task of a call in the background is over. */
  #taskEnded(item: ToolItem): SessionUpdate[] {
    const { task, state } = item
    const shown = this.#of(item)
    if (!task || shown.status !== 'in_progress' || !shown.hasResult || state === 'background') return []
    shown.status = state === 'done' ? 'completed' : 'failed'
    const isTerminal = this.#ports.client.terminalOutput && isCommand(item)
    const exit = isTerminal ? terminalExit(item, state === 'done' ? 0 : 1) : {}
    const { summary = '' } = task
    const content = this.#after(item, summary === '' ? [] : [textContent(summary)])
    const fields = { status: shown.status, content, rawOutput: summary }
    return [this.#update(item, { ...fields, meta: { ...exit, kedge: { ...own(item), task } } })]
  }

  /** What is said of a command comes after what it prints. */
  #after(item: ToolItem, content: ToolCallContent[]): ToolCallContent[] {
    if (!isCommand(item)) return content
    const { terminal: ownTerminal, fileEnd } = this.#of(item)
    if (ownTerminal !== undefined) return [...terminal(ownTerminal), ...content]
    if (this.#ports.client.terminalOutput) return [...terminal(item.useId), ...content]
    const output = fileEnd ?? item.output
    return output === '' ? content : [printedText(output), ...content]
  }

  #update(item: ToolItem, { meta: more = {}, ...fields }: Fields): SessionUpdate {
    return { sessionUpdate: 'tool_call_update', toolCallId: item.useId, ...fields, _meta: { ...meta(item), ...more } }
  }
}

type Fields = {
  status?: ToolCallStatus
  content?: ToolCallContent[]
  rawOutput?: unknown
  meta?: Record<string, unknown>
  [key: string]: unknown
}

function printedText(output: string): ToolCallContent {
  return textContent(codeFence(output.slice(-MAX_SHOWN_OUTPUT_CHARS), 'console'))
}

function terminal(terminalId: string): ToolCallContent[] {
  return [{ type: 'terminal', terminalId }]
}

function isDiff({ type }: ToolCallContent): boolean {
  return type === 'diff'
}

/** Under the names that clients of other adapters know, and under ours. */
function meta(item: ToolItem) {
  return { claudeCode: claudeCode(item), ...(item.parent === '' ? {} : { kedge: own(item) }) }
}

function claudeCode({ name, parent }: ToolItem) {
  return { toolName: name, ...(parent === '' ? {} : { parentToolUseId: parent }) }
}

function own({ parent }: ToolItem) {
  return parent === '' ? {} : { parentToolUseId: parent }
}

function terminalExit({ useId }: ToolItem, code: number) {
  return { terminal_exit: { terminal_id: useId, exit_code: code, signal: null } }
}

function exitCode(text: string): number {
  const [, code] = /^Exit code (\d+)/.exec(text) ?? []
  return code === undefined ? 1 : Number(code)
}

/** Calls that are shown as the plan they make. */
function isTodoList(name: string): boolean {
  return displayOf(name).shownAs === 'todo-list'
}

function isCommand({ name }: ToolItem): boolean {
  return displayOf(name).body === 'command'
}
