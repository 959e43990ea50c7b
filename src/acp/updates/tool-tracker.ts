/** The tool calls of a session as the client sees them: announced once, updated as more is known, each ended once. */
import type { SessionUpdate, ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk/unstable'
import type { ToolResultBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SDKTaskNotificationMessage } from '../../protocol/messages.js'
import { displayOf } from '../../tools/displays.js'
import type { AcpClientAbilities } from '../acp-client.js'
import {
  changeContent,
  codeFence,
  contentOfResult,
  MAX_OUTPUT,
  plannedContent,
  resultContent,
  textContent,
} from './tool-content.js'
import { shownToolFacts } from './tool-facts.js'

/** Output as text replaces what was there before: not more often than this. */
const REFRESH_MS = 500

/** The end of known output, by which it is found in the file. */
const KNOWN_CHARACTERS = 1000

export type ToolTrackerPorts = { client: AcpClientAbilities; cwd: string; now(): number }

type Call = {
  id: string
  name: string
  input: Record<string, unknown>
  parent: string | null
  status: ToolCallStatus
  isShown: boolean
  /** What it printed so far: the end of it, and how much there was. */
  output: string
  printed: number
  shownAt: number
  /** Id of the client's terminal, if the command runs in one. */
  terminal?: string
  /** The task it became: the call continues in the background. */
  task?: string
}

export class ToolTracker {
  readonly #ports: ToolTrackerPorts
  readonly #calls = new Map<string, Call>()
  readonly #tasks = new Map<string, string>()

  constructor(ports: ToolTrackerPorts) {
    this.#ports = ports
  }

  nameOf(id: string): string | undefined {
    return this.#calls.get(id)?.name
  }

  inputOf(id: string): Record<string, unknown> {
    return this.#calls.get(id)?.input ?? {}
  }

  /** The last call of a tool that is not over. */
  latest(name: string | undefined): string | undefined {
    return [...this.#calls.values()].findLast((call) => call.name === name && call.isShown && !isOver(call))?.id
  }

  parentOf(id: string): string | null {
    return this.#calls.get(id)?.parent ?? null
  }

  /** The model calls a tool; what it calls it with may still be unknown. */
  begin(id: string, name: string, parent: string | null, input: Record<string, unknown> = {}): SessionUpdate[] {
    if (this.#calls.has(id)) return []
    const call: Call = {
      id,
      name,
      input,
      parent,
      status: 'pending',
      isShown: false,
      output: '',
      printed: 0,
      shownAt: 0,
    }
    this.#calls.set(id, call)
    return isTodoList(name) ? [] : [this.#announce(call)]
  }

  /** More of the input is known. */
  input(id: string, input: Record<string, unknown>): SessionUpdate[] {
    const call = this.#calls.get(id)
    if (!call) return []
    call.input = input
    return call.isShown ? [this.#update(call, this.#facts(call))] : []
  }

  runs(id: string): SessionUpdate[] {
    const call = this.#calls.get(id)
    if (!call?.isShown || call.status !== 'pending') return []
    call.status = 'in_progress'
    return [this.#update(call, { status: 'in_progress' })]
  }

  printed(id: string, piece: string): SessionUpdate[] {
    const call = this.#calls.get(id)
    if (!call?.isShown || isOver(call)) return []
    const began = this.runs(id)
    if (piece === '') return began
    call.output = (call.output + piece).slice(-MAX_OUTPUT)
    call.printed += piece.length
    const { terminalOutput: key } = this.#ports.client
    if (key) return [...began, this.#update(call, { meta: { [key]: { terminal_id: id, data: piece } } })]
    if (call.terminal !== undefined) return began
    const now = this.#ports.now()
    if (now - call.shownAt < REFRESH_MS) return began
    call.shownAt = now
    return [...began, this.#update(call, { content: [textContent(codeFence(call.output, 'console'))] })]
  }

  /** Notes that the client shows the command in its own terminal. */
  inTerminal(command: string, terminalId: string): SessionUpdate[] {
    const isIt = ({ name, input, isShown }: Call) => isShown && isCommand(name) && input['command'] === command
    const call = [...this.#calls.values()].findLast((one) => isIt(one) && !isOver(one) && one.terminal === undefined)
    if (!call) return []
    call.terminal = terminalId
    return [this.#update(call, { content: [{ type: 'terminal', terminalId }] })]
  }

  takes(id: string, seconds: number): SessionUpdate[] {
    const call = this.#calls.get(id)
    if (!call?.isShown || isOver(call)) return []
    call.status = 'in_progress'
    const elapsed = { toolName: call.name, toolResponse: { elapsedTimeSeconds: seconds } }
    const meta = { claudeCode: { ...claudeCode(call), ...elapsed }, kedge: { ...own(call), elapsedSeconds: seconds } }
    return [{ ...this.#update(call, { status: 'in_progress' }), _meta: meta }]
  }

  result(block: ToolResultBlockParam, output: unknown): SessionUpdate[] {
    const call = this.#calls.get(block.tool_use_id)
    if (!call) return []
    const failed = block.is_error === true
    if (isTodoList(call.name) && !failed) {
      call.status = 'completed'
      return []
    }
    const before = call.isShown ? [] : [this.#announce(call)]
    const task = failed ? undefined : taskOf(output)
    if (task !== undefined) return [...before, ...this.#goesOn(call, task)]
    call.status = failed ? 'failed' : 'completed'
    return [...before, this.#ended(call, block, output)]
  }

  /** Reports a call that didn't run, without a question to the user. */
  denied(id: string, reason: string): SessionUpdate[] {
    const call = this.#calls.get(id)
    if (!call || isOver(call)) return []
    call.status = 'failed'
    const before = call.isShown ? [] : [this.#announce(call)]
    return [...before, this.#update(call, { status: 'failed', content: [textContent(reason)], rawOutput: reason })]
  }

  /**
   * Takes the end of what a command in the background printed, from its file: pieces of output are not kept for clients that were
   * slow or joined later.
   */
  lastOutput(task: string, end: string): SessionUpdate[] {
    const call = this.#calls.get(this.#tasks.get(task) ?? '')
    if (call?.name !== 'Bash' || call.terminal !== undefined) return []
    const known = call.output.slice(-KNOWN_CHARACTERS)
    const at = known === '' ? -1 : end.lastIndexOf(known)
    const missing = at === -1 ? end : end.slice(at + known.length)
    const { terminalOutput: key } = this.#ports.client
    call.output = end.slice(-MAX_OUTPUT)
    if (!key || missing === '') return []
    return [this.#update(call, { meta: { [key]: { terminal_id: call.id, data: missing } } })]
  }

  taskEnded(message: SDKTaskNotificationMessage): SessionUpdate[] {
    const { task_id: id, status, summary, output_file: outputFile } = message
    const call = this.#calls.get(this.#tasks.get(id) ?? message.tool_use_id ?? '')
    if (call?.task !== id) return []
    this.#tasks.delete(id)
    delete call.task
    call.status = status === 'completed' ? 'completed' : 'failed'
    const task = { id, status, summary, ...(outputFile ? { outputFile } : {}) }
    const shown =
      this.#ports.client.terminalOutput && isCommand(call.name) ? exit(call, status === 'completed' ? 0 : 1) : {}
    const fields = { status: call.status, content: this.#after(call, [textContent(summary)]), rawOutput: summary }
    return [this.#update(call, { ...fields, meta: { ...shown, kedge: { ...own(call), task } } })]
  }

  /** Background work of this session that is not over. */
  get background(): string[] {
    return [...this.#tasks.keys()]
  }

  callOf(task: string): string | undefined {
    return this.#tasks.get(task)
  }

  /** The turn is over: what has not run by now never will. */
  endTurn(reason: string): { parent: string | null; update: SessionUpdate }[] {
    const over = [...this.#calls.values()].filter((call) => !this.#isInBackground(call))
    // Only background calls can still change.
    for (const { id } of over) this.#calls.delete(id)
    return over
      .filter((call) => call.isShown && !isOver(call))
      .map((call) => ({
        parent: call.parent,
        update: this.#update(call, { status: 'failed', content: [textContent(reason)] }),
      }))
  }

  /** Whether the call, or the agent that makes it, is in the background. */
  #isInBackground({ task, parent }: Call): boolean {
    if (task !== undefined) return true
    const starter = parent === null ? undefined : this.#calls.get(parent)
    return starter !== undefined && this.#isInBackground(starter)
  }

  /** Reports something about the call that has no field in the protocol. */
  note(id: string, kedge: Record<string, unknown>): SessionUpdate[] {
    const call = this.#calls.get(id)
    return call?.isShown ? [this.#update(call, { meta: { kedge: { ...own(call), ...kedge } } })] : []
  }

  #announce(call: Call): SessionUpdate {
    call.isShown = true
    const { id: toolCallId, name, status } = call
    const isTerminal = isCommand(name) && this.#ports.client.terminalOutput !== undefined
    const terminal = isTerminal ? { terminal_info: { terminal_id: toolCallId, cwd: this.#ports.cwd } } : {}
    const content: ToolCallContent[] = isTerminal ? [{ type: 'terminal', terminalId: toolCallId }] : []
    return {
      sessionUpdate: 'tool_call',
      toolCallId,
      name,
      status,
      content,
      ...this.#facts(call),
      _meta: { ...meta(call), ...terminal },
    }
  }

  #facts(call: Call) {
    const { name, input } = call
    const content = plannedContent(name, input, this.#ports.cwd)
    return {
      ...shownToolFacts(name, input, this.#ports.cwd),
      rawInput: input,
      ...(content.length > 0 && !(isCommand(name) && this.#ports.client.terminalOutput) ? { content } : {}),
    }
  }

  #goesOn(call: Call, task: string): SessionUpdate[] {
    call.task = task
    call.status = 'in_progress'
    this.#tasks.set(task, call.id)
    const content = this.#after(call, [textContent(`It goes on in the background (task ${task}).`)])
    const fields = { status: 'in_progress' as const, content }
    return [this.#update(call, { ...fields, meta: { kedge: { ...own(call), task: { id: task, status: 'running' } } } })]
  }

  #ended(call: Call, block: ToolResultBlockParam, output: unknown): SessionUpdate {
    const { client, cwd } = this.#ports
    const failed = call.status === 'failed'
    // A transcript has no details: the change is what was planned.
    const planned = output === undefined ? plannedContent(call.name, call.input, cwd).filter(isDiff) : []
    const change = failed
      ? undefined
      : [changeContent(call.name, output, cwd), planned].find((content) => content.length > 0)
    const said = resultContent(block, isCommand(call.name) ? 'console' : undefined)
    const raw = output === undefined ? contentOfResult(block) : output
    const fields = { status: call.status, rawOutput: raw }
    const response = { claudeCode: { ...claudeCode(call), toolResponse: raw } }
    if (isCommand(call.name) && client.terminalOutput) {
      const rest = restOf(
        call,
        isObject(output) && typeof output['stdout'] === 'string' ? output['stdout'] : contentOfResult(block),
      )
      const shown = rest === '' ? {} : { [client.terminalOutput]: { terminal_id: call.id, data: rest } }
      const content: ToolCallContent[] = [{ type: 'terminal', terminalId: call.id }]
      return this.#update(call, { ...fields, content, meta: { ...response, ...shown, ...exit(call, exitCode(block)) } })
    }
    // It stays where its user has watched it.
    if (call.terminal !== undefined)
      return this.#update(call, {
        ...fields,
        content: [{ type: 'terminal', terminalId: call.terminal }],
        meta: response,
      })
    return this.#update(call, { ...fields, content: change ?? said, meta: response })
  }

  /** What is said of a command comes after what it prints. */
  #after(call: Call, content: ToolCallContent[]): ToolCallContent[] {
    if (!isCommand(call.name)) return content
    if (call.terminal !== undefined) return [{ type: 'terminal', terminalId: call.terminal }, ...content]
    if (this.#ports.client.terminalOutput) return [{ type: 'terminal', terminalId: call.id }, ...content]
    return call.output === '' ? content : [textContent(codeFence(call.output, 'console')), ...content]
  }

  #update(call: Call, { meta: more = {}, ...fields }: Fields): SessionUpdate {
    return { sessionUpdate: 'tool_call_update', toolCallId: call.id, ...fields, _meta: { ...meta(call), ...more } }
  }
}

type Fields = {
  status?: ToolCallStatus
  content?: ToolCallContent[]
  rawOutput?: unknown
  meta?: Record<string, unknown>
  [key: string]: unknown
}

function isDiff({ type }: ToolCallContent): boolean {
  return type === 'diff'
}

function isOver({ status }: Call): boolean {
  return status === 'completed' || status === 'failed'
}

/** Under the names that clients of other adapters know, and under ours. */
function meta(call: Call) {
  return { claudeCode: claudeCode(call), ...(call.parent === null ? {} : { kedge: own(call) }) }
}

function claudeCode({ name, parent }: Call) {
  return { toolName: name, ...(parent === null ? {} : { parentToolUseId: parent }) }
}

function own({ parent }: Call) {
  return parent === null ? {} : { parentToolUseId: parent }
}

/** The result shows that the work continues without the call. */
function taskOf(output: unknown): string | undefined {
  if (!isObject(output)) return undefined
  const { backgroundTaskId, status, agentId } = output
  if (typeof backgroundTaskId === 'string') return backgroundTaskId
  return status === 'async_launched' && typeof agentId === 'string' ? agentId : undefined
}

function restOf({ printed }: Call, whole: string): string {
  return printed < whole.length ? whole.slice(printed) : ''
}

function exit({ id }: Call, code: number) {
  return { terminal_exit: { terminal_id: id, exit_code: code, signal: null } }
}

function exitCode(block: ToolResultBlockParam): number {
  if (block.is_error !== true) return 0
  const [, code] = /^Exit code (\d+)/.exec(contentOfResult(block)) ?? []
  return code === undefined ? 1 : Number(code)
}

/** Calls that are shown as the plan they make. */
function isTodoList(name: string): boolean {
  return displayOf(name).shownAs === 'todo-list'
}

function isCommand(name: string): boolean {
  return displayOf(name).body === 'command'
}
