/** Interpreters of other languages, and the tools that install packages or versions for them. */
import { wordList } from '../../../word-list.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { FileUse, KnownPrograms } from '../program-knowledge.js'
import { fileWords, mentionedPaths } from '../word-files.js'

const VERSION = /^(?:--version|-v)$/
const JAVA = wordList('JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS _JAVA_OPTIONS')

export const OTHER_LANGUAGE_PROGRAMS: KnownPrograms = {
  perl: { looks: { version: VERSION }, files: changedInPlace, runs: { nothing: true } },
  ruby: {
    looks: { version: VERSION },
    files: changedInPlace,
    runs: { nothing: true },
    obeys: { variables: wordList('RUBYOPT RUBYLIB') },
  },
  php: {
    looks: { version: VERSION },
    runs: { nothing: true },
    obeys: { variables: wordList('PHPRC PHP_INI_SCAN_DIR') },
  },
  java: { looks: { version: /^(?:--version|-version)$/ }, runs: { nothing: true }, obeys: { variables: JAVA } },
  javac: { looks: { version: /^(?:--version|-version)$/ }, obeys: { variables: JAVA } },
  ...knowledgeForNames('gem composer', { runs: { nothing: true } }),
  bundle: { runs: { verbs: ['exec'] } },
  ...knowledgeForNames('rbenv goenv', { runs: { verbs: ['exec', 'run'] } }),
  mise: { runs: { verbs: ['exec', 'x'] } },
  ...knowledgeForNames('asdf direnv', { runs: { verbs: ['exec'] } }),
  ...knowledgeForNames('devbox flox pixi', { runs: { verbs: ['run'] } }),
}

/** With `-i` it writes the files that it reads. */
function changedInPlace(words: readonly ShellWord[]): FileUse | undefined {
  const args = words.slice(1)
  if (!args.some((word) => /^-[a-zA-Z0-9]*i/.test(word.value))) return undefined
  return { reads: mentionedPaths(args), writes: fileWords(args), known: true, recursive: false }
}
