/**
 * A program for the kill tests: runs one prompt and writes every message to stdout at once; kills itself with SIGKILL before,
 * half-way through or after its n-th write to a session. Arguments: JSON with `prompt`, `argv`, `nth`, `when`.
 */
import { writeSync } from 'node:fs'
import { type FileSystem, nodeFiles } from '../../src/platform/files.js'
import { ask } from './stage.js'

type Plan = { prompt: string; argv: string[]; nth: number; when: 'before' | 'half' | 'after' }
// Written by the test that starts this.
const { prompt, argv, nth, when } = JSON.parse(process.argv[2] ?? '{}') as Plan

let count = 0
const die = () => process.kill(process.pid, 'SIGKILL')
const doomed = <A extends [string, ...unknown[]]>(write: (...args: A) => void, half?: (...args: A) => void) => {
  return (...args: A) => {
    const isDue = args[0].includes('/projects/') && ++count === nth
    if (isDue && when === 'before') die()
    if (isDue && when === 'half' && half) {
      half(...args)
      die()
    }
    write(...args)
    if (isDue) die()
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
}
const { code } = await ask(prompt, {
  cwd: process.cwd(),
  env: process.env,
  files,
  argv,
  onMessage: (message) => void writeSync(1, `${JSON.stringify(message)}\n`),
})
process.exit(code)
