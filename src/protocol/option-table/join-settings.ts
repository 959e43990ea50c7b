/** `extraArgs` as they are given, except that settings from everywhere share one last `--settings`. */
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'

export function toExtraArgsArgv({ extraArgs = {}, settings, sandbox }: Options): string[] {
  const isJoined = (name: string, value: string | null) =>
    name === 'settings' && value !== null && (sandbox || settings !== undefined)
  return Object.entries(extraArgs).flatMap(([name, value]) =>
    isJoined(name, value) ? [] : [`--${name}`, ...(value === null ? [] : [value])],
  )
}

export function joinSettingsAndSandbox({ extraArgs, settings, sandbox }: Options): string | undefined {
  if (settings === undefined && !sandbox) return undefined
  const further = extraArgs?.settings ?? undefined
  // The path of a file, with nothing to put beside it.
  if (typeof settings === 'string' && !sandbox && further === undefined) return settings
  const own = typeof settings === 'string' ? parseObject(settings, 'settings') : settings
  return JSON.stringify({ ...parseObject(further, 'extraArgs.settings'), ...own, ...(sandbox ? { sandbox } : {}) })
}

function parseObject(json: string | undefined, option: string): object {
  if (json === undefined) return {}
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Falls through to the error below.
  }
  const name = option.split('.')[0] ?? option
  throw new ConfigurationError(name, `${option} must be a JSON object when there are other settings to put beside it.`)
}
