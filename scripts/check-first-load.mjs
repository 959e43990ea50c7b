// What a browser loads: of the page before anything can be seen, and of the client before it shows a session.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const MOST = 45_000

export function checkFirstLoad(root) {
  const web = join(root, 'dist', 'web')
  if (!existsSync(join(web, 'files.json'))) return ['dist/web is missing: run `npm run build`']
  const files = JSON.parse(readFileSync(join(web, 'files.json'), 'utf8'))
  const bytes = Object.entries(files)
    .filter(([path]) => /^\/$|^\/assets\/(page|style)-/.test(path))
    .reduce((sum, [, { file }]) => sum + gzipSync(readFileSync(join(web, file))).length, 0)
  return {
    problems: bytes > MOST ? [`${bytes} bytes, gzipped; at most ${MOST}`] : [],
    counted: `${bytes} bytes, gzipped (at most ${MOST})`,
  }
}

const MOST_OF_CLIENT = 15_000

/** The entry `kedge/client` and what it imports at once: its view is loaded when a session is watched. */
export function checkClientSize(root) {
  const files = new Set(['client.js'])
  for (const file of files) {
    const path = join(root, 'dist', file)
    if (!existsSync(path)) return [`dist/${file} is missing: run \`npm run build\``]
    const text = readFileSync(path, 'utf8')
    for (const [, target] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) files.add(join(dirname(file), target))
  }
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(root, 'dist', file))).length, 0)
  return {
    problems: bytes > MOST_OF_CLIENT ? [`${bytes} bytes, gzipped; at most ${MOST_OF_CLIENT}`] : [],
    counted: `${bytes} bytes, gzipped (at most ${MOST_OF_CLIENT})`,
  }
}
