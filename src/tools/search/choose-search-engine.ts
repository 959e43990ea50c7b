/** Picks who searches: ripgrep if it is there and works, our own engine otherwise. */
import { areLocalFiles } from '../../platform/files/files.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import type { ToolContext } from '../tool.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import type { SearchEngine } from './search-request.js'

export function chooseSearchEngine({ env, platform }: ToolContext): SearchEngine {
  const builtIn = async () => (await import('./built-in-engine.js')).createBuiltInEngine(platform, env)
  // A program searches what is on the disk; where other files stand behind the tools, they are asked one by one.
  const program = areLocalFiles(platform.files) ? findRipgrep(env) : undefined
  const ripgrep = program === undefined ? undefined : createRipgrepEngine(program, platform.processes, env)
  /** It may be there and still not work: built for another machine, or on a file system without programs. */
  const withEither = async <T>(search: (engine: SearchEngine) => Promise<T>): Promise<T> =>
    (ripgrep && (await search(ripgrep).catch(() => undefined))) ?? search(await builtIn())
  return {
    files: (query, signal) => withEither((engine) => engine.files(query, signal)),
    text: (query, signal) => withEither((engine) => engine.text(query, signal)),
  }
}
