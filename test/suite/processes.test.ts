/** Files that share a process: hooks at the top of one are called for its own tests alone. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const BEFORE = ['hang-limit.mjs', 'cost-probe.mjs', 'without-tracking.mjs', 'file-suites.mjs']
const urlOf = (name: string) => pathToFileURL(join(process.cwd(), 'scripts', name)).href
const fileWithHooks = (name: string) => `
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
const say = (what) => console.error('${name} ' + what)
before(() => say('before'))
beforeEach(() => say('beforeEach'))
afterEach(() => say('afterEach'))
after(() => say('after'))
test('one', () => say('one'))
describe('inner', () => {
  beforeEach(() => say('inner'))
  test('two', () => say('two'))
})
test('three', () => { throw new Error('on purpose') })
`

type Ended = { code: number | null; stdout: string; stderr: string }
const run = (program: string) =>
  new Promise<Ended>((resolve) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = execFile(process.execPath, [program], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })

test('each of two files with hooks gets a suite of its own, in order, and a failure is still one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-suites-'))
  try {
    const mark = (file: string) =>
      `import 'data:text/javascript,globalThis[Symbol.for("kedge.loading")](${file && JSON.stringify(file)})'\n`
    const lines = BEFORE.map((name) => `import '${urlOf(name)}'\n`)
    for (const name of ['a', 'b']) {
      writeFileSync(join(folder, `${name}.mjs`), fileWithHooks(name))
      lines.push(mark(`test/${name}.test.ts`), `import './${name}.mjs'\n`)
    }
    writeFileSync(join(folder, 'both.mjs'), [...lines, mark('')].join(''))
    const { code, stdout, stderr } = await run(join(folder, 'both.mjs'))
    const one = ['beforeEach', 'one', 'afterEach']
    const two = ['beforeEach', 'inner', 'two', 'afterEach']
    const three = ['beforeEach', 'afterEach']
    const ofFile = ['before', ...one, ...two, ...three, 'after']
    const said = stderr.split('\n').filter((line) => /^[ab] \w+$/.test(line))
    assert.deepEqual(
      said,
      ['a', 'b'].flatMap((name) => ofFile.map((what) => `${name} ${what}`)),
      stderr,
    )
    assert.equal(code, 1)
    assert.match(stdout, /fail 2\b/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
