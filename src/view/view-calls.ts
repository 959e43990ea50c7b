/** Tool calls as items, from the first character of their input to the end of the task they started. */

import { taskStartedBy } from '../background/lost-tasks.js'
import type { ToolResultBlockParam } from '../protocol/content.js'
import { isObject, textOrEmpty } from '../protocol/json.js'
import type { SDKToolProgressMessage, SDKUserMessage } from '../protocol/messages.js'
import type { CallState, ToolItem } from './view-items.js'
import type { OpenItems, ViewStep } from './view-state.js'
import { updateTodosAfterCall } from './view-todos.js'

/** The most characters that are kept of what a command prints: the last ones. */
const KEPT_OUTPUT = 200_000

export function beginCall(
  step: ViewStep,
  { useId, name, parent }: { useId: string; name: string; parent: string },
): ToolItem {
  const { open } = step.view
  const { seq, at } = step
  const item: ToolItem = {
    kind: 'tool',
    key: `call-${useId}`,
    parent,
    seq,
    at,
    useId,
    name,
    input: {},
    partialInput: '',
    state: 'writing',
    output: '',
    printed: 0,
    startedAt: step.time,
    result: undefined,
    children: [],
    agentTokens: 0,
    agentCalls: 0,
  }
  step.add(item)
  open.calls.set(useId, item)
  open.openCalls.set(useId, item)
  return item
}

/** The call is complete: the model has written its input. */
export function completeCallInput(
  step: ViewStep,
  item: ToolItem,
  input: Record<string, unknown>,
  wasKnown: boolean,
): void {
  item.input = input
  item.seq = step.seq
  if (item.state === 'writing') {
    item.state = 'called'
    item.startedAt = step.time
    const agent = step.view.open.calls.get(item.parent)
    if (agent) {
      agent.agentCalls += 1
      if (wasKnown) step.changed(agent, 'task')
    }
  }
  if (wasKnown) step.changed(item, 'input')
}

export function toolProgressToView(step: ViewStep, message: SDKToolProgressMessage): void {
  const item = step.view.open.openCalls.get(message.tool_use_id)
  if (!item) return
  const { output, elapsed_time_seconds: seconds } = message
  const isFirst = item.state === 'called'
  if (isFirst) item.state = 'running'
  if (output === undefined) step.changes.push({ item, what: 'progress', seconds })
  else if (isFirst) step.changed(item)
  if (!output) return
  const all = item.output + output
  // Cutting copies the whole text, so not every piece does it.
  item.output = all.length > KEPT_OUTPUT * 1.25 ? all.slice(-KEPT_OUTPUT) : all
  item.printed += output.length
  step.changes.push({ item, what: 'grew', piece: output })
}

export function toolResultToView(
  step: ViewStep,
  block: ToolResultBlockParam,
  detail: SDKUserMessage['tool_use_result'],
): void {
  const { open } = step.view
  const item = open.calls.get(block.tool_use_id)
  if (!item) return
  const isError = block.is_error === true
  item.result = { content: block.content ?? '', isError, detail, ms: Math.max(0, step.time - item.startedAt) }
  const task = isError
    ? undefined
    : detail === undefined
      ? taskStartedBy(callOfToolItem(item), block)?.id
      : taskOf(detail)
  if (task !== undefined) {
    item.task = { id: task, status: 'running', ...item.task }
    open.taskCalls.set(task, item.useId)
    item.state = 'background'
  } else {
    item.output = ''
    end(step, item, item.state === 'denied' ? 'denied' : isError ? 'failed' : 'done')
  }
  step.changed(item)
  endSubagentCalls(step, item)
  if (!isError) updateTodosAfterCall(step, item)
}

/** The call as the model made it. */
export function callOfToolItem({ useId: id, name, input }: ToolItem) {
  return { id, name, input }
}

/** A tool that runs at the model's API has its result beside the call. */
export function endServerCall(step: ViewStep, block: Readonly<Record<string, unknown>>): void {
  const item = step.view.open.openCalls.get(textOrEmpty(block['tool_use_id']))
  if (!item) return
  const { content } = block
  const isError = isObject(content) && textOrEmpty(content['type']).endsWith('_error')
  item.result = { content: '', isError, detail: content, ms: Math.max(0, step.time - item.startedAt) }
  end(step, item, isError ? 'failed' : 'done')
  step.changed(item)
}

/** A call that a rule or a hook denied. Its result says so, too. */
export function deniedCallToView(step: ViewStep, useId: string, reason: string): void {
  const item = step.view.open.openCalls.get(useId)
  if (!item) return
  item.state = 'denied'
  item.reason = reason
  step.changed(item)
}

/** The turn is over: what has no result by now never will have one. */
export function endOpenCalls(step: ViewStep): void {
  const { open } = step.view
  for (const item of open.openCalls.values()) {
    if (isInBackground(open, item)) continue
    end(step, item, item.state === 'denied' ? 'denied' : 'unfinished')
    step.changed(item)
  }
  if (open.keeps === 'all') return
  for (const item of open.calls.values())
    if (!isInBackground(open, item) && !hasTask(open, item)) open.calls.delete(item.useId)
}

/** Its task is over, with the result of the call long there. */
export function endTaskCall(step: ViewStep, item: ToolItem, isDone: boolean): void {
  if (item.state === 'background') end(step, item, isDone ? 'done' : 'failed')
}

function end({ view: { open } }: ViewStep, item: ToolItem, state: CallState): void {
  item.state = state
  open.openCalls.delete(item.useId)
  if (open.keeps === 'open' && !item.task) open.calls.delete(item.useId)
}

/** Whether the end of its task is yet to come. */
function hasTask(open: OpenItems, { task, useId }: ToolItem): boolean {
  return task !== undefined && open.taskCalls.get(task.id) === useId
}

/** A sub-agent that has ended calls no more tools. */
export function endSubagentCalls(step: ViewStep, { useId, agentCalls, state }: ToolItem): void {
  if (agentCalls === 0 || state === 'background') return
  for (const call of step.view.open.openCalls.values()) {
    if (call.parent !== useId || call.state === 'background') continue
    end(step, call, call.state === 'denied' ? 'denied' : 'unfinished')
    step.changed(call)
    endSubagentCalls(step, call)
  }
}

/** Whether the call, or the sub-agent that makes it, is in the background. */
export function isInBackground(open: OpenItems, { state, parent }: ToolItem): boolean {
  if (state === 'background') return true
  const agent = open.calls.get(parent)
  return agent !== undefined && isInBackground(open, agent)
}

/** The result shows that the work continues without the call. */
function taskOf(detail: unknown): string | undefined {
  if (!isObject(detail)) return undefined
  const { backgroundTaskId, status, agentId } = detail
  if (typeof backgroundTaskId === 'string') return backgroundTaskId
  return status === 'async_launched' && typeof agentId === 'string' ? agentId : undefined
}
