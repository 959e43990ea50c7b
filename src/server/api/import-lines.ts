/** What a file of an exported session may bring along: talk and a record of it. Whatever would act is left out. Pure. */

import { applyEntry, emptySessionState, type SessionState } from '../../hub/session-state.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { Person } from '../../protocol/session-log/ask-types.js'
import type { EntryBody, LogEntry } from '../../protocol/session-log/entries.js'
import { UUID_PATTERN } from './api-schemas.js'
import { HttpProblem } from './problems.js'

export const EXPORT_VERSION = 1
const ID = new RegExp(UUID_PATTERN)
const PLAIN_PATH = /^[\w-]{1,100}(?:\/[\w-]{1,100}){0,4}$/
/**
 * Line types of a conversation. Checkpoints (what a rewind writes) and open questions and queues (what is resumed)
 * aren't imported.
 */
const KEPT_LINES = ['user', 'assistant', 'system', 'progress', 'custom-title', 'tag']

export type ImportHeader = { id: string; cwd: string; seq: number }
export type ImportedTranscriptLine = { kind: 'line'; subpath: string | undefined; line: JsonObject }
export type ImportEnd = { kind: 'end'; lines: number; entries: number }
export type ParsedImportLine = ImportedTranscriptLine | { kind: 'entry'; entry: JsonObject } | ImportEnd

export function createDamagedLineProblem(line: number, what: string): HttpProblem {
  return new HttpProblem('invalid_import', `Line ${line}: ${what}`)
}

export function readImportHeader(value: unknown): ImportHeader {
  if (!isObject(value) || value['kedge'] !== 'session')
    throw createDamagedLineProblem(1, "this isn't an exported session.")
  if (value['version'] !== EXPORT_VERSION)
    throw createDamagedLineProblem(1, `version ${String(value['version'])} is not known here.`)
  const session = isObject(value['session']) ? value['session'] : {}
  const { id, cwd, seq } = session
  if (typeof id !== 'string' || !ID.test(id)) throw createDamagedLineProblem(1, 'the id of the session is not a UUID.')
  if (typeof cwd !== 'string' || typeof seq !== 'number')
    throw createDamagedLineProblem(1, 'the session has no folder or no number.')
  return { id: id.toLowerCase(), cwd, seq }
}

export function parseImportLine(value: unknown, line: number): ParsedImportLine {
  if (!isObject(value)) throw createDamagedLineProblem(line, 'not an object.')
  const { entry, line: said, subpath, end } = value
  if (isObject(entry)) return { kind: 'entry', entry }
  if (isObject(end)) return { kind: 'end', lines: Number(end['lines']), entries: Number(end['entries']) }
  if (!isObject(said)) throw createDamagedLineProblem(line, 'neither an entry nor a line of a conversation.')
  if (subpath !== undefined && (typeof subpath !== 'string' || !PLAIN_PATH.test(subpath)))
    throw createDamagedLineProblem(line, 'its place is outside of the session.')
  return { kind: 'line', subpath, line: said }
}

/** Undefined: it is left out. `from` is the folder it was exported from, `to` the one it works in here. */
export function adaptImportedLine(
  line: JsonObject,
  at: number,
  { id, from, to }: { id: string; from: string; to: string },
): JsonObject | undefined {
  const { type, sessionId, message, permissionMode: _, ...rest } = line
  if (typeof type !== 'string') throw createDamagedLineProblem(at, 'it has no type.')
  const isKept = KEPT_LINES.includes(type)
  if ((isKept || sessionId !== undefined) && String(sessionId).toLowerCase() !== id)
    throw createDamagedLineProblem(at, 'it is of another session.')
  if (!isKept) return undefined
  if ((type === 'user' || type === 'assistant') && !isMessage(message))
    throw createDamagedLineProblem(at, 'its message is none.')
  const cwd = rest['cwd'] === from ? { cwd: to } : {}
  return { type, sessionId: id, ...rest, ...(message === undefined ? {} : { message }), ...cwd }
}

/** The record, entry by entry, and what it adds up to. */
export class ImportedLogReader {
  readonly state: SessionState = emptySessionState()
  readonly #session: string
  readonly #cwd: string

  constructor(session: string, cwd: string) {
    this.#session = session
    this.#cwd = cwd
  }

