/** Options that can't mean anything, found by the option table before anything starts. */
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'
import type { OptionRow } from './option-row.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from './option-rows.js'

export function checkOptions(options: Options, rows: readonly OptionRow[] = OPTION_ROWS): void {
  const newer = REFUSED_OPTIONS.find((name) => name in options && Reflect.get(options, name) !== undefined)
  if (newer) {
    const text = `The option ${newer} is not supported by this version of Kedge.`
    throw new ConfigurationError(newer, text, 'unsupported_option')
  }
  for (const [option, , kind, parts] of rows) {
    if (kind !== 'words') parts?.check?.(options, option, parts.choices ?? [])
  }
}
