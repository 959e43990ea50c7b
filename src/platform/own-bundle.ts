/**
 * The agent from the bundle of the command, with its code cache: compiling it as modules would take most of a first query. Absent
 * where there is no such file (the library was bundled into another program) and where it would not do: see `mayUse`.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import * as errors from '../errors.js'
import { type CachedBundleRun, runCachedBundle } from './run-cached.js'

/** Run once, however many queries a process has: the agent knows its sessions of one another. */
export const ownCachedBundleRun: CachedBundleRun | undefined = mayUse() ? runBeside() : undefined

/** Not in runtimes of others, not in a context of its own (Jest), and not where somebody wants to read what runs. */
function mayUse(): boolean {
  if ('bun' in process.versions || 'deno' in process.versions) return false
  const flags = `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`
  return !/--(?:inspect|enable-source-maps)/.test(flags) && runInThisContext('globalThis') === globalThis
}

function runBeside(): CachedBundleRun | undefined {
  try {
    // A bundler may have left no place, or that of a file on another machine.
    const here = dirname(fileURLToPath(import.meta.url))
    return runCachedBundle(join(here, '..'), 'agent', process.env, errors)
  } catch {
    return undefined
  }
}
