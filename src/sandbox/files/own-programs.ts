/**
 * What this program itself will still run or load. When it is installed in the project it works on, a command that changes these
 * files, or puts a package where we look for one, has its code run outside the sandbox.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, join } from '../../platform/paths.js'
import { SANDBOX_RUNTIME_PACKAGE } from '../choose-engine.js'

/** Packages that are loaded on first use, if they are there. */
const OPTIONAL = ['sharp', '@vscode/ripgrep', SANDBOX_RUNTIME_PACKAGE]
const NAME = 'kedge'

/** The file this code is in. The command line program is bundled as CommonJS, where `import.meta` is empty. */
function ownFile(): string {
  try {
    return typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url)
  } catch {
    return process.execPath
  }
}

/** `loadRuntime` of `SandboxMachineFacts`, if there is anything to load. */
export function findSandboxRuntimeLoader(): (() => Promise<unknown>) | undefined {
  const { found } = placesOf(SANDBOX_RUNTIME_PACKAGE, dirname(ownFile()))
  return found === undefined ? undefined : () => import(/* webpackIgnore: true */ SANDBOX_RUNTIME_PACKAGE)
}

/** Absolute. Some need not exist: they must not come into being. `here`: a file of ours. */
export function findProtectedProgramPaths(here = ownFile()): string[] {
  const root = ancestors(dirname(here)).find((folder) => existsSync(join(folder, 'package.json')))
  const isOurs = root !== undefined && manifest(root)['name'] === NAME
  // A checkout of ours is somebody's project; what runs is what was built.
  const code = isOurs ? [root.includes('/node_modules/') ? root : join(root, 'dist')] : [here]
  return [...new Set([process.execPath, ...code, ...OPTIONAL.flatMap((name) => packagePlaces(name, dirname(here)))])]
}

/** Every place where Node would look for the package, up to where it is; and where the packages are that it needs. */
function packagePlaces(name: string, from: string, seen = new Set<string>()): string[] {
  const { looked, found } = placesOf(name, from)
  // Optional dependencies that aren't installed are for other machines, so no other place is searched for them.
  if (found === undefined) return seen.size === 0 ? looked : []
  if (seen.has(found)) return []
  seen.add(found)
  const { dependencies, optionalDependencies } = manifest(found)
  const needed = [dependencies, optionalDependencies].flatMap((value) => Object.keys(Object(value)))
  return [...looked, found, ...needed.flatMap((other) => packagePlaces(other, found, seen))]
}

/** `looked` ends where the package is, or nowhere. */
function placesOf(name: string, from: string): { looked: string[]; found: string | undefined } {
  const places = ancestors(from).map((folder) => join(folder, 'node_modules', name))
  const last = places.findIndex((place) => existsSync(join(place, 'package.json')))
  const place = places[last]
  return place === undefined
    ? { looked: places, found: undefined }
    : { looked: places.slice(0, last + 1), found: realpathSync(place) }
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

function manifest(folder: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    return {}
  }
}
