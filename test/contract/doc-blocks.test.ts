/** Every block of code in the docs is checked: programs by the compiler, data by a parser, commands by the shell and the flag table. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { parseMarkdown } from '../../src/project/frontmatter.js'
import { TOP_LEVEL_COMMANDS } from '../../src/protocol/command-table/all-commands.js'
import { allFlagsOf } from '../../src/protocol/command-table/command-row.js'
import { FLAGS } from '../../src/protocol/option-table/flags.js'

type Block = {
  page: string
  line: number
  lang: string
  code: string
  given: string
  unchecked?: string
  from?: string
}

const root = process.cwd()
const load = (name: string) => import(pathToFileURL(join(root, 'scripts', 'docs', name)).href)
const { allBlocks, codeBlocks, isQuoted } = await load('code-blocks.mjs')
const blocks: Block[] = allBlocks(root)
const quotes = blocks.filter(({ from }) => from !== undefined)
const checked = blocks.filter(({ unchecked, from }) => unchecked === undefined && from === undefined)
const inLanguages = (...languages: string[]) => checked.filter(({ lang }) => languages.includes(lang))
const placeOf = ({ page, line }: Block) => `${page}:${line}`

describe('blocks of code in the docs', () => {
  test('each says its language, and there is a check for it or a reason why not', () => {
    const known = ['ts', 'js', 'diff', 'json', 'jsonc', 'yaml', 'markdown', 'sh']
    // Output and drawings: nothing can run these. The role in SQL is made by test/cluster/compose.test.ts and database-tool.test.ts, the component by
    // test/web/react.test.ts, and pages by test/web/elements-docs.test.ts.
    const shown = ['text', 'sql', 'tsx', 'html', 'css']
    const odd = blocks.filter(({ lang, from }) => !from && ![...known, ...shown].includes(lang)).map(placeOf)
    assert.deepEqual(odd, [])
    for (const block of blocks) assert.notEqual(block.unchecked, '', placeOf(block))
    assert.ok(checked.length > 80, `${checked.length} blocks`)
  })

  test('a block that is a part of a file is in that file', () => {
    const changed = quotes.filter(({ code, from = '' }) => !isQuoted(code, readFileSync(join(root, from), 'utf8')))
    assert.deepEqual(changed.map(placeOf), [])
    assert.ok(quotes.length > 20, `${quotes.length} quotes`)
  })

  test('a part of a file can lose its indentation, and nothing else', () => {
    const file = 'a\n  if (b) {\n    c()\n\n  }\nd\n'
    assert.ok(isQuoted('if (b) {\n  c()\n\n}', file))
    assert.ok(isQuoted('d', file))
    for (const other of ['if (b) {\nc()', 'a\n  d', 'c()\n}', '  if (b) {']) assert.ok(!isQuoted(other, file), other)
  })

  test('programs compile against what we ship', () => {
    const folder = join(root, '.build', 'doc-blocks')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const places = new Map<string, Block>()
    for (const block of inLanguages('ts', 'js', 'diff')) {
      const name = `${block.page.replace(/\W/g, '_')}_${block.line}.${block.lang === 'js' ? 'mjs' : 'ts'}`
      places.set(name, block)
      const code = block.lang === 'diff' ? afterChange(block.code) : block.code
      writeFileSync(join(folder, name), `${block.given}\n${withImports(code)}\nexport {}\n`)
    }
    const problems = compile(folder).filter((problem) => !/\.mjs\(.*error TS70(06|31)/.test(problem))
    assert.deepEqual(problems, [])
    assert.ok(places.size > 40, `${places.size} programs`)
  })

  test('a program with a wrong option does not', () => {
    const folder = join(root, '.build', 'wrong-block')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'wrong.ts'),
      withImports("query({ prompt: 'Hi', options: { modle: 'practice' } })\nexport {}"),
    )
    assert.match(compile(folder).join('\n'), /'modle' does not exist/)
  })

  test('data can be read', () => {
    for (const block of inLanguages('json', 'jsonc')) {
      const text = block.lang === 'json' ? block.code : withoutComments(block.code)
      // Several in one block, one below the other.
      for (const each of text.split(/^(?=\{)/m).filter((each) => each.trim() !== ''))
        assert.doesNotThrow(() => JSON.parse(each), placeOf(block))
    }
    assert.deepEqual(
      inLanguages('yaml').flatMap((block) =>
        yamlProblems(block.code).map((problem) => `${placeOf(block)}: ${problem}`),
      ),
      [],
    )
    for (const block of inLanguages('markdown')) {
      const parsed = parseMarkdown(block.code)
      assert.ok('fields' in parsed && parsed.fields.size > 0, `${placeOf(block)}: no settings on top`)
    }
  })

  test('data that can not be read is noticed', () => {
    assert.deepEqual(yamlProblems('jobs:\n  test:\n    runs-on: x\n    steps: [{ run: npm test }]\n'), [])
    assert.match(yamlProblems('a: 1\na: 2\n').join(), /unique/)
    assert.match(yamlProblems('a: [1\nb: 2\n').join(), /./)
    assert.deepEqual(yamlProblems('jobs:\n  test:\n    steps: [{ runs: npm test }, { uses: actions/checkout }]\n'), [
      'test does not say what it runs on',
      'step 1 of test neither uses nor runs anything',
      'step 2 of test uses actions/checkout of no version',
    ])
  })

  test('the shell can read commands, and `kedge` and `npm run` know what they are told', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const flags = new Set([
      ...FLAGS.flatMap(({ name, short, aliases = [] }) => [
        `--${name}`,
        ...(short ? [`-${short}`] : []),
        ...aliases.map((each) => `--${each}`),
      ]),
      ...TOP_LEVEL_COMMANDS.flatMap((command) =>
        allFlagsOf(command).flatMap(({ name, short }) => [`--${name}`, `-${short}`]),
      ),
      '--help',
    ])
    const wrong: string[] = []
    for (const block of inLanguages('sh')) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block.code, encoding: 'utf8' })
      assert.equal(status, 0, `${placeOf(block)}: ${stderr}`)
      for (const [line] of block.code.matchAll(/\bkedge [^\n#|]*/g)) {
        const words = line.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<=\s)--?[a-zA-Z][\w-]*/g) ?? []
        wrong.push(...words.filter((word) => !flags.has(word)).map((word) => `${placeOf(block)}: ${word}`))
      }
      for (const [, name = ''] of block.code.matchAll(/npm run ([\w:-]+)/g))
        if (!(name in scripts)) wrong.push(`${placeOf(block)}: npm run ${name}`)
    }
    assert.deepEqual(wrong, [])
  })

  test('what stands before a block belongs to that one only', () => {
    const page = [
      '<!-- given: declare const a: 1 -->',
      '```ts',
      'a',
      '```',
      '```sh',
      'ls',
      '```',
      '<!-- unchecked: why -->',
      '```',
      '```',
    ]
    assert.deepEqual(codeBlocks('p.md', page.join('\n')), [
      {
        page: 'p.md',
        line: 2,
        lang: 'ts',
        given: 'declare const a: 1',
        unchecked: undefined,
        from: undefined,
        code: 'a',
      },
      { page: 'p.md', line: 5, lang: 'sh', given: '', unchecked: undefined, from: undefined, code: 'ls' },
      { page: 'p.md', line: 9, lang: '', given: '', unchecked: 'why', from: undefined, code: '' },
    ])
  })
})

