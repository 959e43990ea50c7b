/** What a sub-agent is: a small file beside its transcript, as Claude Code writes it, so a later session can resume it. */
import type { FileSystem, SyncFiles } from '../../platform/files/files.js'
import { isObject } from '../../protocol/json.js'

export type AgentMeta = { agentType: string; description?: string | undefined; toolUseId: string; spawnDepth: number }

const MAX_BYTES = 65_536

/** Keeps a file that is there. Without a transcript on the disk nothing is saved, and a full disk ends no agent. */
export async function writeAgentMeta(files: FileSystem, transcript: string, meta: AgentMeta): Promise<void> {
  const path = metaPath(transcript)
  if (!files.existsSync(transcript) || files.existsSync(path)) return
  await files.replace(path, JSON.stringify(meta), 0o600).catch(() => {})
}

/** Undefined if there is none, or if it doesn't name a type. */
export function readAgentType(files: SyncFiles, transcript: string): string | undefined {
  try {
    const meta: unknown = JSON.parse(files.readTextSync(metaPath(transcript), MAX_BYTES))
    return isObject(meta) && typeof meta.agentType === 'string' ? meta.agentType : undefined
  } catch {
    return undefined
  }
}

function metaPath(transcript: string): string {
  return transcript.replace(/\.jsonl$/, '.meta.json')
}
