/** Tasks and sub-agents, and what MCP servers and hooks did beside the conversation. */
import type { TaskEndSeenByModel } from '../background/lost-tasks.js'
import type { SDKMessage } from '../protocol/messages.js'
import { NOTICE_TEXTS } from '../protocol/shown/vocabulary.js'
import { endSubagentCalls, endTaskCall } from './view-calls.js'
import type { BackgroundTaskOfCall, ViewActivity, ViewTask } from './view-items.js'
import type { ViewStep } from './view-state.js'
import { endSpeakerItems } from './view-streamed-items.js'

type SystemMessage = Extract<SDKMessage, { type: 'system' }>

const KEPT_ACTIVITY = 200

export function taskToView(step: ViewStep, message: SystemMessage): void {
  const { view } = step
  const { taskCalls } = view.open
  const change = (id: string, fields: Partial<ViewTask>) => {
    view.tasks = view.tasks.map((task) => (task.id === id ? { ...task, ...fields } : task))
  }
  switch (message.subtype) {
    case 'task_started': {
      const { task_id: id, tool_use_id: useId, task_type: type = '', description } = message
      addTask(step, { id, type, description, useId })
      if (useId !== undefined) taskCalls.set(id, useId)
      changeCall(step, id, { id, status: 'running' })
      break
    }
    case 'task_progress': {
      const { usage } = message
      change(message.task_id, { tokens: usage.total_tokens, lastTool: message.last_tool_name })
      const call = callOf(step, message.tool_use_id, message.task_id)
      if (!call) return
      call.agentTokens = usage.total_tokens
      call.agentCalls = Math.max(call.agentCalls, usage.tool_uses)
      step.changed(call, 'task')
      break
    }
    case 'task_updated': {
      const { status, description } = message.patch
      change(message.task_id, { ...(status ? { status } : {}), ...(description ? { description } : {}) })
      break
    }
    case 'task_notification': {
      const { task_id: id, status, summary, usage, output_file: outputFile } = message
      // One from before the log began is known from now on.
      if (!view.tasks.some((task) => task.id === id))
        addTask(step, { id, description: summary, useId: message.tool_use_id })
      change(id, { status, summary, ...(usage ? { tokens: usage.total_tokens } : {}) })
      endTask(step, callOf(step, message.tool_use_id, id), {
        id,
        status,
        summary,
        ...(outputFile ? { outputFile } : {}),
      })
      taskCalls.delete(id)
      return
    }
    case 'background_tasks_changed': {
      const listed = new Map(message.tasks.map((task) => [task.task_id, task]))
      view.tasks = view.tasks.map(({ isUnlisted: _, ...task }) =>
        task.status === 'running' && !listed.has(task.id) ? { ...task, isUnlisted: true } : task,
      )
      for (const task of view.tasks) listed.delete(task.id)
      for (const { task_id: id, task_type: type, description } of listed.values())
        addTask(step, { id, type, description, useId: undefined })
      break
    }
    default:
  }
}

type BegunTask = Pick<ViewTask, 'id' | 'description' | 'useId'> & { type?: string }

function addTask({ view, at }: ViewStep, { id, type = '', description, useId }: BegunTask): void {
  const fields = { status: 'running', summary: undefined, tokens: 0, lastTool: undefined, since: at }
  view.tasks = [...view.tasks.filter((task) => task.id !== id), { id, type, description, useId, ...fields }]
}

/** What the model reads of the end of a task; a transcript has only that. */
export function taskEndToView(step: ViewStep, { id, status, summary }: TaskEndSeenByModel): void {
  const { taskCalls } = step.view.open
  const call = callOf(step, undefined, id)
  if (call?.state === 'background') endTask(step, call, { id, status, ...(summary ? { summary } : {}) })
  taskCalls.delete(id)
}

/** Ends the tasks that don't run: they went with their process, and nobody was told. */
export function endLostTasks(step: ViewStep, isRunning: (task: string) => boolean): void {
  for (const call of step.view.open.openCalls.values()) {
    const { id } = call.task ?? {}
    if (call.state !== 'background' || id === undefined || isRunning(id)) continue
    taskEndToView(step, { id, status: 'stopped', summary: NOTICE_TEXTS.stoppedWithSession })
  }
}

function endTask(step: ViewStep, call: ReturnType<typeof callOf>, task: BackgroundTaskOfCall): void {
  if (!call) return
  endTaskCall(step, call, task.status === 'completed')
  if (call.state !== 'background') endSpeakerItems(step, call.useId)
  call.task = task
  step.changed(call, 'task')
  endSubagentCalls(step, call)
}

function callOf({ view: { open } }: ViewStep, useId: string | undefined, task: string) {
  return open.calls.get(useId ?? open.taskCalls.get(task) ?? '')
}

function changeCall(step: ViewStep, id: string, task: BackgroundTaskOfCall): void {
  const call = callOf(step, undefined, id)
  if (!call) return
  call.task = task
  step.changed(call, 'task')
}

export function mcpAndHookActivityToView(
  step: ViewStep,
  message: Extract<SystemMessage, { subtype: 'init' | 'hook_response' }>,
) {
  if (message.subtype === 'hook_response') {
    const { hook_name, hook_event, output, stderr, outcome } = message
    const isError = outcome === 'error'
    return note(step, {
      what: 'hook',
      name: `${hook_event} · ${hook_name}`,
      text: (isError ? stderr : output).trim(),
      isError,
    })
  }
  for (const { name, status } of message.mcp_servers) {
    const before = step.view.activity.findLast((one) => one.what === 'mcp' && one.name === name)
    if (before?.text !== status) note(step, { what: 'mcp', name, text: status, isError: status === 'failed' })
  }
}

function note({ view, at }: ViewStep, activity: Omit<ViewActivity, 'at'>): void {
  if (view.open.keeps === 'open') return
  view.activity = [...view.activity.slice(1 - KEPT_ACTIVITY), { at, ...activity }]
}
