/** npm. */
import { wordList } from '../../../word-list.js'
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { readOperands } from '../arguments.js'
import type { KnownPrograms } from '../program-knowledge.js'

/** Variables by which Node loads more code than the script it is given. */
export const NODE_VARIABLES = wordList('NODE_OPTIONS NODE_PATH')

export const NPM_PROGRAM: KnownPrograms = {
  npm: {
    looks: {
      form: (words) => (readsInstalled(words) ? [createLiteralWord('.')] : undefined),
      version: /^(?:--version|-v)$/,
    },
    risks: {
      // What it runs scripts by, where its settings and packages come from, and who talks to the network for it.
      options: {
        runs: `-C --script-shell --node-options --userconfig --globalconfig --prefix --shell --call --browser --editor --viewer
          --git --init-module --init.module --node-gyp --onload-script --scripts-prepend-node-path --python --registry
          --replace-registry-host --proxy --https-proxy --cafile --cert --key`,
        writes: '--cache --logs-dir --tmp --pack-destination',
        named: '--@ --//',
        anyDashes: true,
      },
    },
    runs: { verbs: ['exec', 'x'], nothing: true },
    obeys: {
      // It might write its logs elsewhere, ask another registry for news, and before npm 7 even load a script.
      files: { files: ['.npmrc'], untilHome: true, areProtected: true, notForVersion: true },
      variables: NODE_VARIABLES,
      enters: /^(?:-C|--prefix)(?:=|$)/,
    },
  },
}

const LIST =
  '-aglp --all --global --long --parseable --json --depth= --omit= --include= --production --prod --dev --unicode'
const PLACE = '-g --global'

/** `npm ls`, `npm root` and the like. */
function readsInstalled(words: readonly ShellWord[]): boolean {
  const verb = wordValueAt(words, 1)
  const isList = /^(?:ls|list|ll|la)$/.test(verb)
  if (!isList && !/^(?:root|prefix)$/.test(verb)) return false
  const { certain, operands } = readOperands(words.slice(1), isList ? LIST : PLACE)
  // Names of packages.
  return certain && operands.every((word) => isList && !word.dynamic && !word.glob && /^[\w@./-]+$/.test(word.value))
}
