/** Sets of characters. JavaScript knows the Unicode tables, so a set is written as a class of its `v` mode. */

export interface CharSet {
  has(codePoint: number): boolean
}

/** Stands in texts for a byte that is none. No set of ripgrep has it, so none of ours has: see `negateCharacterClass`. */
export const INVALID_BYTE_CHARACTER = '\udc80'

export const WORD_CHARACTERS = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'

/** Everything but what `members` name. */
export function negateCharacterClass(members: string): string {
  return `[^${members}\\p{Cs}]`
}

/** Nothing of it can be taken for syntax. */
export function escapeRegexCharacter(text: string): string {
  return `\\u{${(text.codePointAt(0) ?? 0).toString(16)}}`
}

/** Throws a `SyntaxError` for members that JavaScript does not know. */
export function createCharSet(members: string, ignoreCase: boolean): CharSet {
  const expression = new RegExp(`^[${members}]$`, ignoreCase ? 'iv' : 'v')
  const ascii = new Uint8Array(128)
  for (let code = 0; code < ascii.length; code += 1) {
    if (expression.test(String.fromCharCode(code))) ascii[code] = 1
  }
  const others = new Map<number, boolean>()
  return {
    has(codePoint) {
      if (codePoint < 128) return ascii[codePoint] === 1
      const known = others.get(codePoint)
      if (known !== undefined) return known
      const answer = expression.test(String.fromCodePoint(codePoint))
      others.set(codePoint, answer)
      return answer
    },
  }
}

export function createSingleCharacterSet(text: string): CharSet {
  const only = text.codePointAt(0)
  return { has: (codePoint) => codePoint === only }
}
