/** Options that can't mean anything, found by the option table before anything starts. */
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'
import { describeSchemaProblem, validate } from '../validate.js'
import type { OptionRow } from './option-row.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from './option-rows.js'
import { OPTION_SHAPES } from './option-shapes.js'

export function checkOptions(options: Options, rows: readonly OptionRow[] = OPTION_ROWS): void {
  const newer = Object.entries(REFUSED_OPTIONS).find(([name, { unless }]) => {
    const value: unknown = Reflect.get(options, name)
    return value !== undefined && !asksForNothing(value, unless)
  })?.[0]
  if (newer) {
    const text = `The option ${newer} is not supported by this version of Kedge.`
    throw new ConfigurationError(newer, text, 'unsupported_option')
  }
  checkShapes(options)
  for (const [option, , kind, parts] of rows) {
    if (kind !== 'words') parts?.check?.(options, option, parts.choices ?? [])
  }
}

function asksForNothing(value: unknown, nothing: unknown): boolean {
  if (typeof nothing !== 'object') return value === nothing
  return JSON.stringify(value) === JSON.stringify(nothing)
}

/** Ignores keys that are not options of Kedge. */
function checkShapes(options: Options): void {
  for (const [option, shape] of Object.entries(OPTION_SHAPES)) {
    const value: unknown = Reflect.get(options, option)
    if (value === undefined) continue
    const [problem] = validate(value, shape)
    if (!problem) continue
    const separator = problem.path === '' || problem.path.startsWith('[') ? '' : '.'
    const path = `${option}${separator}${problem.path}`
    throw new ConfigurationError(option, `${describeSchemaProblem({ ...problem, path })}.`)
  }
}
