/** Files of a project that tell a program what to do before it does anything else. */
import { dirname, join } from '../../../platform/posix-paths.js'
import type { PathFinder } from '../../path-finder.js'
import { type PathResolver, realPathOf } from '../path-resolver.js'
import type { ProgramConfigFiles } from '../programs/program-knowledge.js'

/** Whether one of the files stands in a folder where a program might run, or above. */
export async function hasProgramConfigAbove(
  orders: ProgramConfigFiles,
  resolver: PathResolver,
  finder: PathFinder,
): Promise<boolean> {
  if (resolver.lost) return true
  for (const folder of resolver.folders) {
    for (let at = realPathOf(await finder.place(folder)); ; at = dirname(at)) {
      if (orders.untilHome && (at === '/' || at === resolver.home)) break
      for (const file of orders.files) if ((await finder.kind(join(at, file))) !== undefined) return true
      if (at === '/') break
    }
  }
  return false
}
