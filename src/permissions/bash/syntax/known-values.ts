/** Puts in what variables stand for, where every value they are given is in sight: the lists of loops, plain assignments. */
import type { ShellVariable, ShellWord } from './syntax.js'

/** Beyond, variables are left as they are. */
const MOST_VALUES = 2_000

/** A word that is nothing but a variable becomes all that it may be. Only for commands that take any number of files alike. */
export function expandKnownVariables(
  words: readonly ShellWord[],
  values: readonly ShellVariable[] = [],
): readonly ShellWord[] {
  if (values.length === 0) return words
  let left = MOST_VALUES
  return words.flatMap((word, i) => {
    const known = i === 0 || left < 0 ? undefined : valuesOf(word, values)
    left -= known?.length ?? 0
    return known ?? [word]
  })
}

function valuesOf(word: ShellWord, values: readonly ShellVariable[]): readonly ShellWord[] | undefined {
  const name = word.dynamic ? /^\$(?:([a-z]\w*)|\{([a-z]\w*)\})$/.exec(word.value) : undefined
  if (!name) return undefined
  const given = values.filter((variable) => variable.name === (name[1] ?? name[2]))
  const known = given.flatMap(({ value }) => (value && isPlace(value, word.single) ? [value] : []))
  return known.length > 0 && known.length === given.length ? known : undefined
}

/** It can't turn into an option, and without quotes not into several words either. */
function isPlace(value: ShellWord, quoted: boolean): boolean {
  return (
    !value.dynamic && /^[^-]/.test(value.value) && (quoted || (!value.glob && /^[\w./~@%+:,-]+$/.test(value.value)))
  )
}
