// What a browser loads: of the page before anything can be seen, of the client and its hooks before they show a session, and of the
// elements at all.
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

const MOST_OF_ENTRY = {
  'client.js': 15_000,
  'react.js': 3_000,
  // The search in a session came on top.
  'elements.js': 105_000,
  // Three operations for apps of MCP tools came on top.
  'ai-sdk.js': 24_200,
  'ag-ui.js': 24_000,
  'harness.js': 24_000,
}

/** The entries for browsers and what each imports at once. The client loads the view when a session is watched; the elements have it. */
export function checkClientSize(root) {
  const found = Object.entries(MOST_OF_ENTRY).map(([entry, most]) => sizeAtOnce(root, entry, most))
  return {
    problems: found.flatMap(({ problem }) => problem ?? []),
    counted: found.map(({ counted }) => counted).join(', '),
  }
}

function sizeAtOnce(root, entry, most) {
  const files = new Set([entry])
  for (const file of files) {
    const path = join(root, 'dist', file)
    if (!existsSync(path)) return { problem: `dist/${file} is missing: run \`npm run build\`` }
    const text = readFileSync(path, 'utf8')
    for (const [, target] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) files.add(join(dirname(file), target))
  }
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(root, 'dist', file))).length, 0)
  const counted = `${entry} ${bytes} bytes, gzipped (at most ${most})`
  return { counted, problem: bytes > most ? counted : undefined }
}
