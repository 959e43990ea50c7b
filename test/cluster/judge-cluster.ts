/**
 * The judges trust nobody: tools wrote to a file outside of the database, readers kept what they read, the model server what the
 * model was told. These, the log and the transcript have to agree about every call of every prompt.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type TenantDatabase } from '../../src/cluster/database/database.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { callOf, OF_HELPERS } from './step-model.js'

export type Plan = { id: string; name: string; words: readonly string[] }

export type Evidence = {
  url: string
  /** The file the tools write to. */
  effects: string
  sessions: readonly string[]
  plans: readonly Plan[][]
  /** By session: what its reader has. */
  read: readonly LogEntry[][]
  /** By ask: the answers that were accepted. */
  accepted: ReadonlyMap<string, readonly string[]>
  /** By call: what the model was told of it. */
  told: ReadonlyMap<string, ReadonlySet<string>>
}

const COUNTED = [
  ...['prompts', 'results', 'entries', 'lines', 'calls', 'steps', 'interrupted', 'notRun', 'helpers', 'helperSteps'],
  ...['asks', 'helperAsks', 'allowed', 'denied', 'withdrawn', 'takeovers', 'fencedWrites', 'crashed', 'onlyTold'],
] as const
export type Judged = Record<(typeof COUNTED)[number], number>

type Block = { type: string; id?: string; tool_use_id?: string; content?: unknown; is_error?: boolean }
type Line = { type: string; uuid?: string; message?: { content?: string | Block[] } }
type Court = Evidence & {
  judged: Judged
  problems: string[]
  taken: ReadonlyMap<string, number>
  /** Of the first sessions with problems: all that is kept of them, for whoever looks for the reason. */
  kept: string[]
}

const UNKNOWN = /may or may not have taken effect/

export async function judge(evidence: Evidence): Promise<Judged> {
  const taken = new Map<string, number>()
  for (const line of readFileSync(evidence.effects, 'utf8').split('\n').filter(Boolean))
    taken.set(line, (taken.get(line) ?? 0) + 1)
  const judged = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Judged // of exactly these names
  const court: Court = { ...evidence, judged, problems: [], taken, kept: [] }
  for (const [step, count] of taken) if (count > 1) court.problems.push(`${step} was taken ${count} times`)
  judged.steps = taken.size
  const database = await openDatabase({ url: evidence.url, connections: 1 })
  const rows = database.as('default')
  for (const s of evidence.sessions.keys()) {
    const before = court.problems.length
    await judgeSession(court, rows, s)
    if (court.problems.length > before && court.kept.length < MOST_KEPT)
      court.kept.push(await allOf(rows, evidence.sessions[s] ?? ''))
  }
  await judgeRest(court, rows, database.asOperator())
  await database.close()
  if (court.kept.length > 0) {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-chaos-problems-'))
    for (const [at, text] of court.kept.entries()) writeFileSync(join(folder, `session-${at}.txt`), text)
    console.error(`chaos: what is kept of sessions with problems is in ${folder}`)
  }
  assert.deepEqual(court.problems.slice(0, 20), [], `${court.problems.length} problems`)
  return judged
}

const MOST_KEPT = 5

async function allOf(rows: TenantDatabase, session: string): Promise<string> {
  const log = await rows.query<{ at: Date; body: string }>(
    'select at, body from kedge.log_entries where session = $1 order by seq',
    [session],
  )
  const lines = await rows.query<{ seq: number; sub: string; epoch: number; line: string }>(
    'select seq::float8, sub, epoch::float8, line from kedge.transcript_lines where session = $1 order by seq',
    [session],
  )
  return [
    ...log.map(({ at, body }) => `log ${at.toISOString()} ${body}`),
    ...lines.map(({ seq, sub, epoch, line }) => `line ${seq} lease ${epoch} ${sub} ${line}`),
  ].join('\n')
}

async function judgeSession(court: Court, rows: TenantDatabase, s: number): Promise<void> {
  const { judged, problems, sessions, plans, read } = court
  const session = sessions[s] ?? ''
  const stored = await rows.query<{ body: string }>(
    'select body from kedge.log_entries where session = $1 order by seq',
    [session],
  )
  const entries = stored.map(({ body }): LogEntry => JSON.parse(body))
  const kept = await rows.query<{ sub: string; line: string }>(
    'select sub, line from kedge.transcript_lines where session = $1 order by seq',
    [session],
  )
  const lines = kept.map(({ sub, line }): Line & { sub: string } => ({ sub, ...JSON.parse(line) }))
  judged.entries += entries.length
  judged.lines += lines.length
  if (entries.some(({ seq }, index) => seq !== index + 1)) problems.push(`${session}: gaps in its log`)
  // It may have been told to stop before the last of them.
  const seen = read[s] ?? []
  const isSame = seen.every((entry, index) => JSON.stringify(entry) === JSON.stringify(entries[index]))
  if (!isSame || seen.length === 0) problems.push(`${session}: its reader has something else than its log`)
  judgeLines(court, session, entries, lines)
  const messages = entries.flatMap(({ kind, data }) => (kind === 'message' ? [data as Line] : [])) // of the SDK
  for (const plan of plans[s] ?? []) judgePrompt(court, entries, plan, { log: messages, transcript: lines })
  judged.results += messages.filter(({ type }) => type === 'result').length
  judgeAsks(court, session, entries)
}

