// Words of the code: exported names that are unique, names and comment openings that a newcomer doesn't understand, paths of the
// glossary that exist, and object literals that are spread only to save lines.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest, sources } from './source-files.mjs'

const WRITTEN = ['src', 'web']
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:type|interface|class|function\*?|const|let|enum) (\w+)/gm
/** Fakes and helpers that tests share. */
const isForTests = (file) => isTest(file) || /(^|\/)test-[^/]*$/.test(file)
const written = (root) => sources(root, WRITTEN).filter((file) => !isForTests(file) && !file.endsWith('.generated.ts'))
const read = (root, file) => readFileSync(join(root, file), 'utf8')

/** One exported name is one thing. An overloaded function counts once. */
export function checkUniqueNames(root) {
  const places = new Map()
  for (const file of written(root))
    for (const name of new Set([...read(root, file).matchAll(EXPORTED)].map(([, one]) => one)))
      places.set(name, [...(places.get(name) ?? []), file])
  const problems = [...places].flatMap(([name, files]) =>
    files.length > 1 ? [`${name} is exported by ${files.join(', ')}: give each a name that says what it is`] : [],
  )
  return { problems, counted: `${places.size} names` }
}

/** Parts of names that say nothing to a newcomer, each with what to write. */
const BANNED_NAMES = [
  [/\b(?:\w*(?:Desk|House)|desks?|house)\b/, 'what it holds or does'],
  [/\b(?:\w*Faces?|faces?|Face[A-Z]\w*)\b/, 'interface'],
  [/\b(?:Tool|Hook|Call|Plan|Subagent|Compaction)Board\b/, 'Tracker'],
  [/\bAgentBook\b/, 'AgentRegistry'],
  [/\b(?:goOn|takeUp|handOn)\b/, 'resume, recover, requeue'],
  [/\b(?:Stretch|stretches)\b/, 'run'],
  [/\bWhereabouts\b/i, 'PathResolver'],
  [/\bbreathe\b/, 'yieldToEventLoop'],
  [/\b(\w+) instanceof Error \? \1\.message : (?:String\(\1\)|\1\b)/, 'messageOf of protocol/thrown.ts'],
  [/\b(\w+) instanceof Error \? \1 : new Error\(String/, 'toError of protocol/thrown.ts'],
]

export function checkBannedNames(root) {
  return written(root).flatMap((file) =>
    (file === 'src/protocol/thrown.ts' ? '' : read(root, file)).split('\n').flatMap((line, index) => {
      const code = line.replace(/^\s*(\*|\/\*\*?|\/\/).*$/, '').replace(/'[^']*'|`[^`]*`/g, "''")
      return BANNED_NAMES.flatMap(([pattern, better]) => {
        const found = pattern.exec(code)
        return found ? [`${file}:${index + 1}: ${found[0]} (write ${better})`] : []
      })
    }),
  )
}

/** A literal that is spread into another keeps a formatter from one property a line, and readers from reading. */
export function checkLiteralSpreads(root) {
  return sources(root, [...WRITTEN, 'test', 'examples']).flatMap((file) =>
    read(root, file)
      .split('\n')
      .flatMap((line, index) => (/^\s*\.\.\.\{/.test(line) ? [`${file}:${index + 1}: a literal is spread`] : [])),
  )
}

/** The comment stands before what it is about, not between a field and its semicolon. */
export function checkCommentPlaces(root) {
  return written(root).flatMap((file) =>
    read(root, file)
      .split('\n')
      .flatMap((line, index) => (/\*\/\s*;/.test(line) ? [`${file}:${index + 1}: a comment before a semicolon`] : [])),
  )
}

/** Openings whose noun a reader has to guess: "Of the last entry", "Who asks". */
const CRYPTIC_OPENING = /^\s*(?:\{?\/\*\*?|\*|\/\/) ?(?:Of|Who|Whoever|So many|So long|By which|As many)\b/

/** A comment starts with a verb or with the noun it is about. */
export function checkCommentOpenings(root) {
  return written(root).flatMap((file) =>
    read(root, file)
      .split('\n')
      .flatMap((line, index) =>
        CRYPTIC_OPENING.test(line) ? [`${file}:${index + 1}: start with a verb or a noun: ${line.trim()}`] : [],
      ),
  )
}

/** Every file the glossary names exists, and no word is explained twice. */
export function checkGlossary(root) {
  const rows = readFileSync(join(root, 'GLOSSARY.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| **'))
  const paths = rows.flatMap((row) => [...row.matchAll(/`((?:src|web)\/[^`]*)`/g)].map(([, path]) => path))
  const words = rows.map((row) => row.split('|')[1].trim())
  return {
    problems: [
      ...paths.filter((path) => !existsSync(join(root, path))).map((path) => `GLOSSARY.md: there is no ${path}`),
      ...words
        .filter((word, index) => words.indexOf(word) !== index)
        .map((word) => `GLOSSARY.md: ${word} stands twice`),
    ],
    counted: `${rows.length} words`,
  }
}
