/** Finds the ripgrep program: the one installed with this package, or one on the user's path. */
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join } from 'node:path'
import { isOn } from '../switch.js'

const PROGRAM = process.platform === 'win32' ? 'rg.exe' : 'rg'

/** Undefined when there is none. Nothing is remembered: a look costs less than a millisecond. */
export function findRipgrep(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return (isOn(env['USE_BUILTIN_RIPGREP'], true) ? installed() : undefined) ?? onPath(env['PATH'])
}

/** The optional dependency keeps one program per platform in packages of its own; only their places are looked up. */
function installed(): string | undefined {
  try {
    // The command line program is bundled as CommonJS, where `import.meta` is empty.
    const here = createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
    // Put together here, so that no bundler takes the program itself for a part of the bundle.
    const name = ['@vscode', 'ripgrep'].join('/')
    const owner = createRequire(here.resolve(name))
    return owner.resolve(`${name}-${process.platform}-${process.arch}/bin/${PROGRAM}`)
  } catch {
    return undefined
  }
}

function onPath(path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, PROGRAM)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
