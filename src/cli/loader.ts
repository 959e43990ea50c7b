/** What the `kedge` command is to do, and the bundle that does it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as errors from '../errors.js'
import { type CachedBundleRun, runCachedBundle } from '../platform/run-cached.js'

/** Commands that are programs on top of the library, with their module beside the bundle. It exports `<command>Main`. */
const INTERFACES: Readonly<Record<string, string>> = {
  acp: 'acp',
  serve: 'serve',
  worker: 'worker',
  admin: 'admin',
  // `eval.js` is the library of that name.
  eval: 'eval-main',
}
/** With one of these nobody wants to talk. */
const NO_TALK = /^(?:-p|-h|-v|--(?:print|help|version|args-file|(?:input|output)-format)(?:=.*)?)$/

/** Runs the command from its bundle. `folder`: where the bundle lies. */
export function runBundle(folder: string): void {
  const [, , word = '', ...args] = process.argv
  const load = (name: string) => import(pathToFileURL(join(folder, `${name}.js`)).href)
  if (word === 'mcp' && args[0] === 'serve') {
    void load('mcp-serve').then((module) => module.serveMcpMain(args.slice(1)))
    return
  }
  const found = Object.hasOwn(INTERFACES, word) ? INTERFACES[word] : undefined
  if (found !== undefined) {
    void load(found).then((module) => module[`${word}Main`](args))
    return
  }
  if (mayTalk(folder) && talks(folder, load)) return
  const { exports, save } = runScript(folder, 'agent')
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
  const { exports, save } = runScript(folder, 'terminal')
  type Start = (argv: string[], parts: object) => Promise<void> | undefined
  const { startTerminal } = exports as { startTerminal: Start } // exported by src/terminal/front/terminal-main.ts
  const parts = { isTerminal: isTerminal(folder), load, saveCache: save }
  return startTerminal(process.argv.slice(2), parts) !== undefined
}

function runScript(folder: string, name: string): CachedBundleRun {
  const run = runCachedBundle(folder, name, process.env, errors)
  if (!run) throw new Error(`${join(folder, `${name}.cjs`)} is not of this build: install the package again`)
  return run
}
