// Words of the code: exported names that are unique, names and comment openings that a newcomer doesn't understand, paths of the
// glossary that exist, and object literals that are spread only to save lines.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLAIN_NOUNS } from './plain-nouns.mjs'
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
  [/\bbreathe\b/, 'yieldToEventLoopIfDue'],
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

/** British spellings, and what to write. Stems: they are found inside of names too. */
const BRITISH = [
  [
    /(?:behavi|col|hon|fav|neighb|harb|lab|hum|rum|flav|endeav|arm|vap|od|rig|vig)our(?!(?:ce|s of)|glass|\b[-/])/i,
    '-or',
  ],
  [
    /cancell(?!ation)|signall|travell|modell(?:ed|ing)|fuell|marshall|tunnell|totall(?:ed|ing)|channell|counsell|\blabell(?:ed|ing)\b/i,
    'one l',
  ],
  [
    /(?:(?:ser|mater|spec|init|soc|triv)ial|normal|recogn|organ|optim|summar|minim|maxim|priorit|synchron|token|author|capital|character|custom|emphas|final|general|real|standard|sanit|util|visual|apolog|memor|random|canonical|categor)is(?:e[drs]?|ing|ations?|able)\b/i,
    '-ize',
  ],
  [/(?:an|par)alys(?:e[drs]?|ing)\b/i, '-yze'],
  [/licence|\bdefence\b|offence|pretence|practis(?:e|ed|es|ing)\b/i, '-se, practice'],
  [/\b(?:grey|centre[ds]?|metres?|litres?|theatre|fibre|calibre)\b/i, 'gray, -er'],
  [
    /catalogue|analogue|\bprogrammes?\b|judgement|acknowledgement|artefact|\b(?:ageing|plough|sceptic|mould|fulfil|skilful|instalment)\b/i,
    'the American form',
  ],
  [/\b(?:whilst|amongst|learnt|spelt|burnt|towards)\b/i, 'while, among, -ed, toward'],
]
/** Values that others have defined: `'cancelled'`, `notifications/cancelled`, `--colour` of grep. */
const VALUES = /(['"`])[^\s'"`]*\1|[\w/]*[_/]cancelled\b|--colour\??|\bCANCELLED\b/g

/** American English in names, comments, texts, titles of tests, and pages. A fenced block of a page is code. */
export function findBritish(text, isPage = false) {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (isPage && line.startsWith('```')) isCode = !isCode
    const words = (isCode ? '' : line).replace(isPage ? /`[^`]*`/g : VALUES, ' ')
    return BRITISH.flatMap(([pattern, better]) => {
      const found = pattern.exec(words)
      return found ? [`${index + 1}: ${found[0]} (write ${better})`] : []
    })
  })
}

/** The file with the list is the one that may have these words, and its test. */
const SPELLING_FILES = /^(?:scripts|test\/contract)\/check-words\.(?:test\.ts|mjs)$/

export function checkSpelling(root) {
  const pages = readdirSync(root)
    .concat(readdirSync(join(root, 'docs')).map((name) => `docs/${name}`))
    .filter((name) => name.endsWith('.md'))
  const scripts = ['scripts', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  )
  const code = sources(root, [...WRITTEN, 'test', 'examples']).filter(
    (file) => !/\.generated\.ts$|fixtures\//.test(file),
  )
  const files = [...pages, ...code, ...scripts].filter((file) => !SPELLING_FILES.test(file))
  return {
    problems: files.flatMap((file) => findBritish(read(root, file), file.endsWith('.md')).map((at) => `${file}:${at}`)),
    counted: `${files.length} files`,
  }
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

/** Folders whose exported types are named with words of the glossary, or with plain ones. */
const COVERED = ['src/hub', 'src/cluster', 'src/server', 'src/acp', 'src/terminal', 'web']
const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm

/** The noun of a name is its last word: `session` of `LiveSession`. */
export function headNoun(name) {
  return (name.match(/[A-Z][a-z0-9]+|[A-Z]+(?![a-z])/g) ?? [name]).at(-1).toLowerCase()
}

/** Words of the first column, of several words the last too, and API names: `ask` of "request (API name `ask`)". */
export function glossaryWords(glossary) {
  const cells = glossary.split('\n').flatMap((line) => (line.startsWith('| **') ? [line.split('|')[1]] : []))
  const words = cells.flatMap((cell) =>
    [...cell.matchAll(/\*\*([^*]+)\*\*|`(\w+)`/g)].map(([, word, name]) => word ?? name),
  )
  return new Set(words.flatMap((word) => [word, word.split(' ').at(-1)]).map((word) => word.toLowerCase()))
}

/** Names whose noun a reader can't look up and may not know. */
export function findUnknownNouns(names, glossary, plain) {
  const known = new Set([...glossaryWords(glossary), ...plain])
  return names.flatMap((name) => {
    const noun = headNoun(name)
    const forms = [noun, noun.replace(/s$/, ''), noun.replace(/ies$/, 'y'), noun.replace(/es$/, '')]
    return forms.some((form) => known.has(form)) ? [] : [`${name}: ${noun}`]
  })
}

export function checkNouns(root) {
  const glossary = readFileSync(join(root, 'GLOSSARY.md'), 'utf8')
  const names = written(root)
    .filter((file) => COVERED.some((folder) => file.startsWith(`${folder}/`)))
    .flatMap((file) => [...read(root, file).matchAll(EXPORTED_TYPE)].map(([, name]) => name))
  return {
    problems: findUnknownNouns(names, glossary, PLAIN_NOUNS).map(
      (one) => `${one} is neither in GLOSSARY.md nor in scripts/plain-nouns.mjs`,
    ),
    counted: `${names.length} types`,
  }
}

/** Words that a comment which editors show must not have: riddles, and actors that nobody can name. */
const RIDDLES =
  /(?:^|[.:;|] ?)(?:who|whoever|whatever) \w+|\b(?:is|are|was|were|be|been) told\b|\bhears? of\b|\bgo(?:es|ne)? on\b|\bmend\w*|\banew\b|\b(?:nobody|somebody|everybody)\b|\bthose there are\b|\bis no (?!longer|such)[a-zA-Z`]|\ba (?:yes|no)\b|\bof (?:yours|ours|your own|its own)\b|\bbrings?\b|\bso (?:long|many)\b|\bblanks\b/i

/** Doc comments of a text that have such words, with their lines. */
export function findRiddles(text) {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].flatMap(({ 1: body, index }) => {
    const sentence = body.replace(/\n\s*\* ?/g, ' ').replace(/`[^`]*`/g, '`x`')
    const found = RIDDLES.exec(sentence.trim())
    return found ? [`${text.slice(0, index).split('\n').length}: ${found[0].trim()}`] : []
  })
}

/** The comments of the protocol reach the editors and schemas of those who use Kedge. */
export function checkProtocolComments(root) {
  return sources(root, ['src/protocol'])
    .filter((file) => !isForTests(file) && !file.endsWith('.generated.ts'))
    .flatMap((file) => findRiddles(read(root, file)).map((at) => `${file}:${at}`))
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
