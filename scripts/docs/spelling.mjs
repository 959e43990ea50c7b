// Words of prose that no dictionary and no list of ours knows. American spelling.
import american from 'dictionary-en'
import nspell from 'nspell'

/** A function `(text) → unknown words`; `own` are words that are right although no dictionary has them. */
export function createSpelling(own) {
  const dictionary = nspell(american)
  for (const word of own) dictionary.add(word)
  return (text) => [...new Set(prose(text).match(/\p{L}[\p{L}'’]*\p{L}/gu) ?? [])].filter((word) => !isRight(word))

  function isRight(word) {
    // Names of the code and short forms: `canUseTool`, `SIGTERM`, `PDFs`.
    if (/\p{L}\p{Lu}/u.test(word)) return true
    return dictionary.correct(word) || dictionary.correct(word.replace(/['’]s$/, ''))
  }
}

/** Without code, addresses, markup and names of files. */
function prose(text) {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/`[^`]*`/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/https?:\S+/g, ' ')
    .replace(/[\w@./-]*[/@_.][\w@./-]*\w/g, ' ')
}