/** A fragment in the middle of a page need not say again where its names come from. */
function withImports(code: string): string {
  if (/from 'kedge'/.test(code)) return code
  const exported = [...readFileSync('dist/index.d.ts', 'utf8').matchAll(/^export (?:type )?\{([^}]+)\}/gm)]
  const names = exported.flatMap(([, list = '']) => list.split(',').map((each) => each.trim().replace(/^type /, '')))
  const used = names.filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`(const|function|interface|type) ${name}\\b`).test(code),
  )
  return used.length === 0 ? code : `import { ${used.join(', ')} } from 'kedge'\n${code}`
}

/** What a file has after the change that is shown. */
function afterChange(diff: string): string {
  const kept = diff.split('\n').filter((line) => !line.startsWith('-'))
  return kept.map((line) => line.replace(/^[+ ] ?/, '')).join('\n')
}

type Job = { 'runs-on'?: unknown; steps?: { uses?: string; run?: unknown }[] }

/** As YAML, and as a workflow where it has jobs. */
function yamlProblems(code: string): string[] {
  return parseAllDocuments(code).flatMap((document) => {
    const said = [...document.errors, ...document.warnings].map(({ message }) => message)
    if (said.length > 0) return said
    const { jobs = {} }: { jobs?: Record<string, Job> } = document.toJS() ?? {}
    return Object.entries(jobs).flatMap(([name, job]) => [
      ...(job['runs-on'] === undefined ? [`${name} does not say what it runs on`] : []),
      ...(job.steps ?? []).flatMap(({ uses, run }, at) => {
        const step = `step ${at + 1} of ${name}`
        if (uses === undefined && run === undefined) return [`${step} neither uses nor runs anything`]
        return uses === undefined || /^[\w./-]+@[\w.-]+$/.test(uses) ? [] : [`${step} uses ${uses} of no version`]
      }),
    ])
  })
}

function compile(folder: string): string[] {
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
  const tsc = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

function withoutComments(text: string): string {
  return text.replace(/^(\s*(?:"(?:[^"\\]|\\.)*"|[^"/])*?)\/\/.*$/gm, '$1').replace(/,(\s*[}\]])/g, '$1')
}
