/** How a tool call is shown: a title, its kind, the files it is about. Pure. */
import type { ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import { cutLineMiddle, showUnseen } from '../../protocol/shown/unseen-text.js'
import { displayOf } from '../../tools/displays.js'

export type AcpToolCallFields = { title: string; kind: ToolKind; locations: ToolCallLocation[] }

const MAX_TITLE = 200

/** `input` may be incomplete, while the model writes it. */
export function toAcpToolCallFields(name: string, input: unknown, cwd: string): AcpToolCallFields {
  const call = { input: isObject(input) ? input : {}, cwd }
  const display = displayOf(name)
  const file = display.file(call)
  return {
    title: shownTitle(display.title(call)),
    kind: display.kind,
    locations: file && file.path !== '' ? [{ ...file, path: toAbsoluteLocation(file.path, cwd) }] : [],
  }
}

/** The end of a long one is in sight, too: a command does what its last words say. */
function shownTitle(text: string): string {
  return cutLineMiddle(showUnseen(text), MAX_TITLE)
}

export function toAbsoluteLocation(path: string, cwd: string): string {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${cwd}/${path}`
}
