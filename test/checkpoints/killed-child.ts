/**
 * Rewinds in a process of its own that kills itself at the n-th system call that changes something. Arguments: root, message, n.
 * Prints how many there were when it was not killed.
 */
import fs from 'node:fs'
import fsp from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const [, , root = '', message = '', limit = ''] = process.argv
let calls = 0
let isCounting = false

const count = () => {
  if (!isCounting) return
  calls += 1
  if (calls === Number(limit)) process.kill(process.pid, 'SIGKILL')
}

type Patched = Record<string, (...args: unknown[]) => unknown>

function countCalls(target: object, names: readonly string[]): void {
  // Functions of a module of Node, by name.
  const functions = target as Patched
  for (const name of names) {
    const original = functions[name]
    if (!original) throw new Error(`no function ${name}`)
    functions[name] = function (this: unknown, ...args) {
      count()
      return original.apply(this, args)
    }
  }
}

const handle = await fsp.open(new URL(import.meta.url))
countCalls(Object.getPrototypeOf(handle), ['writeFile', 'chmod', 'chown', 'truncate'])
await handle.close()
countCalls(fsp, ['open', 'rename', 'link', 'rm', 'rmdir', 'mkdir', 'unlink'])
countCalls(fs, ['mkdirSync', 'rmSync', 'renameSync', 'writeFileSync', 'appendFileSync'])
syncBuiltinESMExports()

const { createStage } = await import('./stage.js')
const stage = await createStage({ root })
isCounting = true
const result = await stage.rewind(message)
isCounting = false
process.stdout.write(`${JSON.stringify({ calls, result })}\n`)
await stage.dispose()
