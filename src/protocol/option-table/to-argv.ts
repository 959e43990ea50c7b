/** Encodes options as command-line arguments by the option table, in the order hosts have always sent them. */

import type { Options } from '../options.js'
import type { OptionRow } from './option-row.js'
import { OPTION_ROWS } from './option-rows.js'

export function toArgv(options: Options, rows: readonly OptionRow[] = OPTION_ROWS): string[] {
  const spoken = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
  return [...spoken, ...rows.flatMap((row) => encodeRow(row, options))]
}

function encodeRow([option, name, kind, parts]: OptionRow, options: Options): string[] {
  if (kind === 'words') return parts.encode(options)
  if (kind === 'none') return []
  const flag = `--${name}`
  const encode = parts?.encode
  const value: unknown = encode ? encode(options) : options[option]
  if (kind === 'switch') return value ? [flag] : []
  if (value === undefined || value === null) return []
  if (encode && value === true) return [flag]
  if (!Array.isArray(value)) return [flag, String(value)]
  if (kind === 'repeat') return value.flatMap((item) => [flag, String(item)])
  return value.length > 0 ? [flag, value.join(',')] : []
}
