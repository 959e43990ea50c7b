/**
 * A program for the kill tests: runs one prompt and writes every message to stdout at once; kills itself with SIGKILL before,
 * half-way through or after its n-th write to a session. Arguments: JSON with `prompt`, `argv`, `nth`, `when`.
 */
import { writeSync } from 'node:fs'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { ask } from './stage.js'

type Plan = { prompt: string; argv: string[]; nth: number; when: 'before' | 'half' | 'after' }
// Written by the test that starts this.
const { prompt, argv, nth, when } = JSON.parse(process.argv[2] ?? '{}') as Plan

let count = 0
const die = () => process.kill(process.pid, 'SIGKILL')
/** The same function, and the process dies around its n-th call for something of a session. */
function doomed<A extends [string, ...unknown[]], R>(write: (...args: A) => R, half?: (...args: A) => void) {
  return (...args: A): R => {
    const isDue = args[0].includes('/projects/') && ++count === nth
    if (isDue && when === 'before') die()
    if (isDue && when === 'half' && half) {
      half(...args)
      die()
    }
    const result = write(...args)
    if (isDue && !(result instanceof Promise)) die()
    // What is done elsewhere takes its time.
    else if (isDue) void Promise.resolve(result).finally(die)
    return result
  }
}
const files: FileSystem = {
  ...nodeFiles,
  makeDirectorySync: doomed(nodeFiles.makeDirectorySync),
  createSync: doomed(nodeFiles.createSync, (path, content) => nodeFiles.createSync(path, content.slice(0, 40))),
  appendSync: doomed(nodeFiles.appendSync, (path, content) =>
    nodeFiles.appendSync(path, content.slice(0, content.length / 2)),
  ),
  removeSync: doomed(nodeFiles.removeSync),
  touchSync: doomed(nodeFiles.touchSync),
  truncate: doomed(nodeFiles.truncate),
  rename: doomed(nodeFiles.rename),
}
const { code } = await ask(prompt, {
  cwd: process.cwd(),
  env: process.env,
  files,
  argv,
  onMessage: (message) => void writeSync(1, `${JSON.stringify(message)}\n`),
})
process.exit(code)
