/** Preloaded into a program: on SIGUSR2 it collects garbage, and writes how many bytes it still holds. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`held ${heapUsed + external}\n`)
})
