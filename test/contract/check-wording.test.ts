/** The check of what people read: it finds the words in prose, texts and cells, leaves code alone, and its counts only fall. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Sentence = { text: string; line: number }
const wording: {
  findWording(sentences: Sentence[]): string[]
  paragraphsOf(page: string): Sentence[]
  checkWording(root: string): { problems: string[]; counted: string }
} = await import(pathToFileURL(join(process.cwd(), 'scripts', 'check-wording.mjs')).href)

const hits = (page: string) => wording.findWording(wording.paragraphsOf(page)).map((hit) => hit.replace(/ \(.*/, ''))

test('each kind of word is found where it stands', () => {
  const cases: [page: string, hits: string[]][] = [
    ['Who asks waits.', ['1: "Who asks"']],
    ['It waits; who asks, too.', ['1: "; who asks"']],
    ['The host is told.', ['1: "is told"']],
    ['It goes on with the\nnext one.', ['1: "goes on"']],
    ['Text.\n\nA sentence over\ntwo lines is no\nsentence of ours.', ['3: "is no s"', '3: "of ours"']],
    ['| rule | what it does |\n|---|---|\n| a | nobody asks |', ['1: "what it"', '3: "nobody"']],
    ['# Mend it\n\n- a yes', ['1: "Mend"', '3: "a yes"']],
  ]
  for (const [page, expected] of cases) assert.deepEqual(hits(page), expected, page)
})

test('code, questions and usual phrases are left alone', () => {
  for (const page of [
    '```sh\necho nobody goes on\n```',
    'Run `mend anew` again.',
    'What should the agent do?',
    'The session is no longer open, and there is no such file. There is no file.',
    '| case | what happens |\n\n## What you learned',
    'Choose a yes-or-no form.',
  ])
    assert.deepEqual(hits(page), [], page)
})

test('a file may have as many as before, not more, and fewer are written down', () => {
  const root = mkdtempSync(join(tmpdir(), 'kedge-wording-'))
  try {
    for (const folder of ['docs', 'scripts', 'web']) mkdirSync(join(root, folder))
    const counts = (known: object) => writeFileSync(join(root, 'scripts', 'wording-counts.json'), JSON.stringify(known))
    const problems = () => wording.checkWording(root).problems
    counts({ 'docs/one.md': 1 })
    writeFileSync(join(root, 'docs', 'one.md'), '# One\n\nNobody is here.\n')
    assert.deepEqual(problems(), [])
    writeFileSync(join(root, 'docs', 'one.md'), '# One\n\nNobody is here, and somebody is told.\n')
    assert.match(problems()[0] ?? '', /^docs\/one\.md: 3 hits, 1 before$/)
    writeFileSync(join(root, 'docs', 'one.md'), '# One\n\nAda is here.\n')
    assert.match(problems()[0] ?? '', /^fewer than before in docs\/one\.md/)
    counts({})
    assert.deepEqual(problems(), [])
    writeFileSync(join(root, 'web', 'texts.tsx'), 'export const Text = () => <p>Nobody {1} goes on here</p>\n')
    assert.match(problems()[0] ?? '', /^web\/texts\.tsx: 1 hits, 0 before$/)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
