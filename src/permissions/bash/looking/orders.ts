/** Files of a project that tell a program what to do before it does anything else. */
import { dirname, join } from '../../../platform/posix-paths.js'
import type { PathFinder } from '../../path-places.js'
import { wordList } from '../../word-list.js'
import { type PathResolver, realOf } from '../working-directories.js'

type Orders = {
  readonly files: readonly string[]
  /** The files in the user's home, and above it, are the user's. */
  readonly untilHome?: true
}

const RUST: Orders = { files: wordList('rust-toolchain rust-toolchain.toml .cargo/config .cargo/config.toml') }

const ORDERS: Readonly<Record<string, Orders>> = {
  // npm might write its logs elsewhere, ask another registry for news, and before npm 7 even load a script.
  npm: { files: ['.npmrc'], untilHome: true },
  // These name the version that runs, which is downloaded or looked for in the project.
  go: { files: ['go.mod', 'go.work'] },
  cargo: RUST,
  rustc: RUST,
}

/** Whether a program obeys such files at all, other than npm, whose file is protected. */
export function obeysFiles(program: string): boolean {
  return program !== 'npm' && Object.hasOwn(ORDERS, program)
}

/** Whether such a file stands in a folder where the program might run, or above. */
export async function findsOrders(program: string, resolver: PathResolver, finder: PathFinder): Promise<boolean> {
  const orders = Object.hasOwn(ORDERS, program) ? ORDERS[program] : undefined
  return orders !== undefined && standsAbove(orders, resolver, finder)
}

/** Whether one of the files stands in a folder where a program might run, or above. */
export async function standsAbove(orders: Orders, resolver: PathResolver, finder: PathFinder): Promise<boolean> {
  if (resolver.lost) return true
  for (const folder of resolver.folders) {
    for (let at = realOf(await finder.place(folder)); ; at = dirname(at)) {
      if (orders.untilHome && (at === '/' || at === resolver.home)) break
      for (const file of orders.files) if ((await finder.kind(join(at, file))) !== undefined) return true
      if (at === '/') break
    }
  }
  return false
}
