/**
 * Runs the one bundle of the `kedge` command from a V8 code cache, which halves the start-up cost; without a usable cache it
 * just runs the bundle.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

declare const KEDGE_BUNDLE_HASH: string

/** Commands that are programs of their own on top of the library: each is a module of that name beside the bundle. */
const FACES = ['acp', 'serve']
/** With one of these nobody wants to talk. */
const NO_TALK = /^(?:-p|-h|-v|--(?:print|help|version|args-file|(?:input|output)-format)(?:=.*)?)$/

/** `folder`: where the bundle lies. */
export function runBundle(folder: string): void {
  const [, , word = '', ...args] = process.argv
  const load = (name: string) => import(pathToFileURL(join(folder, `${name}.js`)).href)
  if (FACES.includes(word)) {
    void load(word).then(({ main }) => main(args))
    return
  }
  if (mayTalk(folder) && talks(folder, load)) return
  const { exports, save } = runScript(folder, 'agent.cjs')
  const { main } = exports as { main(saveCache: () => void): Promise<void> } // exported by src/cli/main.ts
  void main(save)
}

/** Cheap to say: most who start us are programs. */
function mayTalk(folder: string): boolean {
  const argv = process.argv.slice(2)
  const [word = ''] = argv
  if (/^[a-z][\w-]*$/i.test(word) && word !== 'attach') return false
  if (argv.some((argument) => NO_TALK.test(argument))) return false
  return argv.includes('--plain') || word === 'attach' || (!process.env.CI && isTerminal(folder))
}

function isTerminal(folder: string): boolean {
  const { isatty } = createRequire(join(folder, 'terminal.cjs'))('node:tty')
  return isatty(0) && isatty(1)
}

/** False: it is not for the terminal after all. */
function talks(folder: string, load: (name: string) => Promise<unknown>): boolean {
  const { exports, save } = runScript(folder, 'terminal.cjs')
  type Start = (argv: string[], parts: object) => Promise<void> | undefined
  const { start } = exports as { start: Start } // exported by src/terminal/front/terminal-main.ts
  const parts = { isTerminal: isTerminal(folder), load, saveCache: save }
  return start(process.argv.slice(2), parts) !== undefined
}

function runScript(folder: string, name: string): { exports: Record<string, unknown>; save(): void } {
  const file = join(folder, name)
  const cacheBase = process.env.XDG_CACHE_HOME || (process.env.HOME ? join(process.env.HOME, '.cache') : undefined)
  // Only in the user's own folders: V8 trusts what it finds in such a file.
  const kind = name === 'agent.cjs' ? '' : `-${name.replace('.cjs', '')}`
  const cacheFile =
    cacheBase && join(cacheBase, 'kedge', `${KEDGE_BUNDLE_HASH}${kind}-${process.version}-${process.arch}.cache`)
  const cached = cacheFile ? read(cacheFile) : undefined
  // The build wraps the bundle in a function and keeps it ASCII, so that nothing has to be copied or decoded here.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: cached })
  const module = { exports: {} as Record<string, unknown> } // the bundle fills it
  script.runInThisContext()(module.exports, createRequire(file), module, file, folder)
  return {
    exports: module.exports,
    save() {
      if (cacheFile && (!cached || script.cachedDataRejected)) save(cacheFile, script)
    },
  }
}

/** After a run, so that the functions a run needs are in it. Never worth an error. */
function save(cacheFile: string, script: Script): void {
  try {
    // One level at a time: Node's recursive mkdir never returns on some file systems (/proc).
    const place = dirname(cacheFile)
    for (const level of [dirname(place), place]) if (!existsSync(level)) mkdirSync(level, { mode: 0o700 })
    const temporary = `${cacheFile}.${process.pid}`
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 })
    renameSync(temporary, cacheFile)
  } catch {
    // A read-only home: the next start is as slow as this one.
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
