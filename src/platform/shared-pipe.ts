/**
 * One real pipe for both outputs of a child, so that the kernel keeps their order. Node itself gives a child one socket per
 * output, and a socket can't be opened by name: `echo oops > /dev/stderr` would fail. Node can't make a pipe, `mkfifo` can.
 */
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createIdentity } from './identity.js'

export type SharedPipe = {
  /** The child's end. */
  readonly fd: number
  readonly output: Readable
  /** The child has its copy of `fd`: from here on the output ends when the child's side does. */
  handedOver(): void
  discard(): void
}

/** Undefined where no named pipe can be made (no `mkfifo`, no writable temporary folder). */
export async function openSharedPipe(
  env: Readonly<Record<string, string | undefined>>,
): Promise<SharedPipe | undefined> {
  const path = `${env['TMPDIR'] || '/tmp'}/kedge-${createIdentity().hex(24)}`
  if (!(await makeFifo(path, env))) return undefined
  // Reader first and without blocking, or both opens would wait for each other.
  const reader = tryOpen(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = reader === undefined ? undefined : tryOpen(path, constants.O_WRONLY)
  rmSync(path, { force: true })
  if (reader === undefined) return undefined
  if (fd === undefined) {
    closeSync(reader)
    return undefined
  }
  const { Socket } = await import('node:net')
  const output = new Socket({ fd: reader, readable: true, writable: false })
  let open = true
  const handedOver = () => {
    if (open) closeSync(fd)
    open = false
  }
  return {
    fd,
    output,
    handedOver,
    discard() {
      handedOver()
      output.destroy()
    },
  }
}

async function makeFifo(path: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn('mkfifo', ['-m', '600', path], { env: { PATH: env['PATH'] }, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

function tryOpen(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch {
    return undefined
  }
}
