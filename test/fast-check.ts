/**
 * Property tests with the seed of this run: `npm test` tries the same examples every time, so that it fails for what was
 * changed and not by luck; `npm run test:long` tries new ones, and a failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { chooseSeed } from './fuzz/random.js'

fc.configureGlobal({ seed: chooseSeed(20261115) | 0 })

export default fc
