/** Reads a session back as a conversation to continue with. What is broken is mended and told, never guessed at. */
import type { TurnBeginning } from '../engine/turn-beginning.js'
import type { FileSystem, OpenFile } from '../platform/files/files.js'
import type { MessageParam } from '../protocol/content.js'
import type { TranscriptCostLine, TranscriptQuestionLine } from '../protocol/transcript.js'
import { buildTranscriptLineChain } from './line-chain.js'
import {
  indexTranscriptFile,
  indexTranscriptLines,
  type TranscriptIndexOptions,
  type TranscriptLineIndex,
} from './session-index.js'
import { toModelMessages } from './to-model-messages.js'
import { whyTurnDropIsRefused } from './turns/dropped-turn.js'
import { findUnfinishedTurn } from './turns/unfinished-turn.js'

export type LoadedSession = {
  messages: MessageParam[]
  /** The line new ones follow. */
  leaf: string | null
  /** What its last request held; 0 when nobody knows. */
  tokens: number
  /** Ids of user messages already seen: a second one with the same id is dropped. */
  uuids: Set<string>
  /** What had to be mended, for people. */
  repairs: string[]
  title: string | undefined
  tag: string | undefined
  /** What its requests cost so far. */
  costs: TranscriptCostLine[]
  /** What somebody was asked and nobody has answered: it was parked there, or cut off. */
  openQuestions: TranscriptQuestionLine[]
  /** Where its last turn continues, if that was wanted and there is something left of it. */
  beginning: TurnBeginning | undefined
  /** What people answered, by the id of the call. */
  decisions: ReadonlyMap<string, TranscriptQuestionLine>
  /** What calls that wait for a user continue from, by the id of the call. */
  waits: ReadonlyMap<string, Record<string, unknown>>
}

/** The end of a transcript file. How the file has to be made before a line can be added. */
export type TranscriptTail = { size: number; wholeTo: number; lacksNewline: boolean }

/** `dropsTurn`: the prompt of the only turn that may be behind `cutAt`. */
export type TranscriptCutPoint = {
  sessionId: string
  cutAt?: string | undefined
  dropsTurn?: string | undefined
  isSubagent?: boolean
  /** The last turn continues: its calls without a result stay open. */
  goesOn?: boolean | undefined
}

/** Nothing was loaded: this would be forgotten without having been meant. */
export type RefusedLoad = { refused: string }

/** Undefined when there is no message to cut at. The file is read once, in pieces, and only what is needed is held. */
export async function loadTranscript(
  file: OpenFile,
  cut: TranscriptCutPoint,
): Promise<(LoadedSession & { tail: TranscriptTail }) | RefusedLoad | undefined> {
  const { size } = file.stat
  const read = (keep: TranscriptIndexOptions['keep']) =>
    indexTranscriptFile(file, size, { sessionId: cut.sessionId, keep, isSubagent: cut.isSubagent })
  let index = await read(cut.cutAt === undefined ? 'needed' : 'all')
  let loaded = fromIndex(index, cut)
  if (loaded === 'incomplete') {
    // The conversation continued from before a compaction.
    index = await read('all')
    loaded = fromIndex(index, cut)
  }
  if (!loaded || loaded === 'incomplete') return undefined
  if ('refused' in loaded) return loaded
  return { ...loaded, tail: { size, wholeTo: index.wholeTo, lacksNewline: index.lacksNewline } }
}

/** The same of entries that a store kept. */
export function loadTranscriptEntries(
  entries: readonly unknown[],
  cut: TranscriptCutPoint,
): LoadedSession | RefusedLoad | undefined {
  const loaded = fromIndex(indexTranscriptLines(entries, { sessionId: cut.sessionId, keep: 'all' }), cut)
  return loaded === 'incomplete' ? undefined : loaded
}

function fromIndex(
  index: TranscriptLineIndex,
  { cutAt, dropsTurn, goesOn }: TranscriptCutPoint,
): LoadedSession | RefusedLoad | 'incomplete' | undefined {
  const chain = buildTranscriptLineChain(index, cutAt)
  if (!chain) return undefined
  const problem =
    dropsTurn === undefined ? undefined : whyTurnDropIsRefused(chain, buildTranscriptLineChain(index), dropsTurn)
  if (problem !== undefined) return { refused: problem }
  if (chain.entries.some(({ kind, message }) => kind !== 'other' && !message)) return 'incomplete'
  const { entries, beginning } = goesOn ? findUnfinishedTurn(index, chain.entries) : { ...chain, beginning: undefined }
  const open = beginning && 'calls' in beginning ? beginning.calls.map(({ use }) => use.id) : []
  const { messages, repairs } = toModelMessages(entries, index.started, new Set(open))
  return {
    messages,
    leaf: entries.at(-1)?.uuid ?? null,
    tokens: entries.findLast(({ tokens }) => tokens > 0)?.tokens ?? 0,
    uuids: new Set(index.entries.flatMap(({ kind, uuid }) => (kind === 'user' ? uuid : []))),
    repairs: [...index.repairs, ...chain.repairs, ...repairs],
    title: index.title,
    tag: index.tag,
    costs: index.costs,
    openQuestions: [...index.openQuestions.values()],
    beginning,
    decisions: index.decisions,
    waits: index.waits,
  }
}

export function hasWholeLastLine({ size, wholeTo, lacksNewline }: TranscriptTail): boolean {
  return wholeTo === size && !lacksNewline
}

/** Leaves the file ending with a whole line. Only its one writer may do this. */
export async function repairUnfinishedLastLine(
  files: FileSystem,
  path: string,
  { size, wholeTo, lacksNewline }: TranscriptTail,
): Promise<void> {
  if (wholeTo < size) await files.truncate(path, wholeTo)
  if (lacksNewline) files.appendSync(path, '\n')
}
