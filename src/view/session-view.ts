/**
 * A session's log as the items that it shows: entries and deltas in, changes out. Every interface draws the same items. Each step
 * touches only what changes, and a copy of the view at any entry is the session at that point. No DOM, no network, no clock.
 */
import { taskEndInNotice, taskEndInResult } from '../background/lost-tasks.js'
import type { ContentBlockParam, ToolResultBlockParam } from '../protocol/content.js'
import type { SDKMessage, SDKUserMessage, SDKUserMessageReplay } from '../protocol/messages.js'
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { LogItem, PromptChange, StateChange } from '../protocol/session-log/entries.js'
import type { Prompt } from '../protocol/session-log/prompt-types.js'
import { NOTICE_TEXTS } from '../protocol/shown/vocabulary.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import { slashCommandOutputIn } from './slash-output.js'
import { userTextIn } from './typed-text.js'
import {
  beginCall,
  callOfToolItem,
  completeCallInput,
  deniedCallToView,
  endOpenCalls,
  toolProgressToView,
  toolResultToView,
} from './view-calls.js'
import {
  compactionEndToView,
  compactionFailureToView,
  compactionStartToView,
  compactionSummaryToView,
} from './view-compaction.js'
import type { RequestEnd, ViewChange } from './view-items.js'
import { noticesOf } from './view-notices.js'
import { type SessionView, ViewStep } from './view-state.js'
import {
  assistantToView,
  dropStreamed,
  endSpeakerItems,
  endStreamedItems,
  streamEventToView,
} from './view-streamed-items.js'
import { endLostTasks, mcpAndHookActivityToView, taskEndToView, taskToView } from './view-tasks.js'
import { isTurnUnderWay, turnEndToView } from './view-turns.js'

/** An entry that was applied before changes nothing. */
export function applyToView(view: SessionView, item: LogItem): readonly ViewChange[] {
  if (item.kind !== 'delta' && item.seq <= view.seq) return []
  const step = new ViewStep(view, item)
  if (item.kind === 'delta') {
    if (item.data.type === 'tool_progress') toolProgressToView(step, item.data)
    else streamEventToView(step, item.data.event, item.data.parent_tool_use_id ?? '')
    return step.changes
  }
  view.seq = item.seq
  switch (item.kind) {
    case 'message':
      messageToView(step, item.data)
      break
    case 'prompt':
      promptToView(step, item.data)
      break
    case 'ask':
      requestToView(step, item.data)
      break
    case 'answered':
      closeRequest(step, item.data.ask, { answer: item.data.answer, by: item.data.by })
      break
    case 'withdrawn':
      closeRequest(step, item.data.ask, { withdrawn: item.data.reason })
      break
    case 'state':
      stateToView(step, item.data)
  }
  return step.changes
}

/** A message without an entry: of a transcript, from before the log began, or as the agent sends it. `key` is its id. */
export function applyMessage(view: SessionView, message: SDKMessage, key: string, at: string): readonly ViewChange[] {
  const step = new ViewStep(view, { seq: view.seq, at }, key)
  messageToView(step, message)
  return step.changes
}

/** A call that is asked about before its message came; one that is known stays as it is. */
export function addCallToView(
  view: SessionView,
  { useId, name, input }: NonNullable<Ask['tool']>,
  at: string,
): readonly ViewChange[] {
  if (view.open.calls.has(useId)) return []
  const step = new ViewStep(view, { seq: view.seq, at })
  completeCallInput(step, beginCall(step, { useId, name, parent: '' }), input, false)
  return step.changes
}

/** Adds what was said before the log began. `earlier`: the number of messages before these. */
export function addTranscriptToView(
  view: SessionView,
  { messages, earlier }: { messages: readonly SessionMessage[]; earlier: number },
): readonly ViewChange[] {
  if (messages.length === 0) return []
  const begin = new ViewStep(view, { seq: 0, at: '' }, 'before')
  if (earlier > 0) begin.notice({ level: 'mark', text: NOTICE_TEXTS.earlierLeftOut(earlier) })
  const changes = [...begin.changes]
  for (const { type, message, parent_tool_use_id, uuid, timestamp: at = '' } of messages) {
    if (type === 'system') continue
    // As the protocol has it: a transcript has the same messages as the stream.
    const said = { type, message, parent_tool_use_id, uuid } as Extract<SDKMessage, { type: 'user' | 'assistant' }>
    const step = new ViewStep(view, { seq: 0, at }, `before-${uuid}`)
    if (said.type === 'user' && parent_tool_use_id === null) storedPromptToView(step, said.message.content, uuid)
    messageToView(step, said)
    for (const change of step.changes) changes.push(change)
  }
  for (const change of endTranscriptItemsInView(view)) changes.push(change)
  const end = new ViewStep(view, { seq: 0, at: '' }, 'before-end')
  end.notice({ level: 'mark', text: NOTICE_TEXTS.beforeLog })
  return [...changes, ...end.changes]
}

