/** A process that swaps folders for links as fast as it can, to be somewhere between a look and its use. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, renameSync } from 'node:fs'

/** `spot` is a folder that stands aside now and then, while the link waiting at `link` takes its place. */
export type Swap = { spot: string; aside: string; link: string }

/**
 * The program, for a Node of its own. Each state lasts for a while that is never the same, so that every gap of a few
 * microseconds is met sooner or later. What others make or move at its places it puts out of the way, and begins anew. With
 * the word `repository` the folder is one, with names in it that the sandbox looks after.
 */
export const SWAPPER = `
const { lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync, writeSync } = require('node:fs')
const [spot, aside, link, kind] = process.argv.slice(1)
const outside = readlinkSync(link)
const nobody = new Int32Array(new SharedArrayBuffer(4))
const wait = (most) => {
  if (Math.random() < 0.5) return void Atomics.wait(nobody, 0, 0, Math.random() * most)
  const end = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 4e4))
  while (process.hrtime.bigint() < end);
}
const attempt = (work) => { try { work() } catch {} }
let others = 0
const put = (from) => {
  try {
    renameSync(from, spot)
  } catch {
    renameSync(spot, spot + '-' + ++others)
    renameSync(from, spot)
  }
}
const beginAnew = () => {
  for (const path of [spot, aside, link]) attempt(() => renameSync(path, spot + '-' + ++others))
  attempt(() => mkdirSync(aside))
  if (kind === 'repository') attempt(() => { mkdirSync(aside + '/.git'); writeFileSync(aside + '/.git/config', '[core]') })
  attempt(() => symlinkSync(outside, link))
  attempt(() => renameSync(aside, spot))
}
if (kind === 'repository') beginAnew()
writeSync(1, 'swapping')
for (;;) {
  try {
    wait(6)
    renameSync(spot, aside)
    // Others may have put a link there.
    if (!lstatSync(aside).isDirectory()) throw new Error()
    put(link)
    wait(0.6)
    renameSync(spot, link)
    put(aside)
  } catch {
    beginAnew()
  }
}`

export class Swapper {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #swap: Swap

  private constructor(child: ChildProcess, swap: Swap) {
    this.#child = child
    this.#exited = once(child, 'exit')
    this.#swap = swap
  }

  static async start(swap: Swap): Promise<Swapper> {
    const child = spawn(process.execPath, ['-e', SWAPPER, swap.spot, swap.aside, swap.link], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    return new Swapper(child, swap)
  }

  /** Ends it, and puts the folder back to its place. */
  async stop(): Promise<void> {
    // One that ended by itself swapped nothing any more.
    assert.equal(this.#child.exitCode, null)
    this.#child.kill('SIGKILL')
    await this.#exited
    putBack(this.#swap)
  }
}

/** However far a swapper came. */
export function putBack({ spot, aside, link }: Swap): void {
  if (!existsSync(aside)) return
  if (lstatSync(spot, { throwIfNoEntry: false })?.isSymbolicLink()) renameSync(spot, link)
  else if (existsSync(spot)) renameSync(spot, `${spot}-last`)
  renameSync(aside, spot)
}
