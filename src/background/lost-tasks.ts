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
export const STILL_RUNNING = 'Still running in the background, by task ID:'

const REMINDED = `<system-reminder>\n${STILL_RUNNING}`
const LISTED = /^- (\w+): (?:command `(.*)`|(.*)); output: /gm
const STARTED_COMMAND = /^Command running in background with ID: (\w+)\./
const STARTED_AGENT = /^The agent works in the background\..*\nagentId: (\w+)/
const NOTIFIED = /^<task-notification>\n<task-id>(\w+)<\/task-id>/
const ENDED = /<status>(?!running)\w+<\/status>/
const STOPPED = /^Successfully stopped task: (\w+)/

/** Texts of tools are recognized only in results of the tool that writes them. A task that the model saw end isn't lost. */
export function lostTasks(messages: readonly MessageParam[]): LostTask[] {
  const calls = new Map<string, ToolUseBlockParam>()
  const tasks = new Map<string, LostTask>()
  for (const block of messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))) {
    if (block.type === 'tool_use') calls.set(block.id, block)
    if (block.type === 'text') {
      tasks.delete(NOTIFIED.exec(block.text)?.[1] ?? '')
      if (block.text.startsWith(REMINDED)) noteListed(tasks, block.text)
    }
    const call = block.type === 'tool_result' && block.is_error !== true ? calls.get(block.tool_use_id) : undefined
    if (call && block.type === 'tool_result') noteResult(tasks, call, block)
  }
  return [...tasks.values()]
}

function noteResult(tasks: Map<string, LostTask>, call: ToolUseBlockParam, result: ToolResultBlockParam): void {
  const input = isObject(call.input) ? call.input : {}
  const word = (key: string): string => (typeof input[key] === 'string' ? input[key] : '')
  const [text = '', ...rest] = textsOf(result)
  if (call.name === 'Bash') {
    const id = STARTED_COMMAND.exec(text)?.[1]
    const command = word('command')
    const description = word('description') || command
    if (id !== undefined) tasks.set(id, { id, type: 'local_bash', toolUseId: call.id, description, command })
  }
  if (call.name === 'Task' || call.name === 'Agent') {
    const id = STARTED_AGENT.exec(text)?.[1]
    if (id !== undefined)
      tasks.set(id, { id, type: 'local_agent', toolUseId: call.id, description: word('description') })
    for (const more of rest) if (more.startsWith(STILL_RUNNING)) noteListed(tasks, more)
  }
  // What the task printed comes last, and can look like a status.
  if (call.name === 'TaskOutput' && ENDED.test(text.split('<output>', 1)[0] ?? '')) tasks.delete(word('task_id'))
  if (call.name === 'TaskStop') tasks.delete(STOPPED.exec(text)?.[1] ?? '')
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

function textsOf({ content }: ToolResultBlockParam): string[] {
  if (typeof content === 'string') return [content]
  return (content ?? []).flatMap((block: ContentBlockParam) => (block.type === 'text' ? block.text : []))
}
