/** The audit log of answers, changes, and deletions: a file of lines that only grows. */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

export type AuditLine = {
  at: string
  /** Id and name of the token. */
  token: string
  name: string
  operation: string
  session?: string
  /** Id of an ask, a prompt, a task, or a token. */
  what?: string
  status: number
}

/** Looked through from the end. */
const TAIL = 1024 * 1024

export class AuditLog {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'audit.log')
  }

  add(line: AuditLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  }

  /** The latest, newest first. */
  latest(limit: number): AuditLine[] {
    const lines = this.#tail().split('\n').slice(0, -1)
    return lines
      .slice(-limit)
      .reverse()
      .flatMap((line) => {
        try {
          return [JSON.parse(line)] // written by `add`
        } catch {
          return []
        }
      })
  }

  #tail(): string {
    let file: number
    try {
      file = openSync(this.#file, 'r')
    } catch {
      return ''
    }
    try {
      const { size } = fstatSync(file)
      const bytes = Buffer.alloc(Math.min(size, TAIL))
      const count = readSync(file, bytes, 0, bytes.length, size - bytes.length)
      return bytes.subarray(0, count).toString('utf8')
    } finally {
      closeSync(file)
    }
  }
}
