/** What model and host are told when a task is over. */
import type { BackgroundTask } from '../engine/background-port.js'
import type { LostTask } from './lost-tasks.js'

/** Maximum characters of a command line that the model itself wrote. */
const MAX_COMMAND = 200

/** One line for people. */
export function taskEndSummary(task: BackgroundTask): string {
  return `${nameOf(task)} ${endOf(task)}`
}

function nameOf({ type, description }: Pick<BackgroundTask, 'type' | 'description'>): string {
  const what = type === 'local_bash' ? 'Background command' : type === 'mcp_task' ? 'MCP task' : 'Agent'
  return `${what} "${description}"`
}

function endOf({ status, exitCode, reason }: BackgroundTask): string {
  const why = reason ?? (exitCode === null ? undefined : `exit code ${exitCode}`)
  const verb = status === 'failed' ? 'failed' : status === 'stopped' ? 'was stopped' : 'completed'
  if (why === undefined) return verb
  return status === 'failed' ? `failed with ${why}` : `${verb} (${why})`
}

/** The user text of the turn that follows. The tags are the protocol's. */
export function createTaskEndPromptText(task: BackgroundTask): string {
  if (task.type !== 'local_bash') return noticeOfAgent(task)
  return [
    '<task-notification>',
    tag('task-id', task.id),
    tag('tool-use-id', task.toolUseId),
    tag('output-file', task.outputFile),
    tag('status', task.status),
    tag('summary', taskEndSummary(task)),
    '</task-notification>',
    `Read the output file to see what it printed: ${task.outputFile}`,
  ].join('\n')
}

/** It says what it has to say itself; the model need not look for it. */
function noticeOfAgent(task: BackgroundTask): string {
  const { answer, usage } = task
  const counts = usage && Object.entries(usage).map(([name, value]) => tag(name, String(value)))
  return [
    '<task-notification>',
    tag('task-id', task.id),
    tag('tool-use-id', task.toolUseId),
    tag('status', task.status),
    tag('summary', taskEndSummary(task)),
    ...(answer === undefined ? [] : [tag('result', answer)]),
    ...(counts ? [`<usage>${counts.join('')}</usage>`] : []),
    '</task-notification>',
    `What it answered is also in ${task.outputFile}`,
  ].join('\n')
}

/** Tells that a task of an earlier process doesn't run here. `outputFile`: undefined if it isn't there. */
export function createLostTaskNotice(
  task: LostTask,
  { outputFile, isCopy }: { outputFile: string | undefined; isCopy: boolean },
) {
  const { id, toolUseId, command } = task
  const end = isCopy
    ? 'belongs to the session that this one was copied from'
    : 'was stopped when the session ended, unless it had ended before'
  return [
    '<task-notification>',
    tag('task-id', id),
    ...(toolUseId === undefined ? [] : [tag('tool-use-id', toolUseId)]),
    ...(outputFile === undefined ? [] : [tag('output-file', outputFile)]),
    ...(isCopy ? [] : [tag('status', 'stopped')]),
    tag('summary', `${nameOf(task)} ${end}`),
    ...(command === undefined ? [] : [tag('command', command.slice(0, MAX_COMMAND))]),
    '</task-notification>',
    `It doesn't run here.${outputFile === undefined ? '' : ` Read the output file to see its output: ${outputFile}`}`,
  ].join('\n')
}

/** The text is a command's own words: it must not be able to end the tag it stands in. */
function tag(name: string, text: string): string {
  return `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`
}
