/** When a conversation is near the end of the model's window. */
import { readSwitch } from '../platform/switch.js'

/** Kept free for the summary, and for what one step may add before it is made. */
const SUMMARY = 20_000
const MARGIN = 13_000

/** Returns the size from which a conversation is summarized automatically, in tokens. Undefined: never. */
export function compactionLimit(window: number, env: Readonly<Record<string, string | undefined>>): number | undefined {
  if (readSwitch(env.DISABLE_AUTO_COMPACT) || readSwitch(env.DISABLE_COMPACT)) return undefined
  const percent = Number(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE)
  const usual = Math.max(window - SUMMARY - MARGIN, window / 2)
  // It can only be made earlier: later than this there is no room for the summary.
  return percent > 0 && percent <= 100 ? Math.min((window * percent) / 100, usual) : usual
}
