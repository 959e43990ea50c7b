/** Picks who searches: ripgrep if it is there and starts, our own walker otherwise. */
import { findRipgrep } from '../../platform/ripgrep.js'
import type { ToolContext } from '../tool.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import type { SearchEngine } from './search.js'

export function createEngine(context: ToolContext): SearchEngine {
  const program = findRipgrep(context.env)
  const builtIn = async () => (await import('./built-in-engine.js')).createBuiltInEngine(context.platform)
  if (!program) {
    return {
      files: async (query, signal) => (await builtIn()).files(query, signal),
      text: async (query, signal) => (await builtIn()).text(query, signal),
    }
  }
  const ripgrep = createRipgrepEngine(program, context.platform.processes, context.env)
  // It may be there and still not start: built for another machine, or on a file system without programs.
  return {
    files: (query, signal) => ripgrep.files(query, signal).catch(async () => (await builtIn()).files(query, signal)),
    text: (query, signal) => ripgrep.text(query, signal).catch(async () => (await builtIn()).text(query, signal)),
  }
}
