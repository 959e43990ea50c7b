/** Variables of clouds, read as the clouds' users know them: what has an odd shape is refused by name, or counts as unset where that is documented. */
import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import { nonBlankVariable, parseBaseUrl } from '../messages-api/client-environment.js'

/** Returns the address that a variable gives in place of the cloud's. Undefined: the cloud's own address. */
export function customCloudUrl(env: Environment, variable: string): URL | undefined {
  const value = nonBlankVariable(env, variable)
  return value === undefined ? undefined : parseBaseUrl(value, variable)
}

/** A name of a place; anything that could not be one counts as unset. */
export function readRegionName(value: string | undefined): string | undefined {
  const name = value?.trim()
  return name !== undefined && /^[A-Za-z0-9-]+$/.test(name) ? name : undefined
}

export function readMilliseconds(env: Environment, variable: string): number | undefined {
  const value = nonBlankVariable(env, variable)
  if (value === undefined) return undefined
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN
  if (number >= 1 && number <= 2_147_483_647) return number
  throw new ConfigurationError(variable, `${variable} must be a whole number of milliseconds.`)
}

export function readEnumVariable<Value extends string>(
  env: Environment,
  variable: string,
  values: readonly Value[],
): Value | undefined {
  const value = nonBlankVariable(env, variable)?.trim().toLowerCase()
  if (value === undefined) return undefined
  const found = values.find((one) => one === value)
  if (found !== undefined) return found
  throw new ConfigurationError(variable, `${variable} must be one of ${values.join(', ')}.`)
}
