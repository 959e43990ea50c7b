/**
 * Runs a bundle of this package, and the parts that it loads on first use, from a V8 code cache, which halves what a start costs;
 * without a usable cache it just runs them. A cache lies beside the bundle (a build makes one, or the first run) or, where that can't
 * be written, in the user's caches.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** Hash of the sources. The bundles and the library of one build share it. */
declare const KEDGE_BUILD: string

export interface CachedBundleRun {
  readonly exports: Record<string, unknown>
  /** Writes down what had no cache: after a run, so that the functions a run needs are in it. */
  save(): void
}

type Env = Readonly<Record<string, string | undefined>>

/** `provided`: modules that whoever runs it shares with the bundle. Undefined: there is no such bundle of this build. */
export function runCachedBundle(folder: string, name: string, env: Env, provided: object): CachedBundleRun | undefined {
  /** Ends every file of this build that is run from a cache. */
  const mark = `//${KEDGE_BUILD}`
  const scripts = createScripts(cacheFolders(folder, env), flagsMark(env))
  const bundle = join(folder, `${name}.cjs`)
  // The build wraps the bundle in a function and keeps it ASCII, so that nothing has to be copied or decoded here.
  const code = read(bundle)?.toString('latin1')
  if (!code?.endsWith(mark)) return undefined
  // By its module: bundlers look for what a `createRequire` of their own would need.
  const nodeRequire = nodeModule.createRequire(bundle)
  const parts = new Map<string, unknown>()
  const runPart = (path: string): unknown => {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    // The build marks what needs no module loader of its own.
    if (!text.endsWith(`${mark}\n`)) return nodeRequire(path)
    return scripts.run(file, `(function(exports,require,module,__filename,__dirname){${text}})`, require)
  }
  const require = (path: string): unknown => {
    if (path === 'kedge:provided') return provided
    if (!path.startsWith('./lazy/')) return nodeRequire(path)
    if (!parts.has(path)) parts.set(path, runPart(path))
    return parts.get(path)
  }
  return { exports: scripts.run(bundle, code, require), save: scripts.save }
}

/** What runs with a cache of its own, or gets one. */
function createScripts(folders: string[], flags: string) {
  const unsaved: { script: Script; paths: string[] }[] = []
  return {
    run(file: string, code: string, require: (path: string) => unknown): Record<string, unknown> {
      const plain = `${KEDGE_BUILD}-${basename(file, '.cjs')}-${process.version}-${process.arch}`
      const paths = folders.map((place) => join(place, `${plain}${flags}.cache`))
      // Most flags mean nothing to V8; one that does makes it refuse what was made without it.
      const cached = readFirst([...paths, ...folders.map((place) => join(place, `${plain}.cache`))])
      const script = new Script(code, { filename: file, cachedData: cached })
      if (!cached || script.cachedDataRejected) unsaved.push({ script, paths })
      const module = { exports: {} as Record<string, unknown> } // the code fills it
      script.runInThisContext()(module.exports, require, module, file, dirname(file))
      return module.exports
    },
    save() {
      for (const { script, paths } of unsaved.splice(0)) {
        const data = script.createCachedData()
        paths.some((path) => write(path, data))
      }
    },
  }
}

/**
 * Only the package's own folder and the user's: V8 trusts what it finds in such a file. The package's comes first, so that a
 * fresh home costs nothing: it can be written by whoever could as well change the bundle, and no sandboxed command can.
 */
function cacheFolders(folder: string, env: Env): string[] {
  const base = env['XDG_CACHE_HOME'] || (env['HOME'] ? join(env['HOME'], '.cache') : undefined)
  return [join(folder, 'cache'), ...(base ? [join(base, 'kedge')] : [])]
}

/** V8 takes no cache that was made with other flags: a run with `--max-old-space-size` has a file of its own. */
function flagsMark(env: Env): string {
  const flags = [...process.execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').match(/--[\w-]+(?:=\d+)?/g)
  if (!flags) return ''
  let sum = 0
  for (const char of flags.join()) sum = (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0
  return `-${sum.toString(36)}`
}

/** Never worth an error: in a read-only place the next start is as slow as this one. */
function write(path: string, data: Buffer): boolean {
  try {
    // One level at a time: Node's recursive mkdir never returns on some file systems (/proc).
    const place = dirname(path)
    for (const level of [dirname(place), place]) if (!existsSync(level)) mkdirSync(level, { mode: 0o755 })
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, data, { mode: 0o644 })
    renameSync(temporary, path)
    return true
  } catch {
    return false
  }
}

function readFirst(paths: string[]): Buffer | undefined {
  for (const path of paths) {
    const found = read(path)
    if (found) return found
  }
  return undefined
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
