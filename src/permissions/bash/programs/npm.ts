/** npm: which forms only look at what is installed, and where it would take orders from a file that came with the project. */
import { dirname } from '../../../platform/posix-paths.js'
import type { PathFinder } from '../../path-places.js'
import { valueAt, type Word } from '../syntax/syntax.js'
import { realOf, type Whereabouts } from '../whereabouts.js'
import { readArguments } from './arguments.js'

const LIST =
  '-aglp --all --global --long --parseable --json --depth= --omit= --include= --production --prod --dev --unicode'
const PLACE = '-g --global'

/** `npm ls`, `npm root` and the like. */
export function readsInstalled(words: readonly Word[]): boolean {
  const verb = valueAt(words, 1)
  const isList = /^(?:ls|list|ll|la)$/.test(verb)
  if (!isList && !/^(?:root|prefix)$/.test(verb)) return false
  const { certain, operands } = readArguments(words.slice(1), isList ? LIST : PLACE)
  // Names of packages.
  return certain && operands.every((word) => isList && !word.dynamic && !word.glob && /^[\w@./-]+$/.test(word.value))
}

/**
 * With a `.npmrc` of the project it may write its logs elsewhere, ask another registry whether it is up to date, and before npm 7 even
 * load a script. The one in the user's home is the user's.
 */
export async function isStrangeNpm(whereabouts: Whereabouts, finder: PathFinder): Promise<boolean> {
  if (whereabouts.lost) return true
  for (const folder of whereabouts.folders) {
    for (let at = realOf(await finder.place(folder)); at !== '/' && at !== whereabouts.home; at = dirname(at))
      if ((await finder.kind(`${at}/.npmrc`)) !== undefined) return true
  }
  return false
}
