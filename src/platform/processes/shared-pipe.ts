/**
 * Real pipes for the outputs of children. Node gives a child one socket per output: two can't keep their order, and a socket
 * can't be opened by name (`echo oops > /dev/stderr` would fail). Node can't make a pipe, `mkfifo` can; because a process for
 * each command would cost as much as the command, what it made is used again once nobody holds it any more.
 */
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createPlatformIdentity } from '../identity.js'
import { processNameSuffix, removeOrphanedFiles } from './temporary-names.js'

export type SharedPipe = {
  /** Shows in the descriptors of everyone who holds it. */
  readonly name: string
  /** The child's end. */
  readonly fd: number
  readonly output: Socket
  /** The child has its copy of `fd`: from here on the output ends when the child's side does. */
  handedOver(): void
  /** Nobody is looked for by its name any more: only then another child may have it, which would be taken for the first. */
  forget(): void
}

/** Both outputs in one, and what the child reports. */
export type ChildPipes = { shared: SharedPipe | undefined; reporting: SharedPipe | undefined }

export interface NamedPipePool {
  /** Undefined where no named pipe can be made (no `mkfifo`, no writable temporary folder), in a worker thread, in Bun and in Deno. */
  take(count: number, env: Environment): Promise<SharedPipe[] | undefined>
  close(): void
}

type Environment = Readonly<Record<string, string | undefined>>
/** A pipe without a name in any folder: `handle` is all that is left to open it by. */
type Inode = { name: string; handle: number | undefined }
type Ends = { reader: number; writer: number }

/** Two for each command that runs at the same time as others, which few do. */
const MAX_IDLE = 4
/** Names a file without opening it. Linux only, like the way back through /proc. */
const O_PATH = 0o10000000

/** `prefix` begins the names of all pipes of this source, and of no others. */
export function createNamedPipePool(prefix: string): NamedPipePool {
  const identity = createPlatformIdentity()
  const idle: Inode[] = []
  /** Kept: in a bundle each import of them is copied name by name. */
  let parts: Promise<[typeof import('node:net'), typeof import('node:worker_threads')]> | undefined
  /** Pipes of processes that were killed while they made them. */
  let leftovers: Promise<void> | undefined
  let closed = false

  const giveBack = (inode: Inode, unused: boolean) => {
    if (inode.handle === undefined) return
    if (unused && !closed && idle.length < MAX_IDLE) idle.push(inode)
    else closeSync(inode.handle)
  }
  const reopen = (): { inode: Inode; ends: Ends } | undefined => {
    for (let inode = idle.pop(); inode; inode = idle.pop()) {
      const ends = openUnused(`/proc/self/fd/${inode.handle}`)
      if (ends) return { inode, ends }
      giveBack(inode, false)
    }
    return undefined
  }
  const make = async (count: number, env: Environment) => {
    const folder = env['TMPDIR'] || '/tmp'
    const mark = processNameSuffix()
    const names = Array.from({ length: count }, () => `${prefix}${mark}${identity.hex(12)}`)
    const paths = names.map((name) => `${folder}/${name}`)
    leftovers ??= removeOrphanedFiles(folder)
    await Promise.all([makeFifos(paths, env), leftovers])
    return names.flatMap((name, i) => {
      const path = paths[i] ?? ''
      const handle = process.platform === 'linux' ? tryOpen(path, O_PATH | constants.O_NOFOLLOW) : undefined
      const ends = openEnds(path)
      rmSync(path, { force: true })
      if (ends) return { inode: { name, handle }, ends }
      giveBack({ name, handle }, false)
      return []
    })
  }

  return {
    async take(count, env) {
      parts ??= Promise.all([import('node:net'), import('node:worker_threads')])
      const [{ Socket }, { isMainThread }] = await parts
      // At its end, Node closes what a thread opened by number, although a socket took it over and others may have that number now.
      if (!isMainThread) return undefined
      // A socket of Bun takes the number of a pipe, and never reads from it; one of Deno takes it or not (EEXIST), by chance.
      if (process.versions['bun'] !== undefined || process.versions['deno'] !== undefined) return undefined
      const opened: { inode: Inode; ends: Ends }[] = []
      for (let pipe = reopen(); pipe; pipe = opened.length < count ? reopen() : undefined) opened.push(pipe)
      if (opened.length < count) opened.push(...(await make(count - opened.length, env)))
      const pipes = opened.map(({ inode, ends }) => {
        const output = new Socket({ fd: ends.reader, readable: true, writable: false })
        let ended = false
        output.once('end', () => {
          ended = true
        })
        let stillNeededBy = 2
        const isDone = () => {
          stillNeededBy -= 1
          if (stillNeededBy === 0) giveBack(inode, ended)
        }
        output.once('close', isDone)
        let held = true
        const handedOver = () => {
          if (held) closeSync(ends.writer)
          held = false
        }
        return { name: inode.name, fd: ends.writer, output, handedOver, forget: isDone }
      })
      if (pipes.length === count) return pipes
      discardPipes(pipes)
      return undefined
    },
    close() {
      closed = true
      for (const inode of idle.splice(0)) giveBack(inode, false)
    },
  }
}

export function discardPipes(pipes: readonly SharedPipe[]): void {
  for (const pipe of pipes) {
    pipe.handedOver()
    pipe.output.destroy()
    pipe.forget()
  }
}

async function makeFifos(paths: readonly string[], env: Environment): Promise<void> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn('mkfifo', ['-m', '600', ...paths], { env: { PATH: env['PATH'] }, stdio: 'ignore' })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
}

/** Undefined when somebody has an end of it, as a reader or as a writer. */
function openUnused(path: string): Ends | undefined {
  const other = tryOpen(path, constants.O_WRONLY | constants.O_NONBLOCK)
  if (other !== undefined) {
    closeSync(other)
    return undefined
  }
  return openEnds(path, (reader) => readSync(reader, new Uint8Array(1)) === 0)
}

/** Reader first and without blocking, or both opens would wait for each other. */
function openEnds(path: string, isUnused: (reader: number) => boolean = () => true): Ends | undefined {
  const reader = tryOpen(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (reader === undefined) return undefined
  try {
    // Nothing else that somebody put in its place is ever written to. `isUnused` throws (EAGAIN) when there is a writer.
    if (fstatSync(reader).isFIFO() && isUnused(reader)) return { reader, writer: openSync(path, constants.O_WRONLY) }
  } catch {
    // Below.
  }
  closeSync(reader)
  return undefined
}

function tryOpen(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch {
    return undefined
  }
}
