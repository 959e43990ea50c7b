/** What people read about Kedge: in their editor, on the site, in the docs. Complete, spelled right, and findable without a network. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'

type Name = { name: string; sentence: string; since?: string; members: Name[] }
type Page = { file: string; title: string; text: string; html: string; source: string }
type Found = { at: string; heading: string; near: string; words: string[] }

const root = process.cwd()
const load = (name: string) => import(pathToFileURL(join(root, 'scripts', 'docs', name)).href)
const { countNames, publicNames, unexplained } = await load('public-names.mjs')
const { FIRST } = await load('api-reference.mjs')
const { buildSite, createColoring } = await load('build-site.mjs')
const { REDIRECTS, SITE_MAP } = await load('site-map.mjs')
const { withPageList } = await load('page-list.mjs')
const { splitPage } = await load('split-pages.mjs')
const { missingTests, proofPage } = await load('proof-page.mjs')
const { mcpBadInputsPage } = await load('mcp-bad-inputs-page.mjs')
const { createSpelling } = await load('spelling.mjs')

const names: Name[] = publicNames(root)
const LONGEST = 250
const docs = readdirSync('docs').filter((name) => name.endsWith('.md'))

describe('what editors show', () => {
  test('every exported name, and every field of it, has a sentence in the declarations we ship', () => {
    assert.deepEqual(unexplained(names), [])
    assert.ok(countNames(names) > 2500, `only ${countNames(names)} were read`)
  })

  test('no sentence stands twice where a name is explained, also if it has several signatures', () => {
    const beginnings = (text: string) => text.split(/(?<=\.)\s+/).map((each) => each.split(/\s+/, 5).join(' '))
    const twice = names.filter(({ sentence }) => new Set(beginnings(sentence)).size < beginnings(sentence).length)
    assert.deepEqual(
      twice.map(({ name }) => name),
      [],
    )
    assert.match(names.find(({ name }) => name === 'query')?.sentence ?? '', /^Starts an agent .* has its type\.$/s)
  })

  test('the version a name is here since is one of the CHANGELOG: the first one, where the name says nothing', () => {
    const headings = readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)
    const versions = [...headings].map(([, version]) => version)
    assert.equal(versions.at(-1), FIRST)
    const unknown = names.filter(({ since = FIRST }) => !versions.includes(since)).map(({ name }) => name)
    assert.deepEqual(unknown, [])
  })

  test('a name, a field, a field of a field, of a union, of a base and of a parameter is missed when nothing explains it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-names-'))
    writeFileSync(
      join(folder, 'some.d.ts'),
      `export {};
      type Base = { base: string };
      type Named = { alone: string };
      export type Named2 = Named;
      /** A. */
      export type A = Base & {
        /** Said. */
        said: string; inner: { deep: number }[] };
      /** B. */
      export type B = { one: 1 } | { two: 2 };
      /** C. */
      export declare function c(options: { given: string }): void;
      /** D. */
      export declare class D { method(): void; private hidden: string; #own: string }
      /** E. */
      export type E = (options: { told: string }) => void;
      /** F. */
      export type F = Partial<Base>;
      /** G. */
      export type G = {
        /** Said of one kind only. */
        half: 1 } | { half: 2 };`,
    )
    assert.deepEqual(
      unexplained(publicNames(folder, { some: 'some.d.ts' })).sort(),
      [
        ...['A.base', 'A.inner', 'A.inner.deep', 'B.one', 'B.two', 'D.method', 'E.told', 'F.base', 'G.half'],
        ...['Named2', 'Named2.alone', 'c.given'],
      ].sort(),
    )
  })
})

describe('the documentation site', () => {
  const out = mkdtempSync(join(tmpdir(), 'kedge-site-'))
  let pages: Page[]
  let broken: string[]
  before(async () => {
    ;({ pages, broken } = await buildSite(root, out, { highlight: false, names }))
  })
  after(() => rmSync(out, { recursive: true, force: true }))

  test('has the same bytes when it is built again', async () => {
    const again = mkdtempSync(join(tmpdir(), 'kedge-site-again-'))
    try {
      await buildSite(root, again, { highlight: false, names })
      const files = (folder: string) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(?:html|js|css)$/.test(name))
          .sort()
      assert.deepEqual(files(again), files(out))
      const differ = files(out).filter((name) => readFileSync(join(out, name)).compare(readFileSync(join(again, name))))
      assert.deepEqual(differ, [])
    } finally {
      rmSync(again, { recursive: true, force: true })
    }
  })

  test('colors code in the same way on a slow machine', async () => {
    const color = await createColoring()
    const code = "const answer: string = await ask('milk', { count: 2 }) // as ever"
    const usual = color(code, 'ts')
    let time = Date.now()
    mock.method(Date, 'now', () => {
      time += 1000
      return time
    })
    try {
      assert.equal((await createColoring())(code, 'ts'), usual)
    } finally {
      mock.restoreAll()
    }
    assert.ok(usual.split('--shiki-light').length > 8, usual)
  })

  test('has every page of docs/ on its map, and every exported name in its reference', () => {
    const mapped = SITE_MAP.flatMap(([, own]: [string, string[]]) => own)
    const missing = docs.filter((name) => !mapped.includes(name.replace('.md', '')))
    assert.deepEqual(missing, [])
    const reference = pages.filter(({ file }) => file.startsWith('api-')).map(({ text }) => text)
    const headings = new Set(reference.flatMap((text) => text.match(/^## .+$/gm) ?? []))
    assert.deepEqual(
      names.filter(({ name }) => !headings.has(`## ${name}`)).map(({ name }) => name),
      [],
    )
    const start = readFileSync('docs/index.md', 'utf8')
    assert.equal(start, withPageList(root, start), 'run node scripts/docs/page-list.mjs')
    const all = pages.find(({ file }) => file === 'all-pages.html')
    for (const name of docs) assert.match(all?.html ?? '', new RegExp(`href="${name.replace('.md', '.html')}"`))
  })

  test('has a list of pages for agents, and the package a skill, both made from the pages', async () => {
    const { SKILL, skillText } = await load('agent-guide.mjs')
    const skill = readFileSync(SKILL, 'utf8')
    assert.equal(skill, skillText(root), 'run node scripts/docs/agent-guide.mjs')
    assert.match(skill, /^---\nname: kedge\ndescription: .{50,1024}\n---\n/)
    assert.ok((skill.match(/^```ts\n/gm) ?? []).length >= 8)
    const list = readFileSync(join(out, 'llms.txt'), 'utf8')
    const linked = [...list.matchAll(/\]\(([\w-]+\.html)\): (.+)$/gm)]
    assert.ok(linked.length > 60)
    for (const [, file = '', about = ''] of linked) {
      assert.ok(existsSync(join(out, file)), file)
      assert.ok(about.length > 15, `${file}: ${about}`)
    }
  })

  test('has the diagrams as they are drawn', async () => {
    const { DIAGRAMS } = await import(pathToFileURL(join(root, 'scripts', 'diagrams', 'diagrams.mjs')).href)
    const drawn = Object.entries<() => string>(DIAGRAMS)
    assert.equal(drawn.length, 5)
    for (const [name, draw] of drawn)
      assert.equal(readFileSync(join('docs', 'images', name), 'utf8'), draw(), 'run node scripts/diagrams/diagrams.mjs')
  })

  test('leads from the address of a page that is gone to the one that has its content', () => {
    for (const [old, now] of Object.entries(REDIRECTS)) {
      assert.equal(existsSync(`docs/${old}.md`), false)
      assert.match(readFileSync(join(out, `${old}.html`), 'utf8'), new RegExp(`url=${now}\\.html`))
      assert.ok(existsSync(join(out, `${now}.html`)))
    }
  })

  test('has no link that leads nowhere, and asks no other host', () => {
    assert.deepEqual(broken, [])
    const ids = new Map(pages.map(({ file }) => [file, idsOf(join(out, file))]))
    const wrong: string[] = []
    for (const { file } of pages) {
      const html = readFileSync(join(out, file), 'utf8')
      for (const [, kind = '', target = ''] of html.matchAll(/\s(href|src|srcset)="([^"]+)"/g)) {
        if (/^https?:/.test(target)) {
          if (kind !== 'href') wrong.push(`${file} loads ${target}`)
          continue
        }
        const [path = '', id] = target.split('#')
        const there = path === '' ? file : path
        const found = id === undefined ? existsSync(join(out, there)) : ids.get(there)?.has(id)
        if (!found && !target.startsWith('mailto:')) wrong.push(`${file}: ${target}`)
      }
      assert.doesNotMatch(html, /<(link|script|img|iframe)[^>]+https?:/)
    }
    assert.deepEqual(wrong, [])
  })

  test('has no line of code in the reference of the library that is much wider than a screen', () => {
    const code = pages.flatMap(({ file, text }) =>
      file.startsWith('api-')
        ? [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => ({ file, block }))
        : [],
    )
    assert.ok(code.length > 100, `${code.length} blocks`)
    const wide = code.flatMap(({ file, block }) =>
      block.split('\n').flatMap((line) => (line.length > 200 ? [`${file}: ${line.slice(0, 60)}`] : [])),
    )
    assert.deepEqual(wide, [])
  })

  test('has no page that is longer than somebody reads', () => {
    // One generated table to look things up in.
    const isRead = (page: string) => !page.endsWith('interop-differences.md')
    const long = pages.filter(({ file, text }) => isRead(file) && text.split('\n').length > LONGEST)
    assert.deepEqual(
      long.map(({ file }) => file),
      [],
    )
    const kept = ['README.md', ...docs.map((name) => `docs/${name}`)].filter(
      (page) => isRead(page) && readFileSync(page, 'utf8').split('\n').length > LONGEST + 1,
    )
    assert.deepEqual(kept, [])
  })

  test('the README has the command that CI reads there and runs', () => {
    assert.match(readFileSync('README.md', 'utf8'), /^## Tests\n+```sh\nnpm ci && npm test\n```$/m)
  })

  test('finds things, offline', () => {
    type Search = {
      searchPages?: (index: unknown, query: string) => Found[]
      splitAtWords?: (text: string, words: string[]) => string[]
      searchIndex?: unknown
    }
    const context: Search = {}
    const window = context
    const asset = readFileSync(join(out, 'site.js'), 'utf8')
    const search = asset.slice(asset.indexOf('const readIndexes'))
    runInNewContext(readFileSync(join(out, 'search-index.js'), 'utf8'), { window })
    const names = '{ searchPages: globalThis.searchPages, splitAtWords: globalThis.splitAtWords }'
    runInNewContext(`${search}\nObject.assign(window, ${names})`, { window })
    const first = (query: string) => context.searchPages?.(context.searchIndex, query)[0]?.at
    assert.match(first('CanUseTool') ?? '', /^api-permissions(-\d)?\.html#canusetool$/)
    assert.match(first('--max-budget-usd') ?? '', /^(reference-cli|cost|compatibility).*\.html/)
    assert.match(first('PreToolUse') ?? '', /hooks/)
    assert.match(first('disableAllHooks') ?? '', /settings/)
    assert.match(first('checkpoints rewind') ?? '', /checkpoints/)
    // What newcomers type, and the page they want.
    const wanted: Record<string, RegExp> = {
      openai: /^other-apis/,
      resume: /^sessions/,
      streaming: /^library/,
      'how to test': /^(test-in-ci|testing)/,
      'system prompt': /^system-prompts/,
      permision: /^permissions/,
      docker: /^container/,
      'custom tools': /^own-tools/,
      vercel: /^(?:bridges|why-kedge)/,
      approval: /^approval(?:s|-page)\.html$/,
      aproval: /^approval(?:s|-page)\.html$/,
      mcp: /^mcp\.html$/,
      '--model': /^(?:quickstart|reference-cli|choose-a-model)/,
      'claude-agent-sdk': /^(?:migration|why-kedge)/,
      'kedge -p': /^(?:background|cli)\.html#kedge--p/,
    }
    for (const [query, page] of Object.entries(wanted)) assert.match(first(query) ?? '', page, query)
    assert.equal(first('there is no such wordinthedocs'), undefined)
    assert.equal(context.searchPages?.(context.searchIndex, '  ').length, 0)
    // What is found is marked, whatever characters it has; nothing empty is.
    for (const query of [
      'h',
      '--model',
      'claude-agent-sdk',
      'kedge -p',
      '__proto__',
      'constructor',
      '"',
      'C++',
      '(',
      '[',
      '^$',
    ]) {
      const none: Found = { at: '', heading: '', near: '', words: [] }
      const { heading, near, words }: Found = context.searchPages?.(context.searchIndex, query)[0] ?? none
      for (const text of [heading, near]) {
        const parts: string[] = context.splitAtWords?.(text, words) ?? []
        assert.equal(parts.join(''), text, query)
        assert.ok(
          parts.every((part, at) => at % 2 === 0 || part !== ''),
          `${query}: ${parts}`,
        )
      }
    }
    assert.deepEqual(
      [...(context.splitAtWords?.('use --model or /m.l/', ['', '--model', '-', '.']) ?? [])],
      ['use ', '--model', ' or /m', '.', 'l/'],
    )
  })

  test('cuts a long page at its headings, and a long table between its rows', () => {
    const rows = Array.from({ length: 20 }, (_, at) => `| ${at} |`)
    const page = ['# Long', '', 'For.', '', '## One', '', 'text', '', '## Two', '', '| n |', '|---|', ...rows].join(
      '\n',
    )
    const parts: { title: string; text: string }[] = splitPage(page, 14)
    assert.deepEqual(
      parts.map(({ title }) => title),
      ['Long', 'Long, from Two', 'Long, from Two (continued)', 'Long, from Two (continued)'],
    )
    for (const { text } of parts) assert.ok(text.split('\n').length <= 14, text)
    assert.deepEqual(
      parts.flatMap(({ text }) => text.match(/^\| \d+ \|$/gm) ?? []),
      rows,
    )
    assert.deepEqual(splitPage('# Short\n\nText'), [{ title: 'Short', text: '# Short\n\nText' }])
  })
})

describe('docs/proof.md', () => {
  const page = readFileSync('docs/proof.md', 'utf8')

  test('is what `npm run proof` writes', () => {
    assert.equal(page, proofPage(root), 'run npm run proof')
    const { text, count } = mcpBadInputsPage(root)
    assert.equal(readFileSync(join(root, 'docs/mcp-bad-inputs.md'), 'utf8'), text, 'run npm run proof')
    assert.ok(count >= 60, `${count} bad inputs around MCP`)
  })

  test('names only tests that are there', () => {
    assert.deepEqual(missingTests(root, page), [])
    assert.deepEqual(missingTests(root, '`npm test -- test/fuzz/nothing`, `npm test -- test/fuzz`'), [
      'test/fuzz/nothing',
    ])
  })
})

describe('the words', () => {
  const own = readFileSync('test/contract/words.txt', 'utf8').split('\n').filter(Boolean)
  const unknown: (text: string) => string[] = createSpelling(own)

  test('of pages and of sentences in the types are spelled right', () => {
    const wrong = [
      ...readdirSync('.').filter((name) => name.endsWith('.md')),
      ...docs.map((name) => `docs/${name}`),
    ].flatMap((page) => unknown(readFileSync(page, 'utf8')).map((word) => `${page}: ${word}`))
    const said = (all: Name[]): string[] => all.flatMap(({ sentence, members }) => [sentence, ...said(members)])
    wrong.push(...unknown(said(names).join('\n')).map((word) => `a sentence in the types: ${word}`))
    assert.deepEqual(wrong, [], 'mend them, or add them to test/contract/words.txt, where they are right')
  })

  test('are judged in prose only', () => {
    assert.deepEqual(unknown("A mispelled word, `codez`, [text](adress.md), canUseTool, Kedge's color."), ['mispelled'])
  })

  test('of our own list are sorted, and no dictionary has them', () => {
    assert.deepEqual(own, [...new Set(own)].sort())
    const plain = createSpelling([])
    const known = own.filter((word) => plain(word).length === 0)
    assert.deepEqual(known, [])
  })
})

function idsOf(path: string): Set<string> {
  return new Set([...readFileSync(path, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}
