/** What a session says to an MCP client: its state, its items after an entry, and when its turn is over. */
import { firstAbort } from '../../platform/first-abort.js'
import type { SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import type { SessionStatus } from '../../protocol/session-log/entries.js'
import { applyToView } from '../../view/session-view.js'
import { createSessionView } from '../../view/view-state.js'
import type { McpSessionGate } from './session-gate.js'
import { itemText, type OpenRequestSummary, summarizeRequest } from './session-text.js'

/** Characters of one answer: what is older is left out first. */
const MOST_OF_ANSWER = 60_000

export async function sessionState(
  access: McpSessionGate,
  session: string,
): Promise<{ session: string; status: SessionStatus; error?: string; requests: OpenRequestSummary[] }> {
  const { status, cwd, error } = await access.hub.info(session)
  const requests = await access.openRequests(session)
  return {
    session,
    status,
    ...(error === undefined ? {} : { error }),
    requests: requests.map((ask) => summarizeRequest(ask, cwd)),
  }
}

/** Reads the stored log: as text, what happened after the entry `after`. */
export async function readSessionItems(
  access: McpSessionGate,
  session: string,
  after: number,
): Promise<{ text: string; last: number }> {
  const view = createSessionView()
  for await (const entries of access.hub.stored(session, 0)) for (const entry of entries) applyToView(view, entry)
  const texts = view.items.flatMap((item) => (item.seq > after ? (itemText(item) ?? []) : []))
  let text = texts.join('\n\n')
  if (text.length > MOST_OF_ANSWER) text = `… (${text.length} characters)\n\n${text.slice(-MOST_OF_ANSWER)}`
  return { text, last: view.seq }
}

/** Waits until the session rests or needs a user, at most so long, and reports what it does meanwhile. */
export async function waitForTurn(
  access: McpSessionGate,
  session: string,
  seconds: number,
  { signal, reportProgress }: Pick<SdkMcpCallContext, 'signal' | 'reportProgress'>,
): Promise<void> {
  if (seconds === 0) return
  const end = firstAbort([signal], seconds * 1000)
  let reported = 0
  try {
    const after = await access.hub.last(session)
    if (await isResting(access, session)) return
    for await (const item of access.hub.read(session, { after, signal: end.signal, deltas: false })) {
      if (item.kind === 'message' && item.data.type === 'assistant') {
        reported += 1
        void reportProgress(reported, undefined, `${reported} responses of the model`)
      }
      const mayRest = item.kind === 'ask' || item.kind === 'state' || item.kind === 'prompt'
      if (mayRest && (await isResting(access, session))) return
    }
  } finally {
    end.release()
  }
}

/** Nothing runs or waits for its turn, or nothing can before a person decides. */
async function isResting(access: McpSessionGate, session: string): Promise<boolean> {
  const { status, waiting, asks } = await access.hub.info(session)
  return asks > 0 || status === 'error' || (status !== 'running' && status !== 'needs-you' && waiting === 0)
}
