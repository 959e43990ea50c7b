/** The end of what a background command wrote, for a host that shows it. */
import type { SDKControlGetTaskOutputResponse } from '../../protocol/requests/session-answers.js'
import type { Conversation } from '../conversation.js'

const TAIL = 8192

/** Undefined: this session has no such command. */
export function readTaskOutput(
  { shared: { background, platform } }: Conversation,
  id: string,
): SDKControlGetTaskOutputResponse | undefined {
  const task = background.table.find(id)
  if (!task || task.type !== 'local_bash') return undefined
  const { outputFile } = task
  // Gone once the session that wrote it has cleaned up.
  const size = platform.files.lstatSync(outputFile)?.size ?? 0
  const bytes = size === 0 ? new Uint8Array() : platform.files.readEndSync(outputFile, TAIL)
  return { output: new TextDecoder().decode(bytes), total_bytes: size, truncated: size > TAIL }
}
