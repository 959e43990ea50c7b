/**
 * Preloaded into the programs of the chaos stage. Collects garbage every second: what only a weak reference holds, and what
 * a promise waits for without an owner, is gone while it still matters. The process notes its id in the file `KEDGE_COLLECTED`.
 */
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 1000

// The flag is taken back: the code cache of the program is for V8 without it.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

let isNoted = false
setInterval(() => {
  collect()
  const file = process.env['KEDGE_COLLECTED']
  if (isNoted || !file) return
  isNoted = true
  appendFileSync(file, `${process.pid}\n`)
}, EVERY_MS).unref()
