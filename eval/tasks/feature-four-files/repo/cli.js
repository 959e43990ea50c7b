import { readFileSync } from 'node:fs'
import { parseArguments } from './args.js'
import { toText } from './format.js'
import { HELP } from './help.js'

const options = parseArguments(process.argv.slice(2))
if (options.help) {
  console.log(HELP)
} else {
  const lines = options.files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  console.log(toText({ files: options.files.length, lines }))
}
