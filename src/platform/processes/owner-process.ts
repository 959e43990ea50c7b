/** Names the process that holds something on disk, so that others can tell whether it still runs. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive, readEntry } from './process-table.js'

export type OwnerProcess = {
  pid: number
  /** When it began; 0 where that can't be known. A number is given again, the two together are not. */
  started: number
  /** For people. */
  host: string
  /** Where `pid` means something: this start of this kernel, this container. */
  machine: string
}

export interface OwnerProcessChecker {
  own(): OwnerProcess
  /** `elsewhere`: it can't be known from here. */
  stateOf(owner: OwnerProcess): 'running' | 'gone' | 'elsewhere'
}

export const ownerProcessChecker: OwnerProcessChecker = {
  own: () => ({
    pid: process.pid,
    started: readEntry(process.pid)?.started ?? 0,
    host: hostname(),
    machine: ownMachine(),
  }),
  stateOf(owner) {
    if (owner.machine !== ownMachine()) return 'elsewhere'
    // Without a start time the number may be that of another by now.
    if (owner.started === 0) return isNumberTaken(owner.pid) ? 'elsewhere' : 'gone'
    return isAlive(owner) ? 'running' : 'gone'
  },
}

function ownMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is a process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
