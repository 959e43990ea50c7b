/**
 * Messages of a turn that are in the transcript but not in the log, because the worker stopped between the two writes.
 * The next worker adds them to the log first. Log entries are written in order, so only the last messages can be
 * missing.
 */
import type { UUID } from '../../protocol/content.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { CLUSTER_PROJECT_KEY } from '../runs/claimed-run.js'

/**
 * Returns the messages of a prompt's turn that the transcript has and the log doesn't. `prompt`: its message's id in
 * the transcript. Returns messages of the main conversation; those of sub-agents are stored elsewhere.
 */
export async function findUnloggedMessages(
  database: TenantDatabase,
  session: string,
  prompt: string,
): Promise<SDKMessage[]> {
  const lines = await retryWhileUnavailable(() =>
    database.query<{ line: string }>(LINES, [database.tenant, CLUSTER_PROJECT_KEY, session, prompt]),
  )
  const said = lines.flatMap(({ line }) => toMessage(JSON.parse(line), session))
  if (said.length === 0) return []
  const entries = await retryWhileUnavailable(() =>
    database.query<{ body: string }>(TOLD, [database.tenant, session, `%"started"%${prompt}%`]),
  )
  const told = new Set(entries.map(({ body }): string => JSON.parse(body).data.uuid))
  return said.filter(({ uuid }) => uuid !== undefined && !told.has(uuid))
}

/** A line of the transcript, as the agent writes it. */
type Line = {
  type?: string
  uuid?: UUID
  isMeta?: boolean
  message?: { content?: unknown }
  toolUseResult?: unknown
}

function toMessage({ type, uuid, isMeta, message, toolUseResult }: Line, session: string): SDKMessage[] {
  if (isMeta || uuid === undefined || message === undefined) return []
  const said = { message, parent_tool_use_id: null, session_id: session, uuid }
  if (type === 'assistant') return [{ type, ...said } as SDKMessage] // the message is the model's own, as it was streamed
  if (type !== 'user' || !isResults(message.content)) return []
  const result = toolUseResult === undefined ? {} : { tool_use_result: toolUseResult }
  return [{ type, ...said, ...result } as SDKMessage] // the message is what the model was told
}

function isResults(content: unknown): boolean {
  return Array.isArray(content) && content.some((block: { type?: unknown } | null) => block?.type === 'tool_result')
}

const OF = `tenant = $1 and project_key = $2 and session = $3 and sub = ''`
const LINES = `select line from kedge.transcript_lines where ${OF}
  and seq > (select seq from kedge.transcript_lines where ${OF} and uuid = $4) order by seq`
/** Since the prompt was begun. */
const TOLD = `select body from kedge.log_entries where tenant = $1 and session = $2 and kind = 'message' and seq > coalesce((
  select max(seq) from kedge.log_entries where tenant = $1 and session = $2 and kind = 'prompt' and body like $3), 0)`
