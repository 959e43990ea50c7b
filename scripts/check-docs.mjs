// What the pages say about the code must be there: the files they name, and lines a person can read.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sources } from './source-files.mjs'

const LONGEST_LINE = 120
/** Pages that lead through the code. */
const GUIDES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md']

export function checkDocs(root) {
  const pages = readdirSync(root).filter((name) => name.endsWith('.md'))
  const docs = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const long = [...pages, ...docs].flatMap((page) =>
    longLines(readFileSync(join(root, page), 'utf8')).map((line) => `${page}:${line}: longer than ${LONGEST_LINE}`),
  )
  const files = sources(root)
  const missing = GUIDES.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return missingFiles(text, files, (path) => existsSync(join(root, path))).map(
      (name) => `${page}: there is no ${name}`,
    )
  })
  const abrupt = docs
    .filter((page) => !hasOpening(readFileSync(join(root, page), 'utf8')))
    .map((page) => `${page}: does not open with a title and a sentence that says what it is for`)
  return { problems: [...long, ...missing, ...abrupt], counted: `${pages.length + docs.length} pages` }
}

/** Numbers of the lines of prose that are too long; tables, code and links have to be as long as they are. */
export function longLines(text) {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    const isFree = isCode || /^\s*(\||```|#|<)/.test(line) || !line.slice(0, LONGEST_LINE).trim().includes(' ')
    return !isFree && [...line].length > LONGEST_LINE ? [index + 1] : []
  })
}

/** `turn/user-turn.ts`, `src/tools/<tool>/…` and `body.ts`, as guides name files, that are not there. */
export function missingFiles(text, files, exists) {
  const named = [...text.matchAll(/`((?:[\w<>.-]+\/)*[\w<>-][\w<>.-]*\.(?:ts|mjs))`/g)].map(([, name = '']) => name)
  return [...new Set(named)].filter((name) => {
    if (name.includes('<')) return false
    if (exists(name) || exists(`src/${name}`)) return false
    return name.includes('/') || !files.some((file) => file.endsWith(`/${name}`))
  })
}

/** A page opens with what it is for: a title, and then a sentence. */
export function hasOpening(text) {
  const [title = '', empty = '-', first = ''] = text.split('\n')
  return title.startsWith('# ') && empty === '' && /^[\p{L}\p{N}`*[]/u.test(first) && !first.startsWith('```')
}
