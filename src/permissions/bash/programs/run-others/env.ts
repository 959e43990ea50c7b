/** Env: it runs a program in another environment. */
import type { ShellWord } from '../../syntax/syntax.js'
import { joinWordsAsScript } from '../option-script-texts.js'
import type { KnownPrograms, ScriptText } from '../program-knowledge.js'

export const ENV_PROGRAM: KnownPrograms = {
  env: {
    runs: {
      opaque: { values: 'uCS', flags: 'i0v', longs: ['--unset', '--chdir'], assignments: true },
      texts: splitTexts,
      assigns: true,
    },
    obeys: { enters: /^(?:-C|--chdir)(?:=|$)/ },
  },
}

/** `env -S text word …`: the text is cut into words, and the words after it are the rest of the same command. */
function splitTexts(words: readonly ShellWord[]): ScriptText[] {
  return words.flatMap((word, i) => {
    const [, text] = /^(?:-[a-zA-Z0-9]*S|--split-string(?:=|$))(.*)$/s.exec(word.value) ?? []
    if (text === undefined) return []
    const [first, ...rest] = text === '' ? words.slice(i + 1) : [{ ...word, value: text }, ...words.slice(i + 1)]
    return first ? joinWordsAsScript([first, ...rest.map((other) => ({ ...other, value: other.source }))]) : []
  })
}