/**
 * No entry is there twice, and what the transcript has is in the log. What the log has alone was said by a worker that was killed
 * before it was kept, and is asked for again: that is counted; which of them the model was told by is judged call by call.
 */
function judgeLines(court: Court, session: string, entries: readonly LogEntry[], lines: (Line & { sub: string })[]) {
  const { problems, judged } = court
  const prompts = new Set(
    entries.flatMap(({ kind, data }) => (kind === 'prompt' && data.change === 'started' ? [data.message] : [])),
  )
  const isTurn = ({ type }: { type: string }) => type === 'assistant' || type === 'user'
  const told = entries.flatMap(({ kind, data }) =>
    kind === 'message' && isTurn(data) && 'parent_tool_use_id' in data && data.parent_tool_use_id === null
      ? [data.uuid ?? 'none']
      : [],
  )
  const kept = lines.flatMap((line) =>
    line.sub === '' && isTurn(line) && !prompts.has(line.uuid ?? '') ? [line.uuid ?? 'none'] : [],
  )
  const [inLog, inTranscript] = [new Set(told), new Set(kept)]
  if (inLog.size !== told.length) problems.push(`${session}: an entry is twice in its log`)
  if (inTranscript.size !== kept.length) problems.push(`${session}: a line is twice in its transcript`)
  const missed = kept.filter((uuid) => !inLog.has(uuid))
  if (missed.length > 0) problems.push(`${session}: its log lacks ${missed.join()} of its transcript`)
  judged.onlyTold += told.filter((uuid) => !inTranscript.has(uuid)).length
}

type Places = { log: readonly Line[]; transcript: readonly Line[] }

function judgePrompt(court: Court, entries: readonly LogEntry[], { id, name, words }: Plan, places: Places): void {
  const { judged, problems } = court
  judged.prompts += 1
  const changes = entries.flatMap(({ kind, data }) =>
    kind === 'prompt' && ('id' in data ? data.id === id : 'prompt' in data && data.prompt.id === id) ? [data] : [],
  )
  const story = changes.map(({ change }) => change).join(' ')
  if (story !== 'queued started done') problems.push(`${name}: ${story}`)
  const done = changes.find((data) => data.change === 'done')
  const results = entries.flatMap(({ kind, data }) =>
    kind === 'message' && data.type === 'result' && data.uuid === done?.result ? [data] : [],
  )
  if (results.length !== 1) problems.push(`${name}: ${results.length} results`)
  const isCrashed = results[0]?.error_code === 'worker_crashed'
  if (isCrashed) judged.crashed += 1
  else if (results[0]?.is_error !== false)
    problems.push(`${name}: ${JSON.stringify({ ...results[0], usage: 0 }).slice(0, 900)}`)
  for (const [step, word] of words.entries()) {
    const text = judgeCall(court, { name, step, places, mayMiss: isCrashed })
    if (text === undefined) continue
    if (OF_HELPERS[word] === undefined) judgeEffect(court, `${name}.${step}`, text)
    else judgeHelper(court, `${name}-${step}`, text, places)
  }
}

/** Each call is made once and has one result, which the model is told, always in the same words. */
function judgeCall({ problems, judged, told }: Court, { name, step, places, mayMiss }: CallOfPlan): string | undefined {
  const call = callOf(name, step)
  judged.calls += 1
  const found = (lines: readonly Line[]) => {
    const blocks = lines.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
    return {
      calls: blocks.filter((block) => block.type === 'tool_use' && block.id === call),
      results: blocks.filter((block) => block.type === 'tool_result' && block.tool_use_id === call).map(textOfResult),
    }
  }
  const { calls, results } = found(places.transcript)
  // Half an answer is asked for again, so that a call may be there twice; it has one result.
  if ((calls.length === 0 || results.length !== 1) && !mayMiss)
    problems.push(`${name}.${step}: ${calls.length} calls and ${results.length} results in the transcript`)
  const heard = [...(told.get(call) ?? [])]
  const text = results[0] ?? heard[0]
  // A worker may have asked the model on with a result that it died with before it was kept: then nobody knows it.
  const others = heard.filter((one) => one !== text)
  const isUnknown = text !== undefined && UNKNOWN.test(text)
  if (others.length > (isUnknown ? 1 : 0))
    problems.push(`${name}.${step}: the model was told ${[text, ...others].join(' | ')}`)
  // What readers hear last is what counts.
  const last = found(places.log).results.at(-1)
  if (last !== undefined && text !== undefined && last !== text && !isUnknown)
    problems.push(`${name}.${step}: readers heard ${last.slice(0, 200)}, the model ${text.slice(0, 200)}`)
  return text
}

