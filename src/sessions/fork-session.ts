/** Copies a conversation into a new session: new ids, the same chain, each line saying where it came from. */
import { KedgeError } from '../errors.js'
import type { FileSystem } from '../platform/files/files.js'
import { parseLine, salvageRecords, visitFileLines } from './file-lines.js'
import { buildTranscriptLineChain } from './line-chain.js'
import { openTranscript } from './resume.js'
import { indexTranscriptFile, indexTranscriptLines, type TranscriptLineIndex } from './session-index.js'

export type ForkPlan = {
  from: string
  to: string
  upTo?: string | undefined
  title: string
  newId(): string
  now(): number
}

/** Characters collected before they are written. */
const PIECE = 1024 * 1024

/** The copy is written under another name first: one that is not whole must not look like a session. */
export async function forkToFile(files: FileSystem, source: string, target: string, plan: ForkPlan): Promise<void> {
  const file = await openTranscript(files, source)
  if (!file) throw new KedgeError('session_not_found', `Session ${plan.from} not found`)
  const unfinished = `${target}.copy`
  let waiting = ''
  const write = (record: object) => {
    waiting += `${JSON.stringify(record)}\n`
    if (waiting.length < PIECE) return
    files.appendSync(unfinished, waiting)
    waiting = ''
  }
  try {
    files.removeSync(unfinished)
    const { size } = file.stat
    const index = await indexTranscriptFile(file, size, { sessionId: plan.from, keep: 'none' })
    const translate = createTranslation(index, plan)
    await visitFileLines(file, size, ({ bytes }) => {
      if (!bytes) return
      const parsed = parseLine(bytes)
      for (const record of parsed ? [parsed.value] : salvageRecords(bytes).records) {
        const copy = translate(record)
        if (copy) write(copy)
      }
    })
    write(titleLine(plan))
    files.appendSync(unfinished, waiting)
    await files.rename(unfinished, target)
  } catch (error) {
    files.removeSync(unfinished)
    throw error
  } finally {
    await file.close()
  }
}

export function forkEntries(entries: readonly unknown[], plan: ForkPlan): object[] {
  const translate = createTranslation(indexTranscriptLines(entries, { sessionId: plan.from, keep: 'none' }), plan)
  return [...entries.flatMap((entry) => translate(entry) ?? []), titleLine(plan)]
}

/** Gives lines of the conversation in their new form, and undefined for all others. */
function createTranslation(index: TranscriptLineIndex, { from, to, upTo, newId }: ForkPlan) {
  const chain = buildTranscriptLineChain(index, upTo)
  if (!chain) throw new KedgeError('message_not_found', `Message ${upTo} not found in session ${from}`)
  if (!chain.entries.some(({ kind }) => kind !== 'other'))
    throw new KedgeError('message_not_found', `Session ${from} has no messages to fork`)
  const ids = new Map(chain.entries.map(({ uuid }) => [uuid, newId()]))
  const before = new Map(chain.entries.map(({ uuid }, place) => [uuid, chain.entries[place - 1]?.uuid]))
  const renamed = (id: unknown) => (typeof id === 'string' ? ids.get(id) : undefined)
  const done = new Set<string>()
  return (value: unknown): object | undefined => {
    const uuid = typeof value === 'object' && value !== null && 'uuid' in value ? renamed(value.uuid) : undefined
    if (uuid === undefined || done.has(uuid)) return undefined
    done.add(uuid)
    const record = value as Record<string, unknown> // it has an id, so it is an object
    const old = String(record.uuid)
    const parent = renamed(record.parentUuid) ?? renamed(before.get(old))
    const parentUuid = record.parentUuid === null ? null : (parent ?? null)
    const logical = renamed(record.logicalParentUuid)
    const source = renamed(record.sourceToolAssistantUUID)
    return {
      ...record,
      parentUuid,
      sessionId: to,
      uuid,
      ...(logical === undefined ? {} : { logicalParentUuid: logical }),
      ...(source === undefined ? {} : { sourceToolAssistantUUID: source }),
      forkedFrom: { sessionId: from, messageUuid: old },
    }
  }
}

function titleLine({ to, title, newId, now }: ForkPlan): object {
  const timestamp = new Date(now()).toISOString()
  return { type: 'custom-title', sessionId: to, customTitle: title, uuid: newId(), timestamp }
}
