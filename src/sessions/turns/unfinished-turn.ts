/** Where the last turn of a session was when it was left: what it takes to continue there, in place of a new prompt. */
import type { OpenCall, TurnBeginning } from '../../engine/turn-beginning.js'
import type { ContentBlockParam, ToolUseBlock } from '../../protocol/content.js'
import type { IndexedLine, TranscriptLineIndex } from '../session-index.js'
import { CUT_OFF_CALL_TEXT } from '../to-model-messages.js'

/** A turn that the transcript begins and does not end. */
export type UnfinishedTurn = {
  /** The chain without the half of an answer: that is asked for again. */
  entries: readonly IndexedLine[]
  /** Undefined: there is nothing to continue with. */
  beginning: TurnBeginning | undefined
}

/** A turn that was interrupted has had its end. */
const INTERRUPTED = /^\[Request interrupted by user/

export function findUnfinishedTurn(index: TranscriptLineIndex, chain: readonly IndexedLine[]): UnfinishedTurn {
  const entries = withoutHalfAnswer(index, chain)
  return { entries, beginning: beginningOf(index, entries.filter(isSaid)) }
}

function isSaid({ kind, message }: IndexedLine): boolean {
  return kind !== 'other' && message !== undefined && !message.isSynthetic
}

/** Sessions of other programs have no line that says that an answer is whole. */
function withoutHalfAnswer({ answers }: TranscriptLineIndex, chain: readonly IndexedLine[]): readonly IndexedLine[] {
  const last = chain.findLast(isSaid)
  if (!last?.journaled || last.answer === undefined || answers.has(last.answer)) return chain
  const begins = chain.findIndex(({ answer }) => answer === last.answer)
  return chain.slice(0, begins)
}

function beginningOf(index: TranscriptLineIndex, said: readonly IndexedLine[]): TurnBeginning | undefined {
  const last = said.at(-1)
  if (!last || (last.kind === 'user' && INTERRUPTED.test(textOf(last)))) return undefined
  const at = said.findLastIndex(({ kind }) => kind === 'assistant')
  const since = said.slice(at + 1)
  // A user who wrote something after the calls has given them up.
  if (at < 0 || since.some(isOfUser)) return { at: 'request' }
  const id = said[at]?.answer
  const answer = said
    .slice(0, at + 1)
    .filter((entry, place) => place === at || (id !== undefined && entry.answer === id))
  const uses = answer.flatMap(blocksOf).filter((block): block is ToolUseBlock => block.type === 'tool_use')
  const done = new Set(since.flatMap(({ results }) => results))
  const noted = answer.some(({ journaled }) => journaled)
  // A call that waits for a user knows where it is.
  const isLost = (id: string) => !index.waits.has(id) && (!noted || index.started.has(id))
  const calls = uses
    .filter((use) => !done.has(use.id))
    .map((use): OpenCall => ({ use, ...(isLost(use.id) ? { lost: CUT_OFF_CALL_TEXT } : {}) }))
  const text = answer.map(textOf).findLast((words) => words !== '') ?? ''
  if (calls.length === 0)
    return since.length > 0 ? { at: 'request' } : { at: 'answer', stopReason: whole(), text, calls }
  const isUntouched = done.size === 0 && !calls.some(({ lost }) => lost !== undefined)
  return isUntouched ? { at: 'answer', stopReason: whole(), text, calls } : { at: 'calls', text, calls }

  function whole(): string | null {
    const known = id === undefined ? undefined : index.answers.get(id)
    return known === undefined ? (uses.length > 0 ? 'tool_use' : 'end_turn') : known
  }
}

/** Somebody said it; results, and what was put beside them, are part of the turn. */
function isOfUser({ kind, isMeta, results }: IndexedLine): boolean {
  return kind === 'user' && !isMeta && results.length === 0
}

function blocksOf({ message }: IndexedLine): ContentBlockParam[] {
  const content = message?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textOf(entry: IndexedLine): string {
  return blocksOf(entry).findLast((block) => block.type === 'text')?.text ?? ''
}
