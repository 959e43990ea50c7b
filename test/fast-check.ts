/**
 * Property tests with the seed of this run: `npm test` tries the same examples every time, so that it fails for what was
 * changed and not by luck; `npm run test:long` tries new ones, and a failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { chooseSeed } from './fuzz/random.js'

/** The same ones are tried every day: half as many as usual are enough, and the long run tries ten times more, new each time. */
const numRuns = process.env['KEDGE_LONG'] ? 500 : 50

fc.configureGlobal({ seed: chooseSeed(20261115) | 0, numRuns })

export default fc
