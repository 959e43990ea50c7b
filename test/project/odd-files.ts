/** Files that are no files, and other things that only system programs can make. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

export function makeFifo(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

/** Sockets that nobody listens at. */
export function makeSockets(paths: readonly string[]): void {
  for (const path of paths) mkdirSync(dirname(path), { recursive: true })
  // Node removes the sockets it made when it closes them; a process that is killed does not.
  const script = `let left = process.argv.length - 1
    for (const path of process.argv.slice(1)) require('node:net').createServer().listen(path, () => {
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
    })`
  spawnSync(process.execPath, ['-e', script, ...paths])
}

/** Takes no room on the disk. */
export function makeHuge(path: string, bytes: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const fd = openSync(path, 'w')
  ftruncateSync(fd, bytes)
  closeSync(fd)
}
