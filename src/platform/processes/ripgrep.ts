/** Finds the ripgrep program: the one installed with this package, or one on the user's path. */
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { posix, win32 } from 'node:path'
import { isVariableOn } from '../switch.js'
import { windowsVariable } from '../windows/git-bash.js'

type Environment = Readonly<Record<string, string | undefined>>
type System = { platform: string; arch: string }

/**
 * Returns the path of ripgrep. Undefined when there is none. Nothing is remembered: a look costs less than a
 * millisecond.
 */
export function findRipgrep(env: Environment, system: System = process): string | undefined {
  const own = isVariableOn(env['USE_BUILTIN_RIPGREP'], true) ? installed(system) : undefined
  return own ?? ripgrepCandidatePaths(env, system).find(isExecutable)
}

/** In the absolute folders of the PATH alone: others mean wherever the program stands. */
export function ripgrepCandidatePaths(env: Environment, { platform }: Pick<System, 'platform'>): string[] {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix
  const path = platform === 'win32' ? windowsVariable(env, 'PATH') : env['PATH']
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, programOf(platform)))
}

function programOf(platform: string): string {
  return platform === 'win32' ? 'rg.exe' : 'rg'
}

/** The optional dependency keeps one program per platform in packages of its own; only their places are looked up. */
function installed({ platform, arch }: System): string | undefined {
  try {
    // The command line program is bundled as CommonJS, where `import.meta` is empty.
    const here = createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
    // Put together here, so that no bundler takes the program itself for a part of the bundle.
    const name = ['@vscode', 'ripgrep'].join('/')
    const owner = createRequire(here.resolve(name))
    return owner.resolve(`${name}-${platform}-${arch}/bin/${programOf(platform)}`)
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
