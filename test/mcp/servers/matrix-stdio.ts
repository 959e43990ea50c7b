/** The matrix server as a program. Its counts live in the file it is given, so that they outlive a crash. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Counts, libraryServer } from './matrix-tools.js'

const file = String(process.argv[2])
const counts = new Proxy<Counts>(JSON.parse(readFileSync(file, 'utf8')), {
  set(target, key, value) {
    Reflect.set(target, key, value)
    // Whole or not at all: the test reads it meanwhile.
    writeFileSync(`${file}.new`, JSON.stringify(target))
    renameSync(`${file}.new`, file)
    return true
  },
})
await libraryServer(counts, () => process.exit(7)).connect(new StdioServerTransport())
