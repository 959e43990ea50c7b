/** Reads the messages of a stored conversation, or a page of them; of a file only what is asked for is held. */
import type { FileSystem } from '../platform/files/files.js'
import type { UUID } from '../protocol/content.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import { parseLine, salvageRecords, visitFileLines } from './file-lines.js'
import { buildTranscriptLineChain } from './line-chain.js'
import { openTranscript } from './resume.js'
import type { ListRange } from './session-file-lists.js'
import {
  type IndexedLine,
  indexTranscriptFile,
  indexTranscriptLines,
  type TranscriptLineIndex,
} from './session-index.js'

export type MessagePageOptions = ListRange & {
  sessionId: string
  includeSystemMessages?: boolean | undefined
  includeCompacted?: boolean | undefined
  isSubagent?: boolean
}

export async function readMessagePage(
  files: FileSystem,
  path: string,
  options: MessagePageOptions,
): Promise<SessionMessage[]> {
  const file = await openTranscript(files, path)
  if (!file) return []
  try {
    const index = await indexTranscriptFile(file, file.stat.size, { ...options, keep: 'none' })
    const wanted = page(index, options)
    const places = new Set(wanted.map(({ start }) => start))
    const lines = new Map<string, object>()
    await visitFileLines(file, file.stat.size, ({ bytes, start }) => {
      if (!bytes || !places.has(start)) return
      const parsed = parseLine(bytes)
      for (const record of parsed ? [parsed.value] : salvageRecords(bytes).records) addByUuid(lines, record)
    })
    return toMessages(wanted, lines, options)
  } finally {
    await file.close()
  }
}

export function pageOfMessages(entries: readonly unknown[], options: MessagePageOptions): SessionMessage[] {
  const index = indexTranscriptLines(entries, { ...options, keep: 'none' })
  const lines = new Map<string, object>()
  for (const entry of entries) addByUuid(lines, entry)
  return toMessages(page(index, options), lines, options)
}

function page(index: TranscriptLineIndex, options: MessagePageOptions): IndexedLine[] {
  const { limit, offset = 0, includeSystemMessages, includeCompacted } = options
  const chain = includeCompacted === true ? wholeChain(index) : (buildTranscriptLineChain(index)?.entries ?? [])
  const shown = chain.filter(({ kind, type, isMeta }) => {
    return (kind !== 'other' && !isMeta) || (includeSystemMessages === true && type === 'system')
  })
  const from = Math.max(0, offset)
  return shown.slice(from, limit === undefined || limit <= 0 ? undefined : from + limit)
}

/** Where a conversation was summed up, what was before is another chain, which the mark of it names. */
function wholeChain(index: TranscriptLineIndex): IndexedLine[] {
  let chain = buildTranscriptLineChain(index)?.entries ?? []
  const seen = new Set(chain)
  for (;;) {
    const before = chain[0]?.logicalParent
    const earlier = before === undefined ? [] : (buildTranscriptLineChain(index, before)?.entries ?? [])
    // Nothing is told twice, whatever a damaged file says.
    if (earlier.length === 0 || earlier.some((entry) => seen.has(entry))) return chain
    for (const entry of earlier) seen.add(entry)
    chain = [...earlier, ...chain]
  }
}

/** The first of its id, as elsewhere. */
function addByUuid(lines: Map<string, object>, value: unknown): void {
  if (typeof value !== 'object' || value === null || !('uuid' in value)) return
  if (typeof value.uuid === 'string' && !lines.has(value.uuid)) lines.set(value.uuid, value)
}

function toMessages(
  wanted: readonly IndexedLine[],
  lines: ReadonlyMap<string, object>,
  { sessionId }: MessagePageOptions,
) {
  return wanted.flatMap(({ uuid, type }): SessionMessage[] => {
    const line = lines.get(uuid)
    if (!line || (type !== 'user' && type !== 'assistant' && type !== 'system')) return []
    const timestamp: unknown = Reflect.get(line, 'timestamp')
    const parent: unknown = Reflect.get(line, 'parentToolUseID')
    const subtype: unknown = type === 'system' ? Reflect.get(line, 'subtype') : undefined
    return [
      {
        type,
        // Lines of a session have ids of this shape; others' are given as they are.
        uuid: uuid as UUID,
        session_id: sessionId,
        message: Reflect.get(line, 'message'),
        parent_tool_use_id: typeof parent === 'string' ? parent : null,
        parent_agent_id: null,
        ...(typeof timestamp === 'string' ? { timestamp } : {}),
        ...(typeof subtype === 'string' ? { subtype } : {}),
      },
    ]
  })
}
