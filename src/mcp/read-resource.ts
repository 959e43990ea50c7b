/** One resource of a server: texts as they are, other content kept in files, all of it within bounds. */

import { isObject } from '../protocol/json.js'
import { cleanServerLine } from './clean-text.js'
import type { Connection } from './connection.js'
import { boundResultText, keepBytesInFile, type ResultPorts } from './tool-result.js'

export type ResourceContents = { contents: { uri: string; mimeType?: string; text?: string }[] }

const MAX_PARTS = 100

export async function readResource(
  connection: Connection,
  uri: string,
  ports: Pick<ResultPorts, 'keep' | 'maxTokens'> & { callMs: number },
  signal: AbortSignal,
): Promise<ResourceContents> {
  const timeoutMs = connection.config?.timeoutMs ?? ports.callMs
  const answer = await connection.request('resources/read', { uri }, { timeoutMs, signal })
  const given = Array.isArray(answer['contents']) ? answer['contents'].slice(0, MAX_PARTS) : []
  const contents: ResourceContents['contents'] = []
  let left = ports.maxTokens
  for (const part of given) {
    if (!isObject(part)) continue
    const { mimeType } = part
    const about = {
      uri: typeof part['uri'] === 'string' ? part['uri'] : uri,
      ...(typeof mimeType === 'string' ? { mimeType: cleanServerLine(mimeType) } : {}),
    }
    const blocks =
      typeof part['text'] === 'string'
        ? [{ type: 'text' as const, text: part['text'] }]
        : // Images too: what is read this way is JSON.
          [await keepBytesInFile('content', part['blob'], mimeType, ports)]
    const [shown] = await boundResultText(blocks, { keep: ports.keep, maxTokens: Math.max(left, 1) })
    const text = shown?.type === 'text' ? shown.text : ''
    left -= text.length / 4
    contents.push({ ...about, text })
  }
  return { contents }
}
