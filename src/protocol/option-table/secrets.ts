/** What options that may hold credentials put on the command line, so that whoever shows something can leave those out. */
import type { Options } from '../options.js'
import type { OptionRow } from './option-row.js'
import { OPTION_ROWS } from './option-rows.js'

export function secretValues(options: Options, rows: readonly OptionRow[] = OPTION_ROWS): unknown[] {
  return rows.flatMap(([option, , kind, parts]) => {
    if (kind === 'none' || !parts?.secret) return []
    try {
      // Servers that travel in another way hold the same.
      return [parts.encode ? parts.encode({ ...options, mcpServersDelivery: 'argv' }) : options[option]]
    } catch {
      // What can't be sent is never shown either; that it is refused is reported elsewhere.
      return []
    }
  })
}
