/** What newcomers read: links lead somewhere, every page can be found from the README, and what it says to type works. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { testOptions } from 'kedge/testing'
import { kedge, run } from './kedge.js'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const textOf = (page: string) => readFileSync(page, 'utf8')
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'x')

function links(page: string): string[] {
  return [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** As the usual hosts make them of headings. */
function anchors(page: string): string[] {
  const headings = textOf(page).match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every link of the docs leads to a file, and to a heading where it names one', () => {
  let checked = 0
  const wrong = pages.flatMap((page) =>
    links(page).flatMap((link) => {
      if (/^https?:/.test(link)) return []
      checked += 1
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? page : resolve(dirname(page), path)
      try {
        if (anchor === undefined || anchors(file).includes(anchor))
          return textOf(file) === '' ? [`${page}: ${link} is empty`] : []
      } catch (error) {
        // A folder can be linked too.
        if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return []
      }
      return [`${page}: ${link}`]
    }),
  )
  assert.deepEqual(wrong, [])
  assert.ok(checked > 50)
})

test('the README leads to every page of the docs, by itself or by a page it leads to', () => {
  const reached = new Set(['README.md'])
  for (const page of reached) {
    for (const link of links(page)) {
      const path = relative('.', resolve(dirname(page), link.split('#')[0] ?? ''))
      if (pages.includes(path)) reached.add(path)
    }
  }
  assert.deepEqual(
    pages.filter((page) => !reached.has(page)),
    [],
  )
})

test('the scripts and commands the README names are there', async () => {
  const readme = textOf('README.md')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const [, name = ''] of readme.matchAll(/npm run ([\w:-]+)/g)) assert.ok(scripts[name], name)
  await using options = testOptions({ env: () => ({}) })
  writeFileSync(join(options.cwd, 'hello.txt'), 'Hi.')
  const [, prompt = ''] = /npx kedge --model practice -p "([^"]+)"/.exec(readme) ?? []
  const { code, stdout } = await kedge(['--model', 'practice', '-p', prompt], options)
  assert.equal(code, 0)
  assert.match(stdout, /hello\.txt/)
})

test('migration: the name of the original can stand for Kedge', async () => {
  await using options = testOptions({ env: () => ({}) })
  const scope = join(options.cwd, 'node_modules', '@anthropic-ai')
  mkdirSync(scope, { recursive: true })
  // What `"@anthropic-ai/claude-agent-sdk": "file:…"` makes.
  symlinkSync(process.cwd(), join(scope, 'claude-agent-sdk'))
  writeFileSync(
    join(options.cwd, 'program.mjs'),
    `import { query } from '@anthropic-ai/claude-agent-sdk'
     for await (const message of query({ prompt: 'list the files', options: { model: 'practice' } })) {
       if (message.type === 'result') console.log(message.subtype)
     }`,
  )
  const { code, stdout, stderr } = await run(process.execPath, ['program.mjs'], options)
  assert.deepEqual([code, stdout, stderr], [0, 'success\n', ''])
})
