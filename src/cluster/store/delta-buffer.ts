/**
 * Sends deltas of a process's sessions to readers elsewhere: collected for a moment, pieces of one text merged, and
 * written in one statement for all sessions. They can be lost, so nothing waits for them.
 */
import type { Delta } from '../../protocol/session-log/entries.js'
import type { TenantDatabase } from '../database/database.js'

const FRAME_MS = 50
/** How long deltas are kept: by then, the finished entry has come. */
const KEPT = '1 minute'
const SWEEP_FRAMES = 600

/** Collects deltas and writes them to the database together. */
export interface DeltaBuffer {
  add(delta: Delta): void
  /** What was gathered goes out now. */
  flush(): Promise<void>
}

/** Creates the buffer for deltas of this process's sessions. */
export function createDeltaBuffer(database: TenantDatabase, onWritten: (session: string) => void): DeltaBuffer {
  let gathered: Delta[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let frames = 0

  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    const due = mergeNeighborDeltas(gathered)
    gathered = []
    if (due.length === 0) return
    const columns = [
      due.map(({ session }) => session),
      due.map(({ seq }) => seq),
      due.map((one) => JSON.stringify(one)),
    ]
    try {
      await database.query(INSERT, [database.tenant, ...columns])
      for (const session of new Set(due.map((one) => one.session))) onWritten(session)
      frames += 1
      if (frames % SWEEP_FRAMES === 0) await database.query(SWEEP, [database.tenant, KEPT])
    } catch {
      // The entry says all of it.
    }
  }
  return {
    add(delta) {
      gathered.push(delta)
      timer ??= setTimeout(() => {
        writing = writing.then(write)
      }, FRAME_MS)
    },
    flush() {
      writing = writing.then(write)
      return writing
    },
  }
}

/** Neighbors of one session that continue the same text become one. */
export function mergeNeighborDeltas(deltas: readonly Delta[]): Delta[] {
  const frames: Delta[] = []
  /** By session: only its last one can be continued. */
  const open = new Map<string, number>()
  for (const delta of deltas) {
    const at = open.get(delta.session)
    const before = at === undefined ? undefined : frames[at]
    const joined = before && join(before, delta)
    if (joined && at !== undefined) frames[at] = joined
    else open.set(delta.session, frames.push(delta) - 1)
  }
  return frames
}

/** Undefined: they are not parts of one text. */
function join(first: Delta, second: Delta): Delta | undefined {
  const [a, b] = [first.data, second.data]
  if (first.seq !== second.seq || a.type !== 'stream_event' || b.type !== 'stream_event') return undefined
  if (a.parent_tool_use_id !== b.parent_tool_use_id) return undefined
  if (a.event.type !== 'content_block_delta' || b.event.type !== 'content_block_delta') return undefined
  if (a.event.index !== b.event.index) return undefined
  const delta = joinText(a.event.delta, b.event.delta)
  return delta && { ...second, data: { ...b, event: { ...b.event, delta } } }
}

type Piece = Extract<
  Extract<Delta['data'], { type: 'stream_event' }>['event'],
  { type: 'content_block_delta' }
>['delta']

function joinText(a: Piece, b: Piece): Piece | undefined {
  if (a.type === 'text_delta' && b.type === 'text_delta') return { ...b, text: a.text + b.text }
  if (a.type === 'thinking_delta' && b.type === 'thinking_delta') return { ...b, thinking: a.thinking + b.thinking }
  if (a.type === 'input_json_delta' && b.type === 'input_json_delta')
    return { ...b, partial_json: a.partial_json + b.partial_json }
  return undefined
}

const INSERT = `insert into kedge.deltas (tenant, session, seq, body)
  select $1, one.session, one.seq, one.body from unnest($2::text[], $3::bigint[], $4::text[])
    with ordinality as one (session, seq, body, place) order by one.place`
const SWEEP = 'delete from kedge.deltas where tenant = $1 and at < now() - $2::interval'
