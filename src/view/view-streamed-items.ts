/** What the model writes, as items: blocks that stream, then the same blocks as entries. Each word is shown once, however often it comes. */
import type { ContentBlock, RawStreamEvent } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'
import type { SDKAssistantMessage } from '../protocol/messages.js'
import { userFailureText } from '../protocol/shown/fix-words.js'
import { NOTICE_TEXTS } from '../protocol/shown/vocabulary.js'
import { beginCall, completeCallInput, endServerCall, isInBackground } from './view-calls.js'
import type { NoticeItem, TextItem } from './view-items.js'
import type { SpeakerStreamState, StreamedBlock, ViewStep } from './view-state.js'

export function streamEventToView(step: ViewStep, event: RawStreamEvent, parent: string): void {
  const speaker = speakerOf(step, parent)
  if (parent === '') modelResponds(step)
  switch (event.type) {
    case 'message_start':
      beginMessage(step, speaker, event.message.id)
      break
    case 'content_block_start':
      beginBlock(step, speaker, { index: event.index, block: event.content_block, parent })
      break
    case 'content_block_delta': {
      const streamed = speaker.streamed.get(event.index)
      if (streamed && !streamed.isComplete) growBlock(step, streamed, pieceOf(streamed, event.delta))
      return
    }
    case 'message_delta':
      if (parent === '') countTokens(step, speaker, event.usage.output_tokens ?? 0)
      break
    case 'content_block_stop': {
      const streamed = speaker.streamed.get(event.index)
      if (streamed && !streamed.isComplete) step.changed(streamed.item, 'written')
    }
  }
}

export function assistantToView(
  step: ViewStep,
  { message, parent_tool_use_id, uuid, error }: SDKAssistantMessage,
): void {
  const parent = parent_tool_use_id ?? ''
  const { usage, content, id = uuid } = message
  if (parent === '') modelResponds(step)
  if (parent === '' && usage) {
    const read = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
    if (read > 0) step.facts({ contextUsed: read + usage.output_tokens })
  }
  const speaker = speakerOf(step, parent)
  // A stream without its beginning is of this message.
  if (speaker.message === '') nameMessage(speaker, id)
  else if (speaker.message !== id) beginMessage(step, speaker, id)
  for (const block of content) {
    completeBlock(step, speaker, block, parent, error !== undefined)
    speaker.blocks += 1
  }
}

function modelResponds(step: ViewStep): void {
  if (step.view.facts.retry) step.facts({ retry: undefined })
}

/** `tokens` are those of the whole message so far. */
function countTokens(step: ViewStep, speaker: SpeakerStreamState, tokens: number): void {
  const more = Math.max(0, tokens - speaker.tokens)
  speaker.tokens += more
  if (more > 0) step.facts({ turnTokens: step.view.facts.turnTokens + more })
}

/** Ends what streams in the turn that is over. A sub-agent in the background continues. */
export function endStreamedItems(step: ViewStep): void {
  const { speakers, calls } = step.view.open
  for (const parent of speakers.keys()) {
    const call = calls.get(parent)
    if (!call || !isInBackground(step.view.open, call)) endSpeakerItems(step, parent)
  }
}

/** It has nothing more to say. */
export function endSpeakerItems(step: ViewStep, parent: string): void {
  const { speakers } = step.view.open
  const { streamed } = speakers.get(parent) ?? {}
  for (const { item, isComplete } of streamed?.values() ?? [])
    if (!isComplete && item.kind !== 'tool') completeText(step, item)
  streamed?.clear()
  if (parent !== '') speakers.delete(parent)
}

/** Removes the blocks that aren't complete: their stream begins again, or comes no more. */
export function dropStreamed(step: ViewStep): void {
  for (const speaker of step.view.open.speakers.values()) {
    dropBlocks(step, speaker)
    for (const block of speaker.streamed.values()) block.at = 0
  }
}

function speakerOf({ view: { open } }: ViewStep, parent: string): SpeakerStreamState {
  const known = open.speakers.get(parent)
  if (known) return known
  const speaker: SpeakerStreamState = { message: '', blocks: 0, tokens: 0, streamed: new Map() }
  open.speakers.set(parent, speaker)
  return speaker
}

/** The items that streamed get the keys of this message. */
function nameMessage(speaker: SpeakerStreamState, message: string): void {
  speaker.message = message
  for (const [index, { item }] of speaker.streamed) {
    if (item.kind === 'tool') continue
    item.message = message
    item.key = `${message}-${index}`
  }
}

/** The same message can begin again, for a reader who fell behind. Another one takes the place of what wasn't completed. */
function beginMessage(step: ViewStep, speaker: SpeakerStreamState, message: string): void {
  if (message === speaker.message) {
    for (const block of speaker.streamed.values()) block.at = 0
    return
  }
  dropBlocks(step, speaker)
  speaker.streamed.clear()
  speaker.message = message
  speaker.blocks = 0
  speaker.tokens = 0
}

function dropBlocks(step: ViewStep, { streamed }: SpeakerStreamState): void {
  const { calls, openCalls } = step.view.open
  for (const [index, { item, isComplete }] of streamed) {
    if (isComplete) continue
    streamed.delete(index)
    step.remove(item)
    if (item.kind !== 'tool') continue
    calls.delete(item.useId)
    openCalls.delete(item.useId)
  }
}

