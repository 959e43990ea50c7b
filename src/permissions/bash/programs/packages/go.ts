/** Go. */
import type { ShellWord } from '../../syntax/syntax.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const GO_PROGRAM: KnownPrograms = {
  go: {
    looks: { version: /^version$/ },
    risks: { danger: toolDanger },
    runs: { nothing: true },
    // They name the version that runs, which is downloaded or looked for in the project.
    obeys: { files: { files: ['go.mod', 'go.work'] } },
  },
}

function toolDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const runs = (value: string) => /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/.test(value)
  return words.some((word) => runs(word.value)) ? 'runs' : undefined
}
