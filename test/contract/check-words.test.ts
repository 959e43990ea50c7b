/** The checks of words can fail: each finds what it is there for in a small project, and nothing in one that is right. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Found = string[] | { problems: string[]; counted?: string }
const words: Record<string, (root: string) => Found> & {
  findBritish(text: string, isPage?: boolean): string[]
  findRiddles(text: string): string[]
  findUnknownNouns(names: string[], glossary: string, plain: string[]): string[]
  headNoun(name: string): string
} = await import(pathToFileURL(join(process.cwd(), 'scripts', 'check-words.mjs')).href)

/** What a check finds in a project of these files. */
function found(check: string, files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'kedge-words-'))
  try {
    const all = { 'GLOSSARY.md': '', 'src/fine.ts': '/** Right. */\nexport const fine = 1\n', ...files }
    for (const folder of ['docs', 'scripts', 'bench', 'test']) mkdirSync(join(root, folder))
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    const result = words[check]?.(root) ?? assert.fail(`there is no ${check}`)
    return Array.isArray(result) ? result : result.problems
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const fails: Record<string, [Record<string, string>, RegExp]> = {
  checkUniqueNames: [
    { 'src/one.ts': 'export type Twice = 1\n', 'web/two.ts': 'export function Twice() {}\n' },
    /^Twice is exported by src\/one\.ts, web\/two\.ts/,
  ],
  checkBannedNames: [{ 'src/one.ts': 'const newsDesk = 1\n' }, /^src\/one\.ts:1: newsDesk/],
  checkLiteralSpreads: [{ 'src/one.ts': 'const one = {\n  ...{ a, b },\n}\n' }, /^src\/one\.ts:2: a literal/],
  checkCommentPlaces: [{ 'src/one.ts': 'type One = { seq: number /** Why. */; at: string }\n' }, /^src\/one\.ts:1/],
  checkCommentOpenings: [{ 'src/one.ts': '/** Of the last entry. */\nconst one = 1\n' }, /^src\/one\.ts:1: start/],
  checkSpelling: [{ 'docs/one.md': '# The behaviour of colours\n' }, /^docs\/one\.md:1: behaviour/],
  checkNouns: [{ 'src/hub/one.ts': 'export type SessionWhatnot = 1\n' }, /^SessionWhatnot: whatnot is neither/],
  checkProtocolComments: [
    { 'src/protocol/one.ts': '/** Nobody is told. */\ntype One = 1\n' },
    /^src\/protocol\/one\.ts:1/,
  ],
  checkGlossary: [
    { 'GLOSSARY.md': '| **one** | it | `src/gone.ts` | |\n' },
    /^GLOSSARY\.md: there is no src\/gone\.ts/,
  ],
}
for (const [check, [files, problem]] of Object.entries(fails))
  test(`${check} finds what is wrong, and nothing where all is right`, () => {
    const [first = '', ...others] = found(check, files)
    assert.match(first, problem)
    assert.ok(others.length <= 1, others.join('\n'))
    assert.deepEqual(found(check, {}), [])
  })

test('a message of an error is read by the one helper', () => {
  const text = 'const text = error instanceof Error ? error.message : String(error)\n'
  assert.match(found('checkBannedNames', { 'src/one.ts': text })[0] ?? '', /messageOf/)
  assert.deepEqual(found('checkBannedNames', { 'src/protocol/thrown.ts': text }), [])
})

test('names in text and comments are not names of the code', () => {
  assert.deepEqual(found('checkBannedNames', { 'src/one.ts': "// the house\nconst one = 'desk'\n" }), [])
})

test('American spelling, wherever a person reads; values of protocols stay', () => {
  const line = (text: string) => words.findBritish(text).map((one) => one.replace(/ \(.*/, ''))
  assert.deepEqual(line('const isCancelled = colourOf(x)'), ['1: colour', '1: Cancell'])
  assert.deepEqual(line('// normalised\n// whilst grey'), ['1: normalised', '2: grey', '2: whilst'])
  assert.deepEqual(line("reason === 'cancelled' || method === 'notifications/cancelled' // mcp_cancelled"), [])
  assert.deepEqual(line('// four hours, an hourglass, a promise, exercise, cancellation'), [])
  assert.deepEqual(words.findBritish('```\ncolour\n```\n`colour` is grey', true), ['4: grey (write gray, -er)'])
})

test('riddles in doc comments are found with their line', () => {
  assert.deepEqual(words.findRiddles('const one = 1\n/**\n * Whoever asks is\n * told. */'), ['2: Whoever asks'])
  assert.deepEqual(words.findRiddles('/** The answer is no longer wanted. `goes on` is a value. */ // nobody'), [])
})

test('the last word of a name is its noun, and it is in the glossary or plain', () => {
  assert.deepEqual(['LiveSession', 'ClusterURL', 'prompt', 'HubState2'].map(words.headNoun), [
    'session',
    'url',
    'prompt',
    'state2',
  ])
  const glossary = '| word | meaning |\n| **request** (API name `ask`) | |\n| **model request**, **pending asks** | |\n'
  const names = ['OpenAsk', 'Requests', 'OneWidget', 'Stories']
  assert.deepEqual(words.findUnknownNouns(names, glossary, ['story']), ['OneWidget: widget'])
})
