/** What every mind can make of an error that says enough: the table of hints it understands. */
import { createExtraAttempt, type PlannedCallAttempt } from './mind.js'
import type { PlannedCall } from './mind-script.js'

type Repair = {
  /** The hint in the error. */
  hint: RegExp
  /** The call with the hint used; undefined: the hint is no use here. */
  mend(call: PlannedCall, match: RegExpExecArray): PlannedCall | readonly PlannedCall[] | undefined
}

const withInput = (call: PlannedCall, input: Record<string, unknown>): PlannedCall => ({
  ...call,
  input: { ...call.input, ...input },
})

const readFirst = (call: PlannedCall): readonly PlannedCall[] | undefined => {
  const path = call.input['file_path'] ?? call.input['notebook_path']
  return typeof path === 'string' ? [{ tool: 'Read', input: { file_path: path } }, call] : undefined
}

const REPAIRS: readonly Repair[] = [
  { hint: /not been read|read it (?:first|again)|modified since|changed since/i, mend: readFirst },
  {
    hint: /there is no tool \S+?\.? Did you mean [`"]?([\w-]+)/i,
    mend: (call, [, tool = '']) => ({ ...call, tool }),
  },
  {
    hint: /Did you mean [`"]?([^\s`"?]+)/,
    mend: (call, [, path = '']) =>
      typeof call.input['file_path'] === 'string' ? withInput(call, { file_path: path }) : undefined,
  },
  {
    hint: /(?:matches but for spaces|Nearest)[^:]*:\s*(?:line \d+[^"]*)?"((?:[^"\\]|\\.)*)"/i,
    mend: (call, [, text = '']) => (call.tool === 'Edit' ? withInput(call, { old_string: unquoted(text) }) : undefined),
  },
]

/** The text as a JSON string has it, or as it stands. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

/** The calls to make next; undefined if the error has no hint that helps. */
export function nextCallsAfterError(attempt: PlannedCallAttempt, error: string): PlannedCallAttempt[] | undefined {
  for (const { hint, mend } of REPAIRS) {
    const match = hint.exec(error)
    const mended = match ? mend(attempt.call, match) : undefined
    if (mended === undefined) continue
    const calls = Array.isArray(mended) ? mended : [mended]
    return calls.map((call, at) =>
      at === calls.length - 1 ? { ...attempt, call, mended: new Set(attempt.mended) } : createExtraAttempt(call),
    )
  }
  return undefined
}
