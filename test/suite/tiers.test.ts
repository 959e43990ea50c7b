/** Which tests run when: the lists name files that are there, and each list can fail a run. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { callingFile, isChosen } from '../support/tier.js'

type Skip = { file: string; test?: RegExp; needs: string }
type SkipList = { note(file: string, event: { name: string; skip?: unknown }): void; problems(): string[] }
type Scripts = {
  ONLY_IN_ALL: Record<string, string>
  chooseFiles(all: string[], how?: { wanted?: string[]; isAll?: boolean }): string[]
  NEEDS: Record<string, string>
  SKIPS: Skip[]
  createSkipList(required?: string, how?: { skips?: Skip[]; isLinux?: boolean }): SkipList
  needsBuild(file: string): boolean
  partsFor(changed: string, wanted?: string[]): string[]
}
// Scripts are outside of what is compiled; these are their exports.
const load = (name: string) => import(pathToFileURL(join(process.cwd(), 'scripts', name)).href)
const scripts: Scripts = {
  ...(await load('test-tiers.mjs')),
  ...(await load('test-skips.mjs')),
  ...(await load('test-watch.mjs')),
}

test('every file that only test:all runs is there, and has a reason', () => {
  const entries = Object.entries(scripts.ONLY_IN_ALL)
  assert.deepEqual(
    entries.filter(([file, reason]) => !existsSync(file) || reason.length < 20),
    [],
  )
})

test('npm test leaves them out, test:all does not, and a name on the command line finds them', () => {
  const [listed = ''] = Object.keys(scripts.ONLY_IN_ALL)
  const all = [listed, 'src/hooks/match.test.ts', 'test/hooks/matrix.test.ts']
  assert.deepEqual(scripts.chooseFiles(all), all.slice(1))
  assert.deepEqual(scripts.chooseFiles(all, { isAll: true }), all)
  assert.deepEqual(scripts.chooseFiles(all, { wanted: ['hooks/'] }), all.slice(1))
  assert.deepEqual(scripts.chooseFiles(all, { wanted: [listed] }), [listed])
  assert.deepEqual(scripts.chooseFiles(all, { wanted: ['hooks/', listed] }), all)
  assert.deepEqual(scripts.chooseFiles(all, { wanted: ['nothing'] }), [])
})

test('a seed chooses about a fifth, the same each time, and others with another seed', () => {
  const titles = Array.from({ length: 1000 }, (_, n) => `case ${n}`)
  const chosen = (seed: string) => titles.filter((title) => isChosen(title, seed))
  assert.deepEqual(chosen('1'), chosen('1'))
  assert.notDeepEqual(chosen('1'), chosen('2'))
  for (const seed of ['1', '2', '3']) assert.ok(Math.abs(chosen(seed).length - 200) < 60, `${chosen(seed).length}`)
  // Five seeds leave out a third of them, thirty hardly any.
  const seeds = Array.from({ length: 30 }, (_, n) => String(n))
  assert.ok(titles.filter((title) => !seeds.some((seed) => isChosen(title, seed))).length < 10)
})

test('the first sampled test of a file is known by who defines it, even where a helper does', () => {
  const helper = '    at each (file:///kedge/.build/test/server/serving.js:4:3)'
  const file = '    at file:///kedge/.build/test/server/restart.test.js:9:1'
  assert.equal(callingFile(`Error\n${helper}\n${file}`), 'file:///kedge/.build/test/server/restart.test.js')
  assert.equal(callingFile(`Error\n${helper}`), '')
})

test('every entry of the list of skips is about a file that is there, and needs something known', () => {
  const exists = ({ file }: Skip) => [file, `${file}.test.ts`].some((path) => existsSync(path))
  assert.deepEqual(
    scripts.SKIPS.filter((skip) => !exists(skip) || !Object.hasOwn(scripts.NEEDS, skip.needs)),
    [],
  )
})

test('a skip that is not listed fails the run, and so does one for what KEDGE_REQUIRE names', () => {
  const skips = [{ file: 'test/web/', needs: 'browser' }]
  const problemsOf = (file: string, required: string) => {
    const list = scripts.createSkipList(required, { skips, isLinux: true })
    list.note(file, { name: 'a view', skip: true })
    return list.problems()
  }
  assert.deepEqual(problemsOf('test/web/views.test.ts', ''), [])
  assert.deepEqual(problemsOf('test/web/views.test.ts', 'sandbox'), [])
  assert.match(problemsOf('test/web/views.test.ts', 'sandbox,browser').join(), /KEDGE_REQUIRE asks for browser/)
  assert.match(problemsOf('test/hooks/matrix.test.ts', '').join(), /a view: skipped, but not listed/)
  assert.throws(() => scripts.createSkipList('chrome'), /KEDGE_REQUIRE takes browser, .*not chrome/)
})

test('a change runs both homes of its concern, a changed test itself, and what was asked for', () => {
  assert.deepEqual(scripts.partsFor('src/hooks/match.ts'), ['src/hooks/', 'test/hooks/'])
  assert.deepEqual(scripts.partsFor('test/hooks/play.ts'), ['src/hooks/', 'test/hooks/'])
  assert.deepEqual(scripts.partsFor('src/hooks/match.test.ts'), ['src/hooks/match.test.ts'])
  assert.deepEqual(scripts.partsFor('src/hooks/match.ts', ['test/e2e']), ['test/e2e'])
})

test('only files that use what is built wait for a build', () => {
  const files = ['src/hooks/match.test.ts', 'src/sdk/store-writer.test.ts', 'test/suite/tiers.test.ts']
  assert.deepEqual(
    files.map((file) => scripts.needsBuild(file)),
    [false, true, true],
  )
})
