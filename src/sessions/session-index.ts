/** What a session file holds, line by line: the entries of the conversation and how they hang together, names, costs. */
import type { OpenFile } from '../platform/files/files.js'
import type { ContentBlockParam } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'
import type { TranscriptCostLine, TranscriptQuestionLine } from '../protocol/transcript.js'
import { MAX_TRANSCRIPT_LINE_BYTES, parseLine, type RawLine, salvageRecords, visitFileLines } from './file-lines.js'
import { unwrapKedgeLine } from './kedge-lines.js'

/** One line that others can follow. */
export type IndexedLine = {
  uuid: string
  /** Null: it begins a conversation. Undefined: its line does not say. */
  parent: string | null | undefined
  /** Its place among the entries of the file. */
  order: number
  kind: 'user' | 'assistant' | 'other'
  /** As its line says. */
  type: string
  /** Put there by a program, not for people to see. */
  isMeta: boolean
  /** Where its line is, to be read again. */
  start: number
  end: number
  isCompactSummary: boolean
  /** For the mark of a compaction: what the conversation followed before. */
  logicalParent: string | undefined
  /** The id of the answer it is part of. */
  answer: string | undefined
  /** For a response: the tokens of its request and itself, as the API counted them. */
  tokens: number
  /** Ids of tool calls in it, and of those it has the results of. */
  calls: readonly string[]
  results: readonly string[]
  /** Those of its calls that began are in `started`, and a whole answer is in `answers`. */
  journaled: boolean
  /** For a message, its content, unless it was dropped to save memory. */
  message: IndexedMessageContent | undefined
}

export type IndexedMessageContent = {
  content: string | ContentBlockParam[]
  /** The model never said it. */
  isSynthetic: boolean
}

export type TranscriptLineIndex = {
  entries: IndexedLine[]
  byUuid: Map<string, IndexedLine>
  /** Given by people; the last counts. */
  title?: string
  tag?: string
  costs: TranscriptCostLine[]
  /** Questions that nobody has settled, by the id of the call they are about. */
  openQuestions: Map<string, TranscriptQuestionLine>
  /** Ids of calls that began to run. */
  started: Set<string>
  /** What calls that wait for a user continue from, by the id of the call. */
  waits: Map<string, Record<string, unknown>>
  /** Answers that came to their end, and why they did. */
  answers: Map<string, string | null>
  /** What people answered, by the id of the call. */
  decisions: Map<string, TranscriptQuestionLine>
  /** What was wrong, for people. */
  repairs: string[]
  /** Bytes up to which the file is whole. */
  wholeTo: number
  /** The last record is whole, but its newline is missing. */
  lacksNewline: boolean
}

export type TranscriptIndexOptions = {
  /** The session whose costs count; a copy holds lines of the one it was made from. */
  sessionId: string
  /** `all`: every message; `needed`: none from before a compaction; `none`: places only. */
  keep: 'all' | 'needed' | 'none'
  /** The file is a sub-agent's own; elsewhere its lines do not count. */
  isSubagent?: boolean
}

/** Maximum problems of single lines that are reported; the rest is counted. */
const MAX_TOLD = 5

/** Reads `size` bytes of the file, so that what is added meanwhile does not matter. */
export async function indexTranscriptFile(
  file: OpenFile,
  size: number,
  options: TranscriptIndexOptions,
): Promise<TranscriptLineIndex> {
  const index = emptyIndex()
  const damage = createDamage()
  await visitFileLines(file, size, (line) => {
    const { records, isWhole, length } = readRecords(line)
    for (const record of records) addRecord(index, record, line, options)
    if (line.isEnded || isWhole) index.wholeTo = line.end + (line.isEnded ? 1 : 0)
    if (!isWhole) damage.add(line, records.length)
    if (line.isEnded) return
    if (!isWhole) index.wholeTo = records.length > 0 ? line.start + length : line.start
    index.lacksNewline = records.length > 0
  })
  index.repairs.push(...damage.notes(), ...notesOf(index))
  return index
}