  take(given: JsonObject, line: number): LogEntry {
    const { seq, at, kind, data } = given
    const expected = this.state.seq + 1
    if (seq !== expected) throw createDamagedLineProblem(line, `entry ${String(seq)} comes where ${expected} should.`)
    if (typeof at !== 'string' || !(Date.parse(at) <= Date.now() + DAY))
      throw createDamagedLineProblem(line, 'its time is none.')
    if (typeof kind !== 'string' || !isObject(data) || !(CHECKS[kind]?.(data) ?? false))
      throw createDamagedLineProblem(line, `an entry of the kind ${String(kind)} is not like that.`)
    // Where it works is decided here, whatever the file says.
    const { cwd: _, ...others } = data
    const own = kind === 'state' ? { ...others, ...(expected === 1 ? { cwd: this.#cwd } : {}) } : data
    const entry = { session: this.#session, seq, at, kind, data: own } as unknown as LogEntry // checked above
    applyEntry(this.state, entry)
    return entry
  }

  /** Nothing in it waits, runs or is permitted any more. */
  closing(by: Person, now: () => number): LogEntry[] {
    const { state } = this
    const bodies: EntryBody[] = [
      ...[...state.asks.keys()].map(
        (ask): EntryBody => ({ kind: 'withdrawn', data: { ask, reason: 'It was asked elsewhere.' } }),
      ),
      ...[...state.waiting, ...state.started].map(
        ({ id }): EntryBody => ({ kind: 'prompt', data: { change: 'removed', id, by } }),
      ),
      { kind: 'state', data: { ...(state.seq === 0 ? { cwd: this.#cwd } : {}), status: 'idle', mode: 'default', by } },
    ]
    return bodies.map((body) => {
      const at = new Date(now()).toISOString()
      const entry: LogEntry = { session: this.#session, seq: state.seq + 1, at, ...body }
      applyEntry(state, entry)
      return entry
    })
  }
}

const DAY = 24 * 60 * 60 * 1000
type Check = (data: JsonObject) => boolean
const isText = (value: unknown) => typeof value === 'string'
const isTextOrNone = (value: unknown) => value === undefined || value === null || isText(value)
const isPerson = (value: unknown) => isObject(value) && isText(value['name'])

const CHECKS: Record<string, Check> = {
  message: isSdkMessage,
  ask: (data) =>
    isText(data['id']) &&
    ['permission', 'question', 'plan', 'elicitation', 'sign-in'].includes(String(data['kind'])) &&
    isText(data['since']) &&
    Array.isArray(data['agent']) &&
    Array.isArray(data['suggestions']) &&
    isObject(data['why']) &&
    (data['tool'] === undefined || (isObject(data['tool']) && isText(data['tool']['name']))),
  answered: (data) => isText(data['ask']) && isObject(data['answer']) && isPerson(data['by']),
  withdrawn: (data) => isText(data['ask']) && isText(data['reason']),
  prompt(data) {
    const { change, prompt, id, order } = data
    if (change === 'queued') return isObject(prompt) && isText(prompt['id']) && isContent(prompt['content'])
    if (change === 'reordered') return Array.isArray(order) && order.every(isText)
    return ['started', 'done', 'interrupted', 'removed'].includes(String(change)) && isText(id)
  },
  state: (data) =>
    Object.keys(data).every((name) => STATE_FIELDS.includes(name)) &&
    ['cwd', 'title', 'mode', 'model', 'effort', 'error'].every((name) => isTextOrNone(data[name])) &&
    (data['archived'] === undefined || typeof data['archived'] === 'boolean') &&
    (data['status'] === undefined || STATUSES.includes(String(data['status']))),
}
const STATE_FIELDS = ['cwd', 'status', 'title', 'mode', 'model', 'effort', 'archived', 'error', 'by']
const STATUSES = ['running', 'needs-you', 'idle', 'done', 'error']

function isSdkMessage(data: JsonObject): boolean {
  const { type, message, subtype, usage, total_cost_usd: cost } = data
  if (type === 'assistant' || type === 'user') return isMessage(message)
  if (type === 'result') return isObject(usage) && typeof cost === 'number' && isText(subtype)
  return type === 'system' ? isText(subtype) : isText(type) && type !== 'stream_event'
}

function isMessage(value: unknown): boolean {
  return isObject(value) && isContent(value['content'])
}

function isContent(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.every((block) => isObject(block) && isText(block['type'])))
}
