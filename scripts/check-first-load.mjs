// What a browser loads before anything can be seen: the page, its style, its one script.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
