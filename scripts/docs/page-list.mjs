// The list of all pages in docs/index.md, by the sections of the map. `node scripts/docs/page-list.mjs` writes it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SITE_MAP } from './site-map.mjs'

const START = '## Every page\n'

function linkTo(root, name) {
  const isRoot = /^[A-Z]+$/.test(name)
  const text = readFileSync(join(root, isRoot ? `${name}.md` : `docs/${name}.md`), 'utf8')
  const title = /^# (.*)$/m.exec(text)?.[1] ?? name
  return `[${title}](${isRoot ? '../' : ''}${name}.md)`
}

/** `docs/index.md` with the list as the map has it. */
export function withPageList(root, index) {
  const rows = SITE_MAP.map(([section, names]) => {
    const links = names.filter((name) => name !== 'index').map((name) => linkTo(root, name))
    return `| ${section} | ${links.join(' · ')} |`
  })
  const start = index.indexOf(START) + START.length
  const list = ['', '| | |', '|---|---|', ...rows, ''].join('\n')
  const end = index.indexOf('\n## ', start)
  return index.slice(0, start) + list + (end < 0 ? '' : index.slice(end))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const path = join(root, 'docs', 'index.md')
  writeFileSync(path, withPageList(root, readFileSync(path, 'utf8')))
}
