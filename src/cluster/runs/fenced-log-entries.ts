/**
 * Entries of all sessions of a worker, written in one fenced statement: those of a session that another worker has by
 * now are rejected. Numbers come from the session's row, so other writers' entries fit in between.
 */
import { KedgeError } from '../../errors.js'
import type { EntryBody } from '../../protocol/session-log/entries.js'
import { toError } from '../../protocol/thrown.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { changedListFields, listFieldsJson, serializeUnnumberedEntry } from './session-list-fields.js'

/** How long entries are collected before they are written. */
const GATHER_MS = 20

export type SessionEpoch = { tenant: string; session: string; epoch: number }

type Batch = {
  place: SessionEpoch
  id: string
  bodies: EntryBody[]
  at: string
  done(last: number): void
  failed(error: Error): void
}

export interface LogEntryWriter {
  /** Resolves with the number of the last of them, when they are written. Rejects with `session_fenced`. */
  add(place: SessionEpoch, bodies: EntryBody[]): Promise<number>
}

export type LogEntryWriterPorts = {
  /** The operator's: one statement is for sessions of all tenants. */
  database: TenantDatabase
  newId(): string
  onWritten(tenant: string, session: string): void
  /** Called if entries were rejected because another worker has the session. */
  onFenced(): void
}

export function createLogEntryWriter(ports: LogEntryWriterPorts): LogEntryWriter {
  const { database, newId } = ports
  let gathered: Batch[] = []
  let isDue = false
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    isDue = false
    // One of a session at a time: its number tells whether it was written.
    const seen = new Set<string>()
    const due: Batch[] = []
    const later: Batch[] = []
    for (const batch of gathered) {
      const name = `${batch.place.tenant}/${batch.place.session}`
      ;(seen.has(name) ? later : due).push(batch)
      seen.add(name)
    }
    gathered = later
    if (due.length === 0) return
    try {
      const written = await retryWhileUnavailable(() => writeBatches(database, due))
      for (const batch of due) settle(batch, written.get(keyOf(batch.place)), ports)
    } catch (error) {
      for (const batch of due) batch.failed(toError(error))
    }
    if (gathered.length > 0) await write()
  }
  return {
    add(place, bodies) {
      return new Promise((done, failed) => {
        gathered.push({ place, id: newId(), bodies, at: new Date().toISOString(), done, failed })
        if (isDue) return
        isDue = true
        setTimeout(() => {
          writing = writing.then(write)
        }, GATHER_MS)
      })
    },
  }
}

function keyOf({ tenant, session }: SessionEpoch): string {
  return `${tenant}/${session}`
}

function settle(batch: Batch, last: number | undefined, { onWritten, onFenced }: LogEntryWriterPorts): void {
  const { tenant, session } = batch.place
  if (last === undefined) {
    onFenced()
    batch.failed(new KedgeError('session_fenced', `Another worker has session ${session} now.`))
    return
  }
  onWritten(tenant, session)
  batch.done(last)
}

/** By session: the number of its last entry. Missing sessions belong to another worker. */
async function writeBatches(database: TenantDatabase, batches: readonly Batch[]): Promise<Map<string, number>> {
  const rows = batches.flatMap(({ place, bodies, at }) =>
    bodies.map((body, index) => {
      const [before, after] = serializeUnnumberedEntry(place.session, at, body)
      return { ...place, place: index + 1, kind: body.kind, before, after }
    }),
  )
  const places = batches.map(({ place }) => place)
  const written = await database.query<{ tenant: string; id: string; last: number }>(WRITE, [
    ...[places.map(({ tenant }) => tenant), places.map(({ session }) => session), places.map(({ epoch }) => epoch)],
    ...[batches.map(({ id }) => id), batches.map(({ bodies }) => bodies.length)],
    batches.map(({ bodies }) => listFieldsJson(changedListFields(bodies))),
    ...[rows.map(({ tenant }) => tenant), rows.map(({ session }) => session), rows.map(({ place }) => place)],
    ...[rows.map(({ kind }) => kind), rows.map(({ before }) => before), rows.map(({ after }) => after)],
  ])
  const last = new Map(written.map((row) => [`${row.tenant}/${row.id}`, row.last]))
  for (const { place, id } of batches) {
    if (last.has(keyOf(place))) continue
    // An earlier try, whose answer was lost with its connection?
    const [head] = await database.query<{ last: number }>(WRITTEN, [place.tenant, place.session, place.epoch, id])
    if (head) last.set(keyOf(place), head.last)
  }
  return last
}

const WRITE = `select in_tenant as tenant, in_session as id, last_seq::float8 as last from kedge.add_log_entries(
  $1::text[], $2::text[], $3::bigint[], $4::text[], $5::int[], $6::text[],
  $7::text[], $8::text[], $9::int[], $10::text[], $11::text[], $12::text[])`
const WRITTEN = `select event_seq::float8 as last from kedge.sessions
  where tenant = $1 and id = $2 and epoch = $3 and event_batch = $4`