/** All of a transcript was applied: what has no end by now never will have one, except for tasks that run. */
export function endTranscriptItemsInView(view: SessionView, running: readonly string[] = []): readonly ViewChange[] {
  const step = new ViewStep(view, { seq: view.seq, at: '' })
  endLostTasks(step, (task) => running.includes(task))
  endStreamedItems(step)
  endOpenCalls(step)
  return step.changes
}

/** Takes away what streams: it comes again, from its beginning, to a reader who connects again. */
export function dropUnfinishedStreams(view: SessionView): readonly ViewChange[] {
  const step = new ViewStep(view, { seq: view.seq, at: '' })
  dropStreamed(step)
  return step.changes
}

function messageToView(step: ViewStep, message: SDKMessage): void {
  switch (message.type) {
    case 'stream_event':
      streamEventToView(step, message.event, message.parent_tool_use_id ?? '')
      break
    case 'tool_progress':
      toolProgressToView(step, message)
      break
    case 'assistant':
      assistantToView(step, message)
      break
    case 'user':
      userToView(step, message)
      break
    case 'result':
      compactionFailureToView(step)
      endStreamedItems(step)
      endOpenCalls(step)
      turnEndToView(step, message)
      break
    case 'system':
      systemToView(step, message)
      break
    default:
      noticesToView(step, message)
      break
  }
}

function systemToView(step: ViewStep, message: Extract<SDKMessage, { type: 'system' }>): void {
  switch (message.subtype) {
    case 'init':
      step.facts({ commands: message.slash_commands })
      mcpAndHookActivityToView(step, message)
      serversToView(step, message)
      break
    case 'hook_response':
      mcpAndHookActivityToView(step, message)
      noticesToView(step, message)
      break
    case 'status':
      if (message.status === 'compacting') compactionStartToView(step)
      break
    case 'compact_boundary':
      compactionEndToView(step, message)
      break
    case 'permission_denied':
      deniedCallToView(step, message.tool_use_id, message.decision_reason ?? message.content)
      noticesToView(step, message)
      break
    default:
      taskToView(step, message)
      noticesToView(step, message)
  }
}

function noticesToView(step: ViewStep, message: SDKMessage): void {
  const isReset = message.type === 'conversation_reset'
  if (isReset) step.facts({ contextUsed: 0 })
  const isDenial = message.type === 'system' && message.subtype === 'permission_denied'
  for (const { retryMs, ...notice } of noticesOf(message)) {
    const level = isReset ? 'mark' : notice.level
    if (retryMs === undefined) step.notice({ ...notice, level, ...(isDenial ? { about: 'denial' } : {}) })
    else step.facts({ retry: step.notice({ ...notice, about: 'retry', until: step.time + retryMs }) })
  }
}

/** Every turn reports all servers again. A status is said once. */
function serversToView(step: ViewStep, message: Extract<SDKMessage, { subtype: 'init' }>): void {
  const { servers } = step.view.open
  const changed = message.mcp_servers.filter(({ name, status }) => servers.get(name) !== status)
  for (const { name, status } of changed) servers.set(name, status)
  for (const notice of noticesOf({ ...message, mcp_servers: changed })) step.notice({ ...notice, about: 'servers' })
}

function userToView(step: ViewStep, message: SDKUserMessage | SDKUserMessageReplay): void {
  const { content } = message.message
  const blocks: readonly ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const agent = step.view.open.calls.get(message.parent_tool_use_id ?? '')
  for (const block of blocks) {
    if (block.type === 'tool_result') callResultToView(step, block, message.tool_use_result)
    if (block.type !== 'text') continue
    const ended = taskEndInNotice(block.text)
    if (ended) taskEndToView(step, ended)
    // A sub-agent's prompt is shown with the call that started it.
    if (agent && agent.input['prompt'] !== block.text)
      step.notice({ level: 'info', text: block.text, about: 'sub-agent', parent: agent.useId })
    if (message.parent_tool_use_id !== null || compactionSummaryToView(step, block.text)) continue
    // Prompts of users are entries of their own; other text of the program is for the model.
    const printed = slashCommandOutputIn(block.text)
    if (printed) commandOutputToView(step, printed)
  }
}

function callResultToView(
  step: ViewStep,
  block: ToolResultBlockParam,
  detail: SDKUserMessage['tool_use_result'],
): void {
  const call = step.view.open.calls.get(block.tool_use_id)
  toolResultToView(step, block, detail)
  if (!call || call.state === 'background') return
  endSpeakerItems(step, call.useId)
  // A transcript has no messages about tasks.
  const ended =
    detail === undefined && block.is_error !== true ? taskEndInResult(callOfToolItem(call), block) : undefined
  if (ended) taskEndToView(step, ended)
}

function commandOutputToView(step: ViewStep, text: string): void {
  const { seq, at } = step
  const key = step.newKey()
  step.add({ kind: 'text', key, parent: '', seq, at, message: '', text, isLive: false, isCommandOutput: true })
}

