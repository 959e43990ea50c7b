/** How a variable of the environment says yes or no. */

/**
 * Reads a variable as on or off. Undefined for what is neither; the caller decides, or refuses by name. Nothing, and
 * only blanks, is a no.
 */
export function readSwitch(value: string | undefined): boolean | undefined {
  const word = value?.trim().toLowerCase() ?? ''
  if (['', '0', 'false', 'no', 'off'].includes(word)) return false
  return ['1', 'true', 'yes', 'on'].includes(word) ? true : undefined
}

/** A variable that is not set, is empty, or says neither yes nor no means `preset`. */
export function isVariableOn(value: string | undefined, preset = false): boolean {
  return value?.trim() ? (readSwitch(value) ?? preset) : preset
}
