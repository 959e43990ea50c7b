/** The same command as an ES module, `cli.js`: the name and the kind of file that hosts of the original know. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBundle } from './loader.js'

runBundle(dirname(fileURLToPath(import.meta.url)))