/** The same for entries that somebody else kept. */
export function indexTranscriptLines(values: readonly unknown[], options: TranscriptIndexOptions): TranscriptLineIndex {
  const index = emptyIndex()
  values.forEach((value, place) => {
    addRecord(index, value, { start: place, end: place + 1 }, options)
  })
  index.repairs.push(...notesOf(index))
  return index
}

type Growing = TranscriptLineIndex & { repeated: number; unusable: number }

function emptyIndex(): Growing {
  const lists = {
    entries: [],
    byUuid: new Map(),
    costs: [],
    openQuestions: new Map(),
    started: new Set<string>(),
    waits: new Map(),
    answers: new Map(),
    decisions: new Map(),
    repairs: [],
  }
  return { ...lists, wholeTo: 0, lacksNewline: false, repeated: 0, unusable: 0 }
}

function notesOf({ repeated, unusable }: Growing): string[] {
  return [
    ...(repeated === 0 ? [] : [`${repeated} line(s) of the session repeat an earlier one and were skipped`]),
    ...(unusable === 0 ? [] : [`${unusable} line(s) of the session hold no message that can be used and were skipped`]),
  ]
}

/** `length`: of the beginning of the line that is whole, when the line is not. */
function readRecords({ bytes }: RawLine): { records: unknown[]; isWhole: boolean; length: number } {
  if (!bytes) return { records: [], isWhole: false, length: 0 }
  const parsed = parseLine(bytes)
  if (parsed && typeof parsed.value === 'object' && parsed.value !== null)
    return { records: [parsed.value], isWhole: true, length: bytes.length }
  if (!parsed && isBlank(bytes)) return { records: [], isWhole: true, length: 0 }
  return { ...salvageRecords(bytes), isWhole: false }
}

/** Blanks and the returns of other systems, not zeros. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 13 || byte === 9)
}

function createDamage() {
  const told: string[] = []
  let more = 0
  return {
    add({ number, bytes, isEnded, start, end }: RawLine, saved: number) {
      if (told.length === MAX_TOLD) {
        more += 1
        return
      }
      const rescued = saved === 0 ? '' : `; ${saved} whole record(s) on it were kept`
      if (!bytes)
        told.push(
          `line ${number} of the session file is longer than ${MAX_TRANSCRIPT_LINE_BYTES} bytes and was skipped`,
        )
      else if (isEnded) told.push(`line ${number} of the session file is damaged and was skipped${rescued}`)
      else
        told.push(`the session file ends in the middle of line ${number}: ${end - start} bytes were dropped${rescued}`)
    },
    notes: () => (more === 0 ? told : [...told, `${more} more lines of the session file are damaged and were skipped`]),
  }
}

/** One that was parked is still open: somebody will answer it later. */
function noteQuestion({ openQuestions, decisions }: Growing, record: Record<string, unknown>): void {
  const { type, toolUseId, toolName, answer } = record
  if (typeof toolUseId !== 'string' || typeof toolName !== 'string') return
  // Its ids are checked; the rest is shown to people as it is.
  const line = record as TranscriptQuestionLine
  if (type === 'question-settled' && (answer === 'allowed' || answer === 'denied')) decisions.set(toolUseId, line)
  if (type === 'question-open') openQuestions.set(toolUseId, line)
  else if (answer !== 'parked') openQuestions.delete(toolUseId)
}

