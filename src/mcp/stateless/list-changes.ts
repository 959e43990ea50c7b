/**
 * What a server says has changed, in a revision where nothing comes unasked: one request stays open, and news comes on its
 * stream. Where it is cut, it is asked again, and what could have changed meanwhile is listed once more.
 */
import type { Clock } from '../../platform/clock.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { ListKind } from '../lists/list-offer.js'
import { McpError } from '../mcp-error.js'
import type { Rpc } from '../rpc.js'

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources']
/** After the n-th cut in a row; then no more is heard of changes. */
const BACKOFF_MS = [500, 1000, 2000, 4000, 8000, 16_000, 32_000]
const METHOD_NOT_FOUND = -32_601
/** Open for so long, it counts as well again. */
const STABLE_MS = 30_000
/** It is open as long as the connection; a timer can't be longer. */
const OPEN_MS = 2 ** 31 - 1

export type ListChangePorts = {
  clock: Pick<Clock, 'monotonic' | 'sleep'>
  /** What the server says it can do. */
  capabilities: JsonObject
  /** There may be news: the stream was cut for a while. */
  refresh(kind: ListKind): Promise<void>
}

/** Resolves when nothing more is listened to: the connection is closed, or the server has nothing to say. */
export async function listenForListChanges(rpc: Rpc, { clock, capabilities, refresh }: ListChangePorts): Promise<void> {
  const kinds = KINDS.filter((kind) => {
    const has = capabilities[kind]
    return isObject(has) && has['listChanged'] === true
  })
  if (kinds.length === 0) return
  const notifications = Object.fromEntries(kinds.map((kind) => [`${kind}ListChanged`, true]))
  for (let cuts = 0; !rpc.closed.aborted; cuts += 1) {
    const began = clock.monotonic()
    const refused = await rpc.request('subscriptions/listen', { notifications }, { timeoutMs: OPEN_MS }).then(
      () => false,
      (problem: unknown) => problem instanceof McpError && problem.refusal?.code === METHOD_NOT_FOUND,
    )
    if (refused) return
    if (clock.monotonic() - began > STABLE_MS) cuts = 0
    const wait = BACKOFF_MS[cuts]
    if (wait === undefined) return
    await clock.sleep(wait, rpc.closed)
    if (!rpc.closed.aborted) await Promise.all(kinds.map(refresh))
  }
}
