/** What a request is called: its question as a title, and a word or two for lists. */
import { requestTitle } from '../../src/hub/view/request-title.js'
import { displayOf } from '../../src/tools/displays.js'
import { exactDisplayLine } from '../safe/clean-text.js'
import { T } from '../texts.js'
import { sessions } from './all-sessions.js'
import type { Ask } from './server-types.js'

export function askTitle(ask: Ask): string {
  return exactDisplayLine(requestTitle(ask, sessions.value.get(ask.session)?.cwd ?? ''), 160)
}

export function askLabel({ kind, tool }: Ask): string {
  if (!tool) return T.askKinds[kind]
  return exactDisplayLine(displayOf(tool.name).label({ input: tool.input, cwd: '' }), 40)
}
