/** Whether a session writes a timeline, where to, and of what: flags first, then `KEDGE_DEBUG`. */
import { resolve } from '../platform/paths.js'
import { readSwitch } from '../platform/switch.js'
import { DEBUG_FILTER_PATTERN, DEBUG_KINDS, parseDebugFilter } from '../protocol/debug-filter.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import type { DebugSettings } from './configuration.js'

/** A text when the variable means nothing. */
export function readDebugSettings(
  flags: FlagReader,
  { KEDGE_DEBUG }: { readonly KEDGE_DEBUG?: string | undefined },
  cwd: string,
): DebugSettings | string {
  const file = flags.text('debug-file')
  const filter = flags.text('debug') ?? (flags.has('mcp-debug') && !flags.has('debug') ? 'mcp' : undefined)
  const asked = flags.has('debug') || flags.has('debug-to-stderr') || filter !== undefined || file !== undefined
  const place = file === undefined ? {} : { file: resolve(cwd, file) }
  const stamp = flags.has('debug-to-stderr') ? { stamped: true as const } : {}
  if (asked) return { on: true, ...place, ...stamp, kinds: parseDebugFilter(filter) }
  const value = KEDGE_DEBUG?.trim() ?? ''
  const isOn = readSwitch(value)
  if (isOn !== undefined) return { on: isOn, kinds: parseDebugFilter(undefined) }
  if (DEBUG_FILTER_PATTERN.test(value)) return { on: true, kinds: parseDebugFilter(value) }
  if (/[/\\]/.test(value)) return { on: true, file: resolve(cwd, value), kinds: parseDebugFilter(undefined) }
  return `KEDGE_DEBUG must be 1, a list of ${DEBUG_KINDS.join(', ')}, or the path of a file (with a / in it).`
}