function addRecord(
  index: Growing,
  value: unknown,
  { start, end }: { start: number; end: number },
  { sessionId, keep, isSubagent = false }: TranscriptIndexOptions,
): void {
  const record = unwrapKedgeLine(value)
  if (!isObject(record)) return
  switch (record.type) {
    case 'custom-title':
      if (typeof record.customTitle === 'string') index.title = record.customTitle
      return
    case 'tag':
      if (typeof record.tag === 'string') index.tag = record.tag
      return
    case 'question-open':
    case 'question-settled':
      if (record.sessionId === sessionId) noteQuestion(index, record)
      return
    case 'tool-start':
      // Lines of a copy count too: the ids of calls don't belong to one session.
      if (typeof record.toolUseId === 'string') index.started.add(record.toolUseId)
      return
    case 'tool-wait':
      if (record.sessionId !== sessionId || typeof record.toolUseId !== 'string') return
      if (isObject(record.state)) index.waits.set(record.toolUseId, record.state)
      else index.waits.delete(record.toolUseId)
      return
    case 'answer-end':
      if (typeof record.messageId === 'string')
        index.answers.set(record.messageId, typeof record.stopReason === 'string' ? record.stopReason : null)
      return
    case 'cost-entry':
    case 'cost-open':
      // Its numbers are checked by those who add them up.
      if (record.sessionId === sessionId) index.costs.push(record as TranscriptCostLine)
      return
  }
  const { uuid, parentUuid, type } = record
  if (typeof uuid !== 'string' || typeof type !== 'string') return
  // Sub-agents once wrote into the file of their session.
  if (record.isSidechain === true && !isSubagent) return
  if (index.byUuid.has(uuid)) {
    index.repeated += 1
    return
  }
  const message = readMessage(record)
  const isCompactSummary = message !== undefined && record.isCompactSummary === true
  if (isCompactSummary && keep === 'needed') for (const entry of index.entries) entry.message = undefined
  if (!message && kindOf(type) !== 'other') index.unusable += 1
  const entry: IndexedLine = {
    uuid,
    parent: typeof parentUuid === 'string' || parentUuid === null ? parentUuid : undefined,
    order: index.entries.length,
    kind: message ? kindOf(type) : 'other',
    type,
    isMeta: record.isMeta === true,
    start,
    end,
    isCompactSummary,
    logicalParent: typeof record.logicalParentUuid === 'string' ? record.logicalParentUuid : undefined,
    answer: message && type === 'assistant' ? textField(record.message, 'id') : undefined,
    tokens: message && type === 'assistant' ? tokensOf(record.message) : 0,
    calls: type === 'assistant' ? idsOf(message, 'tool_use', 'id') : NO_IDS,
    results: type === 'user' ? idsOf(message, 'tool_result', 'tool_use_id') : NO_IDS,
    journaled: record.journaled === true,
    message: keep === 'none' ? undefined : message,
  }
  index.entries.push(entry)
  index.byUuid.set(uuid, entry)
}

function kindOf(type: string): IndexedLine['kind'] {
  return type === 'user' || type === 'assistant' ? type : 'other'
}

function tokensOf(message: unknown): number {
  const usage = typeof message === 'object' && message !== null ? Reflect.get(message, 'usage') : undefined
  if (typeof usage !== 'object' || usage === null) return 0
  const count = (name: string) => {
    const value: unknown = Reflect.get(usage, name)
    return typeof value === 'number' && value > 0 && value < Number.MAX_SAFE_INTEGER ? value : 0
  }
  const read = count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens')
  return read + count('output_tokens')
}

const NO_IDS: readonly string[] = []

/** Returns ids from the blocks of one type; most lines have none. */
function idsOf(message: IndexedMessageContent | undefined, type: string, field: string): readonly string[] {
  if (!message || typeof message.content === 'string') return NO_IDS
  let ids: string[] | undefined
  for (const block of message.content) {
    const id = textField(block, 'type') === type ? textField(block, field) : undefined
    if (id === undefined) continue
    ids ??= []
    ids.push(id)
  }
  return ids ?? NO_IDS
}

function textField(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const field = (value as Record<string, unknown>)[name] // any object can be looked into
  return typeof field === 'string' ? field : undefined
}

function readMessage(record: Record<string, unknown>): IndexedMessageContent | undefined {
  const { message, type } = record
  if (type !== 'user' && type !== 'assistant') return undefined
  if (typeof message !== 'object' || message === null || !('content' in message)) return undefined
  const { content } = message
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  const isSynthetic = record.isApiErrorMessage === true || ('model' in message && message.model === '<synthetic>')
  // The blocks are checked one by one before any of them is sent.
  const said = content as string | ContentBlockParam[]
  if (!Array.isArray(record.modelContext)) return { content: said, isSynthetic }
  const blocks: ContentBlockParam[] = typeof said === 'string' ? [{ type: 'text', text: said }] : said
  return { content: [...record.modelContext, ...blocks], isSynthetic }
}
