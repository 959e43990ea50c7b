/** Names that files give to commands, skills, agents and styles: text of strangers that people and rules will name. */

const MAX_LENGTH = 64
const WORD = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._-]*$/u

/** The name in its one form; undefined for what can't be one. `spaces` allows single ones between words. */
export function toDefinitionName(text: string, { spaces = false } = {}): string | undefined {
  const name = text.normalize('NFC')
  if ([...name].length > MAX_LENGTH) return undefined
  const words = spaces ? name.split(' ') : [name]
  return words.every((word) => WORD.test(word)) ? name : undefined
}

export const DEFINITION_NAME_RULE_TEXT = `a name has letters, digits, '-', '_' and '.', and at most ${MAX_LENGTH} characters`
