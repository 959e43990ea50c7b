/** Curl. */
import type { ShellWord } from '../../syntax/syntax.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const CURL_PROGRAM: KnownPrograms = {
  curl: {
    looks: { version: /^--version$/ },
    risks: {
      options: {
        runs: '-K --config --libcurl --stderr --engine',
        writes: `-oOJDc --output --output-dir --remote-name --remote-name-all --remote-header-name --dump-header --cookie-jar
          --trace --trace-ascii --etag-save --hsts --alt-svc`,
      },
      danger: formatDanger,
    },
  },
}

/** The format that it prints by may name a file. */
function formatDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  return words.some((word) => /%output\{/.test(word.value)) ? 'writes' : undefined
}
