/** Options of every agent that a session drives. Pure. */
import type { Options } from '../../protocol/options.js'
import type { SessionState } from '../session-state.js'

/** What only readers of this kind need; the log keeps deltas apart from it. */
export const ALL_OUTPUT_OPTIONS: Options = {
  includePartialMessages: true,
  includeToolOutput: true,
  includeHookEvents: true,
  forwardSubagentText: true,
  askDetails: true,
  includeNotices: true,
}

/** What a session was changed to; an agent starts with it. */
type SessionChanges = { [K in 'mode' | 'model' | 'effort']?: SessionState[K] | null }

export function toSessionChangeOptions({ mode, model, effort }: SessionChanges): Options {
  return {
    ...(mode ? { permissionMode: mode } : {}),
    ...(model ? { model } : {}),
    ...(effort ? { effort: effort as NonNullable<Options['effort']> } : {}), // set from this type
  }
}

/** `resumeAt`: the message after which a stored conversation continues, if not at its end. */
export function toConversationOptions(session: string, isStored: boolean, resumeAt: string | undefined): Options {
  if (!isStored) return { sessionId: session }
  return { resume: session, ...(resumeAt === undefined ? {} : { resumeSessionAt: resumeAt }) }
}