function requestToView(step: ViewStep, ask: Ask): void {
  const { view, seq, at } = step
  const { open } = view
  const item = step.add({ kind: 'request', key: `request-${ask.id}`, parent: '', seq, at, ask, closed: undefined })
  open.requests.set(ask.id, item)
  if (holdsTurn(ask) && !view.openRequests.some(holdsTurn)) open.waitsSince = step.time
  view.openRequests = [...view.openRequests, ask]
  const call = open.openCalls.get(ask.tool?.useId ?? '')
  if (!call) return
  call.state = 'waiting'
  step.changed(call)
}

/** A turn waits for it, unlike for a sign-in to a server. */
const holdsTurn = ({ kind }: Ask) => kind !== 'sign-in'

function closeRequest(step: ViewStep, id: string, closed: RequestEnd): void {
  const { view } = step
  const { open } = view
  const waiting = view.openRequests.filter(holdsTurn)
  const isLast = waiting.length === 1 && waiting[0]?.id === id
  if (isLast) open.waitedMs += step.time - open.waitsSince
  if (view.openRequests.some((ask) => ask.id === id))
    view.openRequests = view.openRequests.filter((ask) => ask.id !== id)
  const item = open.requests.get(id)
  if (!item) return
  item.closed = closed
  open.requests.delete(id)
  step.changed(item)
  const call = open.openCalls.get(item.ask.tool?.useId ?? '')
  if (call?.state !== 'waiting') return
  call.state = 'called'
  call.startedAt = step.time
  step.changed(call)
}

function promptToView(step: ViewStep, change: PromptChange): void {
  const { view, seq, at } = step
  const { open } = view
  if (change.change === 'queued') {
    open.prompts.set(change.prompt.id, change.prompt)
    view.waitingPrompts = [...view.waitingPrompts, change.prompt]
    return
  }
  if (change.change === 'reordered') {
    const place = ({ id }: Prompt) => (change.order.includes(id) ? change.order.indexOf(id) : change.order.length)
    view.waitingPrompts = [...view.waitingPrompts].sort((a, b) => place(a) - place(b))
    return
  }
  const { id } = change
  view.waitingPrompts = view.waitingPrompts.filter((prompt) => prompt.id !== id)
  const prompt = open.prompts.get(id)
  open.prompts.delete(id)
  const started = open.startedPrompts.get(id)
  switch (change.change) {
    case 'started': {
      step.facts({ hasFailed: false })
      open.hasSpoken = false
      if (!prompt) return
      const { content, by } = prompt
      const fields = { id, content, by, message: change.message, end: undefined }
      open.startedPrompts.set(id, step.add({ kind: 'prompt', key: `prompt-${id}`, parent: '', seq, at, ...fields }))
      return
    }
    case 'interrupted':
      // The agent ended before it took the prompt. The user's words stay in sight.
      if (!started && prompt) {
        const { content, by } = prompt
        const fields = { id, content, by, message: undefined, end: change.change }
        step.add({ kind: 'prompt', key: `prompt-${id}`, parent: '', seq, at, ...fields })
      }
      step.notice({ level: 'warning', text: NOTICE_TEXTS.promptInterrupted, detail: change.reason })
      break
    case 'removed':
      return
  }
  if (!started) return
  open.startedPrompts.delete(id)
  started.end = change.change
  step.changed(started)
}

function storedPromptToView(step: ViewStep, content: string | readonly ContentBlockParam[], message: string): void {
  // Lines with results, and those that a program wrote for the model, are no prompts.
  if (typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')) return
  if (typeof content === 'string' && taskEndInNotice(content)) return
  if (userTextIn(content).trim() === '') return
  const { seq, at } = step
  const fields = { id: message, content, by: undefined, message, end: 'done' as const }
  step.add({ kind: 'prompt', key: `prompt-${message}`, parent: '', seq, at, ...fields })
}

function stateToView(step: ViewStep, { title, error, by: _, rewound, ...change }: StateChange): void {
  if (rewound) rewindView(step, rewound.message)
  const wasUnderWay = isTurnUnderWay(step.view.facts)
  step.facts({
    ...change,
    ...(title === undefined ? {} : { title: title ?? undefined }),
    ...(error === undefined ? {} : { error: error ?? undefined }),
  })
  const isUnderWay = isTurnUnderWay(step.view.facts)
  if (isUnderWay && !wasUnderWay) step.facts({ turnTokens: 0 })
  if (wasUnderWay && !isUnderWay) step.facts({ retry: undefined })
  if (error) step.notice({ level: 'error', text: error, about: 'session' })
}

/** What came after the message stays in the log, and is no part of the conversation any more. */
function rewindView(step: ViewStep, message: string): void {
  const { items } = step.view
  const from = items.findLastIndex((item) => item.kind === 'prompt' && item.message === message)
  if (from >= 0) for (const item of items.splice(from)) step.changes.push({ item, what: 'removed' })
  step.notice({ level: 'mark', text: NOTICE_TEXTS.rewound })
}
