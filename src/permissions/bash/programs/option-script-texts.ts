/** Reads texts from the words of a program that some shell will run. */
import type { ShellWord } from '../syntax/syntax.js'
import type { ScriptText } from './program-knowledge.js'

/** The word after an option (skipping further options), or the part after its `=`. */
export function scriptTextsOfOption(words: readonly ShellWord[], option: RegExp, attached: RegExp): ScriptText[] {
  const found: ScriptText[] = []
  words.forEach((word, i) => {
    const match = attached.exec(word.value)
    const direct = match?.slice(1).find((group) => group !== undefined)
    if (direct !== undefined) found.push(...toScriptTexts(word, direct))
    else if (i > 0 && option.test(word.value)) {
      const value = words.slice(i + 1).find((w) => !/^[-+][A-Za-z]|^--$/.test(w.value))
      if (value) found.push(...toScriptTexts(value))
    }
  })
  return found
}

export function toScriptTexts(word: ShellWord, text = word.value): ScriptText[] {
  return word.dynamic ? [undefined, text] : [text]
}

/** The words as one text. */
export function joinWordsAsScript(words: readonly ShellWord[]): ScriptText[] {
  const text = words.map((word) => word.value).join(' ')
  return words.some((word) => word.dynamic) ? [undefined, text] : [text]
}

/** Texts of a program that takes whole command lines as words: every word of it is read as one. */
export function scriptTextsOfWords(words: readonly ShellWord[]): ScriptText[] {
  return words.slice(1).flatMap((word) => (/[\s;&|]/.test(word.value) ? toScriptTexts(word) : []))
}

/** Texts of a program that takes a command line behind `-c`, or an option like it. */
export function scriptTextsOfCommandOption(words: readonly ShellWord[]): ScriptText[] {
  return scriptTextsOfOption(
    words,
    /^-[a-zA-Z]*c$|^--(?:command|session-command|run|shell)$|^-[a-zA-Z]*c[a-zA-Z]+$|^-Command$|^-s$/,
    /^--(?:command|session-command|run|shell)=(.*)$/s,
  )
}
