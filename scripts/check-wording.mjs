// Words of everything a person reads: pages, texts of the interfaces, help, errors, and the changelog. Each file has the number of
// hits it had when it was last written; the number can only fall. `node scripts/check-wording.mjs` lists them, `--write` lowers them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTest, sources, treeOf } from './source-files.mjs'
import ts from './typescript.mjs'

/** Sentences without an actor, riddles, and words that stand for another word. A hit needs a rewrite, not a synonym. */
const PATTERNS = [
  // A table can have the columns "what happens" and "what to do", and a tutorial ends with what you learned.
  [/(?:^|[.:;|] ?)(?:who|whoever|what|whatever) (?!happens$|to do$|you learned$)\w+/gi, 'name the person or the thing'],
  [/\b(?:is|are|was|were|be|been|being) told\b/gi, 'receives, sees, is notified'],
  [/\bhears? of\b/gi, 'receives, sees'],
  [/\bgo(?:es|ne|ing)? on\b/gi, 'continue'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\banew\b/gi, 'again'],
  // `nobody` is also a user of the system.
  [/(?<!user )(?<!`)\b(?:nobody|somebody|everybody)\b/gi, 'user, client, operator, caller, worker'],
  [/\bthose there are\b/gi, 'the noun'],
  [/(?<!\bthere )\bis no (?!longer\b|such\b|more\b)[a-z`]/gi, "isn't a"],
  [/\ba (?:yes|no)\b(?!-)/gi, 'approval, denial'],
  [/\bof (?:yours|ours|your own|its own)\b/gi, 'your, custom'],
  [/\bbrings?\b/gi, 'contains, configures'],
  [/\bso (?:long|many)\b/gi, 'the number or the name'],
  [/\bblanks\b/gi, 'spaces'],
]

/** A page lists every difference found by a machine; nobody writes its sentences. */
const GENERATED = /(?:interop-differences|compatibility-\w+|proof)\.md$/
/** Folders whose texts reach people, not the model. */
const SPOKEN = ['web', 'src/cli', 'src/terminal', 'src/server', 'src/cluster', 'src/acp', 'src/hub', 'src/settings']

/** Sentences with these words, and their lines. Questions are exempt from the first pattern. */
export function findWording(sentences) {
  return sentences.flatMap(({ text, line }) =>
    text.split(/(?<=[.!?])\s+/).flatMap((sentence) =>
      PATTERNS.flatMap(([pattern, better], index) => {
        if (index === 0 && /\?\W*$/.test(sentence)) return []
        return [...sentence.matchAll(pattern)].map(([found]) => `${line}: "${found.trim()}" (${better})`)
      }),
    ),
  )
}

/** Paragraphs, headings, items and cells of a page, without code. */
export function paragraphsOf(page) {
  const paragraphs = []
  let isCode = false
  for (const [index, raw] of page.split('\n').entries()) {
    if (raw.trimStart().startsWith('```')) isCode = !isCode
    const line = isCode || raw.startsWith('```') ? '' : raw.replace(/`[^`]*`/g, '`x`')
    const isStart = /^\s*(?:[-*+] |\d+\. |#|>)/.test(line)
    if (line.trimStart().startsWith('|')) {
      for (const cell of line.split('|')) paragraphs.push({ text: cell.trim(), line: index + 1 })
      paragraphs.push({ text: '', line: index + 1 })
    } else if (line.trim() === '' || isStart || paragraphs.length === 0) {
      paragraphs.push({ text: line.replace(/^\s*(?:[-*+] |\d+\. |#+ |> )/, ''), line: index + 1 })
    } else {
      const before = paragraphs.pop()
      const isFirst = before.text === ''
      paragraphs.push({ text: `${before.text} ${line.trim()}`.trim(), line: isFirst ? index + 1 : before.line })
    }
  }
  return paragraphs.filter(({ text }) => text !== '')
}

/** Texts of a source file that have words in them: what is in quotes, templates, and between tags. */
function textsOf(root, file) {
  const tree = treeOf(root, file)
  const texts = []
  const add = (node, text) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
    if (/\w \w/.test(text)) texts.push({ text: text.replace(/\s+/g, ' ').trim(), line })
  }
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node, node.text)
    else if (ts.isTemplateExpression(node))
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join(''))
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return texts
}

/** Every file with hits, and what they are. */
export function listWording(root) {
  const pages = ['', 'docs', 'examples'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter((name) => name.endsWith('.md'))
          .map((name) => join(folder, name))
      : [],
  )
  const files = sources(root, SPOKEN).filter((file) => !isTest(file) && !file.endsWith('.generated.ts'))
  const hits = [
    ...pages
      .filter((page) => !GENERATED.test(page))
      .map((page) => [page, findWording(paragraphsOf(readFileSync(join(root, page), 'utf8')))]),
    ...files.map((file) => [file, findWording(textsOf(root, file))]),
  ]
  return { hits: hits.filter(([, found]) => found.length > 0).sort(), read: pages.length + files.length }
}

const COUNTS = 'scripts/wording-counts.json'

export function checkWording(root) {
  const known = existsSync(join(root, COUNTS)) ? JSON.parse(readFileSync(join(root, COUNTS), 'utf8')) : {}
  const { hits, read } = listWording(root)
  const problems = hits.flatMap(([file, found]) =>
    found.length > (known[file] ?? 0) ? [`${file}: ${found.length} hits, ${known[file] ?? 0} before`, ...found] : [],
  )
  const now = Object.fromEntries(hits.map(([file, found]) => [file, found.length]))
  const fallen = Object.keys(known).filter((file) => (now[file] ?? 0) < known[file])
  if (problems.length === 0 && fallen.length > 0)
    problems.push(`fewer than before in ${fallen.join(', ')}: node scripts/check-wording.mjs --write`)
  const total = hits.reduce((sum, [, found]) => sum + found.length, 0)
  return { problems, counted: `${total} hits in ${read} files` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { hits } = listWording(root)
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
  if (process.argv.includes('--write')) {
    const counts = Object.fromEntries(hits.map(([file, found]) => [file, found.length]))
    writeFileSync(join(root, COUNTS), `${JSON.stringify(counts, null, 2)}\n`)
  } else
    for (const [file, found] of hits.filter(([name]) => wanted.length === 0 || wanted.includes(name)))
      for (const hit of found) console.log(`${file}:${hit}`)
}
