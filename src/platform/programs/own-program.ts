/** Finds programs of ours that run outside this thread: each is a file of its own in a package. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `name` is a file in this folder. Beside this file in a development tree; below `lazy/` in a package, where this code is in a
 * bundle or a chunk. Undefined when a file of the installation is missing.
 */
export function findOwnProgram(name: string): string | undefined {
  try {
    // The command line program is bundled as CommonJS, where `import.meta` is empty.
    const here = typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url)
    // Only a file of our own name has our programs beside it: bundled by somebody else, a file called like one may be theirs.
    const places = here.endsWith('own-program.js') ? [`${name}.js`] : [`lazy/${name}.cjs`, `../lazy/${name}.cjs`]
    return places.map((place) => here.replace(/[^/\\]*$/, place)).find(existsSync)
  } catch {
    // Bundled once more by somebody else, so that there is no file of this name.
    return undefined
  }
}
