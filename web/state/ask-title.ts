/** What a request is called: its question as a title, and a word or two for lists. */

import { displayOf } from '../../src/tools/displays.js'
import { requestTitle } from '../../src/view/request-title.js'
import { exactDisplayLine } from '../safe/clean-text.js'
import { T } from '../texts.js'
import type { Ask } from './server-types.js'

/** Paths are shown as they are from `cwd`, the folder of its session. */
export function askTitle(ask: Ask, cwd: string): string {
  return exactDisplayLine(requestTitle(ask, cwd), 160)
}

export function askLabel({ kind, tool }: Ask): string {
  if (!tool) return T.askKinds[kind]
  return exactDisplayLine(displayOf(tool.name).label({ input: tool.input, cwd: '' }), 40)
}
