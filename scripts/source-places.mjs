// Stack traces of the transpiled tests, in terms of the sources. Only what failed is looked up: `--enable-source-maps` would make every
// process that the tests start read the maps of all it loads.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const built = join(root, '.build')

/** The map of a transpiled file, if it has one. */
export function sourceMapOf(file) {
  return existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))) : undefined
}

/** The text with each place in `.build/` replaced by the one in the sources it was made of. */
export function withSourcePlaces(text) {
  return text.replace(/(?:file:\/\/)?(\/[^\s:()]+\.js):(\d+):(\d+)/g, (place, file, line, column) => {
    const entry = file.startsWith(built)
      ? sourceMapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
      : undefined
    if (entry?.originalLine === undefined) return place
    const source = relative(built, file).replace(/\.js$/, '.ts')
    return `${join(root, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