type BegunBlock = { index: number; block: ContentBlock; parent: string }

function beginBlock(step: ViewStep, speaker: SpeakerStreamState, { index, block, parent }: BegunBlock): void {
  const known = speaker.streamed.get(index)
  // Without the beginning of its message, the next block can have the number of one that is complete.
  if (known && !(known.isComplete && known.at > 0)) return
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    if (step.view.open.calls.has(block.id)) return
    const item = beginCall(step, { useId: block.id, name: block.name, parent })
    speaker.streamed.set(index, { item, at: 0, length: 0, isComplete: false })
  } else if (block.type === 'text' || block.type === 'thinking' || block.type === 'redacted_thinking') {
    const item = addText(step, speaker, { index, block, parent, isLive: true })
    const { length } = item.text
    speaker.streamed.set(index, { item, at: length, length, isComplete: false })
  }
}

type TextBlock = Extract<ContentBlock, { type: 'text' | 'thinking' | 'redacted_thinking' }>

function addText(
  step: ViewStep,
  { message }: SpeakerStreamState,
  { index, block, parent, isLive = false }: { index: number; block: TextBlock; parent: string; isLive?: boolean },
): TextItem {
  const { seq, at } = step
  const isRedacted = block.type === 'redacted_thinking' ? { isRedacted: true as const } : {}
  return step.add({
    kind: block.type === 'text' ? 'text' : 'thinking',
    key: `${message}-${index}`,
    parent,
    seq,
    at,
    message,
    text: textOf(block),
    isLive,
    ...isRedacted,
  })
}

function textOf(block: TextBlock): string {
  return block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : ''
}

type BlockDelta = Extract<RawStreamEvent, { type: 'content_block_delta' }>['delta']

/** Returns the text of a delta, if it belongs to a block of this kind. */
function pieceOf({ item }: StreamedBlock, delta: BlockDelta): string {
  if (delta.type === 'text_delta') return item.kind === 'text' ? delta.text : ''
  if (delta.type === 'thinking_delta') return item.kind === 'thinking' ? delta.thinking : ''
  return delta.type === 'input_json_delta' && item.kind === 'tool' ? delta.partial_json : ''
}

function growBlock(step: ViewStep, streamed: StreamedBlock, piece: string): void {
  const { item } = streamed
  streamed.at += piece.length
  const added = piece.slice(Math.max(0, piece.length - (streamed.at - streamed.length)))
  if (streamed.at <= streamed.length || added === '') return
  streamed.length = streamed.at
  if (item.kind === 'tool') item.partialInput += added
  else item.text += added
  step.changes.push({ item, what: 'grew', piece: added })
}

function completeBlock(
  step: ViewStep,
  speaker: SpeakerStreamState,
  block: ContentBlock,
  parent: string,
  isError: boolean,
): void {
  switch (block.type) {
    case 'tool_use':
    case 'server_tool_use': {
      const streamed = findStreamed(speaker, ({ item }) => item.kind === 'tool' && item.useId === block.id)
      if (streamed) streamed.isComplete = true
      const known = step.view.open.calls.get(block.id)
      const item = known ?? beginCall(step, { useId: block.id, name: block.name, parent })
      completeCallInput(step, item, isObject(block.input) ? block.input : {}, known !== undefined)
      break
    }
    case 'text':
    case 'thinking':
    case 'redacted_thinking': {
      const kind = block.type === 'text' ? 'text' : 'thinking'
      const streamed = findStreamed(speaker, ({ item }) => item.kind === kind)
      if (streamed) streamed.isComplete = true
      if (isError && block.type === 'text') {
        if (streamed) step.remove(streamed.item)
        const notice = step.notice({
          ...toModelErrorNotice(block.text),
          key: `${speaker.message}-${speaker.blocks}`,
          parent,
        })
        if (parent === '') step.view.open.error = notice
        return
      }
      if (block.type === 'text' && parent === '') step.view.open.hasSpoken = true
      if (!streamed || streamed.item.kind === 'tool') addText(step, speaker, { index: speaker.blocks, block, parent })
      else completeText(step, streamed.item, textOf(block))
      return
    }
    default:
      endServerCall(step, { ...block })
  }
}

function findStreamed(
  { streamed }: SpeakerStreamState,
  isIt: (block: StreamedBlock) => boolean,
): StreamedBlock | undefined {
  return [...streamed.values()].find((block) => !block.isComplete && isIt(block))
}

function completeText(step: ViewStep, item: TextItem, text = item.text): void {
  const piece = text.startsWith(item.text) ? text.slice(item.text.length) : text
  item.text = text
  item.isLive = false
  item.seq = step.seq
  step.changes.push({ item, what: 'completed', piece })
}

/** Splits an error response of the model's API into its sentence and the full text. */
export function toModelErrorNotice(text: string): Pick<NoticeItem, 'level' | 'text' | 'raw' | 'about'> {
  const [json = ''] = /\{[\s\S]*\}/.exec(text) ?? []
  const sentence = messageIn(json)
  const fields = { level: 'error', about: 'model-error' } as const
  return sentence === undefined
    ? { ...fields, text: userFailureText(text) }
    : { ...fields, text: NOTICE_TEXTS.modelFailed(sentence), raw: text }
}

function messageIn(json: string): string | undefined {
  try {
    const { error, message = error?.message } = JSON.parse(json)
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}
