/** Finds background tasks of a loaded conversation that ended with their process, before the model read of it. */
import type { ContentBlockParam, MessageParam, ToolResultBlockParam, ToolUseBlockParam } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'

export type LostTask = {
  id: string
  type: 'local_bash' | 'local_agent'
  /** The call that started it, where the conversation still has it. */
  toolUseId?: string
  description: string
  command?: string
}

/** Stands before tasks that a compaction or an agent's result names; one line each. */
export const RUNNING_TASKS_HEADING = 'Still running in the background, by task ID:'

const REMINDED = `<system-reminder>\n${RUNNING_TASKS_HEADING}`
const LISTED = /^- (\w+): (?:command `(.*)`|(.*)); output: /gm
const STARTED_COMMAND = /^Command running in background with ID: (\w+)\./
const STARTED_AGENT = /^The agent works in the background\..*\nagentId: (\w+)/
const NOTIFIED = /^<task-notification>\n<task-id>(\w+)<\/task-id>/
const STATUS = /<status>(\w+)<\/status>/
const SUMMARY = /<summary>(.*)<\/summary>/
const STOPPED = /^Successfully stopped task: (\w+)/

/** The end of a task, as the model reads of it. */
export type TaskEndSeenByModel = { id: string; status: string; summary: string }

type Call = Pick<ToolUseBlockParam, 'id' | 'name' | 'input'>
type Result = Pick<ToolResultBlockParam, 'content'>

/** A task that the model saw end isn't lost. */
export function findLostTasks(messages: readonly MessageParam[]): LostTask[] {
  const calls = new Map<string, ToolUseBlockParam>()
  const tasks = new Map<string, LostTask>()
  for (const block of messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))) {
    if (block.type === 'tool_use') calls.set(block.id, block)
    if (block.type === 'text') {
      tasks.delete(taskEndInNotice(block.text)?.id ?? '')
      if (block.text.startsWith(REMINDED)) noteListed(tasks, block.text)
    }
    const call = block.type === 'tool_result' && block.is_error !== true ? calls.get(block.tool_use_id) : undefined
    if (!call || block.type !== 'tool_result') continue
    const started = taskStartedBy(call, block)
    if (started) tasks.set(started.id, started)
    if (isAgentCall(call))
      for (const more of textsOf(block).slice(1)) if (more.startsWith(RUNNING_TASKS_HEADING)) noteListed(tasks, more)
    tasks.delete(taskEndInResult(call, block)?.id ?? '')
  }
  return [...tasks.values()]
}

/** Texts of tools are recognized only in results of the tool that writes them. */
export function taskStartedBy(call: Call, result: Result): LostTask | undefined {
  const [text = ''] = textsOf(result)
  const toolUseId = call.id
  if (call.name === 'Bash') {
    const id = STARTED_COMMAND.exec(text)?.[1]
    const command = wordOf(call, 'command')
    const description = wordOf(call, 'description') || command
    return id === undefined ? undefined : { id, type: 'local_bash', toolUseId, description, command }
  }
  const id = isAgentCall(call) ? STARTED_AGENT.exec(text)?.[1] : undefined
  return id === undefined ? undefined : { id, type: 'local_agent', toolUseId, description: wordOf(call, 'description') }
}

/** What the model saw of the end of a task that it asked about, or stopped. */
export function taskEndInResult(call: Call, result: Result): TaskEndSeenByModel | undefined {
  const [text = ''] = textsOf(result)
  if (call.name === 'TaskOutput') {
    // What the task printed comes last, and can look like a status.
    const status = STATUS.exec(text.split('<output>', 1)[0] ?? '')?.[1] ?? 'running'
    return status === 'running' ? undefined : { id: wordOf(call, 'task_id'), status, summary: '' }
  }
  const id = call.name === 'TaskStop' ? STOPPED.exec(text)?.[1] : undefined
  return id === undefined ? undefined : { id, status: 'stopped', summary: '' }
}

/** Reads a notice that tells the model of the end of a task. */
export function taskEndInNotice(text: string): TaskEndSeenByModel | undefined {
  const id = NOTIFIED.exec(text)?.[1]
  if (id === undefined) return undefined
  const summary = (SUMMARY.exec(text)?.[1] ?? '').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  return { id, status: STATUS.exec(text)?.[1] ?? 'stopped', summary }
}

function isAgentCall({ name }: Call): boolean {
  return name === 'Task' || name === 'Agent'
}

function wordOf({ input }: Call, key: string): string {
  const word = isObject(input) ? input[key] : undefined
  return typeof word === 'string' ? word : ''
}

function noteListed(tasks: Map<string, LostTask>, text: string): void {
  for (const [, id = '', command, what = ''] of text.matchAll(LISTED)) {
    if (tasks.has(id)) continue
    const isCommand = command !== undefined
    tasks.set(
      id,
      isCommand
        ? { id, type: 'local_bash', description: command, command }
        : { id, type: 'local_agent', description: what },
    )
  }
}

function textsOf({ content }: Result): string[] {
  if (typeof content === 'string') return [content]
  return (content ?? []).flatMap((block: ContentBlockParam) => (block.type === 'text' ? block.text : []))
}
