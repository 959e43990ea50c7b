/** Texts about the work's state that a summary might have lost. The model reads them again after a compaction. */
import { RUNNING_TASKS_HEADING } from '../../background/lost-tasks.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { MessageParam } from '../../protocol/content.js'
import type { Conversation } from '../conversation.js'

const MAX_FILES = 50
const MAX_COMMAND = 200

/** `unread` lists files whose content isn't repeated. */
export async function stateTextsAfterCompaction(
  conversation: Conversation,
  unread: readonly string[],
): Promise<string[]> {
  const { tools, shared, turn } = conversation
  const { cwd } = shared.settings
  return [
    ...todoText(tools.todos),
    ...describeBackgroundTasks(listRunningBackgroundTasks(conversation)),
    ...(tools.shellCwd === cwd ? [] : [`The shell is in ${tools.shellCwd}. The session's folder is ${cwd}.`]),
    ...fileText(unread),
    // A prompt contains it anyway.
    ...(turn.inLoop ? await planText(conversation) : []),
  ]
}

/** Tasks that this conversation started and that still run. */
export function listRunningBackgroundTasks({ history, context, shared }: Conversation): BackgroundTask[] {
  const calls = callIds(history.messages)
  return shared.background.table
    .running()
    .filter(({ toolUseId }) => calls.has(toolUseId) || context.started?.has(toolUseId))
}

function callIds(messages: readonly MessageParam[]): Set<string> {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? block.id : [])))
}

function todoText(todos: Conversation['tools']['todos']): string[] {
  if (todos.length === 0) return []
  return [['Your todo list:', ...todos.map(({ status, content }) => `- [${status}] ${content}`)].join('\n')]
}

export function describeBackgroundTasks(tasks: readonly BackgroundTask[]): string[] {
  if (tasks.length === 0) return []
  const lines = tasks.map(({ id, type, description, command, outputFile }) => {
    const what = type === 'local_bash' ? `command \`${(command ?? description).slice(0, MAX_COMMAND)}\`` : description
    return `- ${id}: ${what}; output: ${outputFile}`
  })
  return [[RUNNING_TASKS_HEADING, ...lines].join('\n')]
}

function fileText(unread: readonly string[]): string[] {
  if (unread.length === 0) return []
  const shown = unread.slice(-MAX_FILES)
  const more = unread.length - shown.length
  const list = [...shown.map((path) => `- ${path}`), ...(more > 0 ? [`- and ${more} more`] : [])]
  return [['You have read these files too. Read them again before you edit them:', ...list].join('\n')]
}

async function planText({ shared: { plan } }: Conversation): Promise<string[]> {
  const reminders = plan.reminders()
  if (reminders.length > 0) return reminders
  return (await plan.readPlan()) === undefined ? [] : [`The plan for this work is in ${plan.planFile()}.`]
}
