/** A user interface that a tool of a server brings (`ui://…`), for a host to show: as it is, but within bounds. */
import type { SDKControlMcpReadResourceResponse } from '../protocol/control.js'
import { isObject } from '../protocol/json.js'
import type { Connection } from './connection.js'

const MAX_PARTS = 100
const TIMEOUT_MS = 60_000

export async function readToolUiResource(
  connection: Connection,
  uri: string,
  signal: AbortSignal,
): Promise<SDKControlMcpReadResourceResponse> {
  const timeoutMs = connection.config?.timeoutMs ?? TIMEOUT_MS
  const answer = await connection.request('resources/read', { uri }, { timeoutMs, signal })
  const given = Array.isArray(answer['contents']) ? answer['contents'].slice(0, MAX_PARTS) : []
  return {
    contents: given.filter(isObject).map((part) => ({
      uri: typeof part['uri'] === 'string' ? part['uri'] : uri,
      ...textsOf(part),
      ...(isObject(part['_meta']) ? { _meta: part['_meta'] } : {}),
    })),
  }
}

function textsOf(part: Record<string, unknown>): { mimeType?: string; text?: string; blob?: string } {
  const keys = ['mimeType', 'text', 'blob'] as const
  return Object.fromEntries(keys.flatMap((key) => (typeof part[key] === 'string' ? [[key, part[key]]] : [])))
}
