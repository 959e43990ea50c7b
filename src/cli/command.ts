/** The entry of the `kedge` command, built as CommonJS: Node then starts without its loader for ES modules, which takes 8 ms. */
import { runBundle } from './loader.js'

runBundle(__dirname)
