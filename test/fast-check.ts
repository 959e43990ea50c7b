/**
 * Property tests with the seed of this run: `npm test` tries the same examples every time, so that it fails for what was
 * changed and not by luck; `npm run test:long` tries new ones, and a failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { chooseSeed } from './fuzz/random.js'
import { byTier } from './support/tier.js'

/** `npm test` tries the same ones every day, so few are enough; the long run tries ten times as many as usual, new each time. */
const numRuns = byTier({ quick: 15, all: 50, long: 500 })

fc.configureGlobal({ seed: chooseSeed(20261115) | 0, numRuns })

const SURROGATES = { first: 0xd800, count: 0x800 }

/** The same as `unit: 'binary'`, which first makes a table of all the million characters: a second of each process that has one. */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1
    const isSurrogate = code >= SURROGATES.first && code < SURROGATES.first + SURROGATES.count
    if (code < 0 || isSurrogate || character !== String.fromCodePoint(code)) throw new Error('not one character')
    return code < SURROGATES.first ? code : code - SURROGATES.count
  },
)

export default fc
