/** What an open request asks, as its title in every interface: `Edit src/config.js?` */

import type { Ask } from '../protocol/session-log/ask-types.js'
import { NOTICE_TEXTS, REQUEST_TITLES } from '../protocol/shown/vocabulary.js'
import { displayOf } from '../tools/displays.js'

type Asked = Pick<Ask, 'kind' | 'elicitation' | 'preview' | 'signIn'> & {
  tool?: Pick<NonNullable<Ask['tool']>, 'name' | 'input'> | undefined
}

/** Holds words of the model and of servers: an interface cleans and shortens it. */
export function requestTitle({ kind, tool, elicitation, signIn, preview }: Asked, cwd: string): string {
  if (kind === 'question') return REQUEST_TITLES.question
  if (kind === 'elicitation')
    return REQUEST_TITLES.elicitation(elicitation?.displayName ?? elicitation?.serverName ?? NOTICE_TEXTS.someServer)
  if (kind === 'sign-in') return REQUEST_TITLES.signIn(signIn?.server ?? NOTICE_TEXTS.someServer)
  return displayOf(tool?.name ?? (kind === 'plan' ? 'ExitPlanMode' : 'a tool')).question(
    { input: tool?.input ?? {}, cwd },
    preview,
  )
}