type CallOfPlan = { name: string; step: number; places: Places; mayMiss: boolean }

/** What was said of a step is what became of it. */
function judgeEffect({ problems, judged, taken }: Court, step: string, text: string): void {
  const isTaken = taken.has(step)
  if (UNKNOWN.test(text)) {
    judged.interrupted += 1
    return
  }
  const isSaid = text.includes(`stepped ${step}`)
  if (!isSaid) judged.notRun += 1
  if (isSaid !== isTaken)
    problems.push(`${step}: ${isTaken ? 'taken' : 'not taken'}, and told as ${text.slice(0, 200)}`)
}

/** One that was interrupted may have come any way; of one that ended each step is known. */
function judgeHelper(court: Court, name: string, text: string, places: Places): void {
  const { problems, judged } = court
  if (UNKNOWN.test(text)) judged.interrupted += 1
  else if (text.includes(`Done: ${name}`)) judged.helpers += 1
  else problems.push(`${name}: a helper ended with ${text.slice(0, 300)}`)
  const isOver = !UNKNOWN.test(text)
  for (const step of [0, 1]) {
    const said = judgeCall(court, { name, step, places, mayMiss: !isOver })
    if (court.taken.has(`${name}.${step}`)) judged.helperSteps += 1
    if (said !== undefined) judgeEffect(court, `${name}.${step}`, said)
  }
}

/** Every ask was told once and closed once; what took effect is what was answered. */
function judgeAsks({ problems, judged, accepted, taken }: Court, session: string, entries: readonly LogEntry[]): void {
  const closed = new Map<string, string[]>()
  const close = (ask: string, how: string) => closed.set(ask, [...(closed.get(ask) ?? []), how])
  for (const { kind, data } of entries) {
    if (kind === 'answered') close(data.ask, data.answer.kind)
    if (kind === 'withdrawn') close(data.ask, 'withdrawn')
  }
  const asks = entries.flatMap(({ kind, data }) => (kind === 'ask' ? [data] : []))
  if (new Set(asks.map(({ id }) => id)).size !== asks.length) problems.push(`${session}: an ask was told twice`)
  for (const { id, tool, asker } of asks) {
    judged.asks += 1
    if (asker !== undefined) judged.helperAsks += 1
    const ends = closed.get(id) ?? []
    if (ends.length !== 1) problems.push(`${session}: ask ${id} was closed ${ends.length} times`)
    const [end = ''] = ends
    judged[end === 'allow' ? 'allowed' : end === 'deny' ? 'denied' : 'withdrawn'] += 1
    // Nobody interrupts here: what a machine asked outlives it. A sub-agent's question goes with its sub-agent.
    if (end === 'withdrawn' && asker === undefined) problems.push(`${session}: ask ${id} was lost`)
    const answers = accepted.get(id) ?? []
    // Both have the same token: who says the same again after a cut connection is told that it counts.
    if (answers.some((answer) => answer !== end))
      problems.push(`${session}: ask ${id} was ${end}, and people were told ${answers}`)
    const step = String(tool?.input['name'])
    if (end !== 'allow' && taken.has(step)) problems.push(`${session}: ${step} was taken, and it was ${end}`)
  }
}

async function judgeRest(court: Court, rows: TenantDatabase, all: TenantDatabase): Promise<void> {
  const { judged, problems, plans, taken } = court
  if (judged.results !== judged.prompts) problems.push(`${judged.results} results of ${judged.prompts} prompts`)
  const [left] = await rows.query<{ sessions: number; asks: number; prompts: number }>(
    `select (select count(*)::int from kedge.sessions where state <> 'idle') as sessions,
       (select count(*)::int from kedge.asks where state = 'open') as asks,
       (select count(*)::int from kedge.inbox where not done) as prompts`,
  )
  if (left?.sessions !== 0 || left.asks !== 0 || left.prompts !== 0) problems.push(`left: ${JSON.stringify(left)}`)
  const counters = await all.query<{ name: string; value: string }>('select name, value from kedge.counters')
  const counted = new Map(counters.map(({ name, value }) => [name, Number(value)]))
  judged.takeovers = counted.get('takeovers') ?? 0
  judged.fencedWrites = counted.get('fenced_writes') ?? 0
  const planned = new Set(plans.flat().flatMap(stepsOf))
  for (const step of taken.keys()) if (!planned.has(step)) problems.push(`${step} was taken, and nobody had planned it`)
}

function stepsOf({ name, words }: Plan): string[] {
  return words.flatMap((word, step) =>
    OF_HELPERS[word] === undefined ? [`${name}.${step}`] : [0, 1].map((own) => `${name}-${step}.${own}`),
  )
}

/** The words of a result, however they are wrapped. */
export function textOfResult({ content }: { content?: unknown }): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: { text?: string }) => block.text ?? '').join('')
}
