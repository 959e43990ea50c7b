// Glob and Grep: order, limits, context, counting, kinds of files, what is skipped.
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { calls } from './steps.mjs'

/** Files with ages that are neither in the order of the names nor in that of their making. */
function tree({ cwd }) {
  const files = {
    'a.txt': ['alpha one\nalpha two\nnothing\nalpha three\n', 30],
    'b.ts': ['const alpha = 1\nfunction beta() {\n  return alpha\n}\n', 10],
    'c.js': ['// ALPHA\nlet x\n', 20],
    'sub/d.txt': ['deep alpha\n', 40],
    'sub/e.md': ['# Title\n\nalpha text\n', 5],
    'sub/more/f.txt': ['before\nalpha\nafter\nlast\n', 50],
    '.hidden/g.txt': ['hidden alpha\n', 1],
    '.dot.txt': ['dot alpha\n', 2],
    'ignored/h.txt': ['ignored alpha\n', 3],
    'node_modules/m/i.txt': ['module alpha\n', 4],
    '.gitignore': ['ignored/\n', 60],
    '.git/HEAD': ['alpha ref\n', 60],
    'long.txt': [`alpha ${'x'.repeat(800)}\n`, 70],
    'bin.dat': ['alpha\0binary\n', 80],
    'with:colon.txt': ['alpha colon\n', 90],
  }
  const now = Date.now() / 1000
  for (const [name, [content, age]] of Object.entries(files)) {
    const path = join(cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, now - age * 1000, now - age * 1000)
  }
  symlinkSync('a.txt', join(cwd, 'link.txt'))
}

const glob = (pattern, path) => ['Glob', { pattern, ...(path === undefined ? {} : { path }) }]
const grep = (pattern, more = {}) => ['Grep', { pattern, ...more }]
const content = (pattern, more = {}) => grep(pattern, { output_mode: 'content', ...more })

export const t20 = calls(
  'Glob: order, hidden and ignored files, folders, braces, limits',
  ({ cwd, home }) => [
    glob('**/*.txt'),
    glob('*.txt'),
    glob('*'),
    glob('**'),
    glob('*.{ts,js}'),
    glob('sub'),
    glob('sub/**'),
    glob('*.txt', 'sub'),
    glob('*.txt', `${cwd}/sub`),
    glob(`${cwd}/sub/*.txt`),
    glob('../work/*.ts'),
    glob('*.txt', `${cwd}/missing`),
    glob('*.txt', `${cwd}/a.txt`),
    glob('[ab].*'),
    glob('**/F.TXT'),
    glob('!*.txt'),
    glob('['),
    glob(''),
    glob('*.txt', ''),
    glob('*.txt', `${home}/outside`),
    glob('many/*.x'),
  ],
  {
    prepare(stage) {
      tree(stage)
      mkdirSync(join(stage.home, 'outside'))
      writeFileSync(join(stage.home, 'outside', 'o.txt'), '')
      mkdirSync(join(stage.cwd, 'many'))
      const now = Date.now() / 1000
      for (let i = 0; i < 120; i++) {
        const path = join(stage.cwd, 'many', `${String(i).padStart(3, '0')}.x`)
        writeFileSync(path, '')
        utimesSync(path, now - 100_000 - i * 10, now - 100_000 - i * 10)
      }
    },
  },
)

export const t21 = calls(
  'Grep: files and their order, paths, globs, types, ignored and hidden files',
  ({ cwd }) => [
    grep('alpha'),
    grep('alpha', { '-i': true }),
    grep('alpha', { glob: '*.ts' }),
    grep('alpha', { glob: '*.{ts,md}' }),
    grep('alpha', { glob: '*.ts,*.md' }),
    grep('alpha', { glob: '*.ts *.md' }),
    grep('alpha', { glob: '!*.txt' }),
    grep('alpha', { glob: 'sub/**' }),
    grep('alpha', { type: 'ts' }),
    grep('alpha', { type: 'nosuchtype' }),
    grep('alpha', { path: 'sub' }),
    grep('alpha', { path: `${cwd}/sub/more` }),
    grep('alpha', { path: `${cwd}/a.txt` }),
    grep('alpha', { path: `${cwd}/missing` }),
    grep('alpha', { head_limit: 2 }),
    grep('alpha', { head_limit: 2, offset: 1 }),
    grep('alpha', { offset: 100 }),
    grep('('),
    grep(''),
    grep('-n'),
    grep('alpha', { output_mode: 'nonsense' }),
    grep('alpha', { path: `${cwd}/.hidden` }),
    grep('alpha', { path: `${cwd}/node_modules` }),
    grep('alpha', { path: `${cwd}/ignored` }),
  ],
  { prepare: tree },
)

export const t22 = calls(
  'Grep in one file: content with numbers, context, limits, several lines; counts',
  ({ cwd }) => [
    content('alpha', { path: `${cwd}/a.txt` }),
    content('alpha', { path: `${cwd}/sub/more/f.txt`, '-A': 1 }),
    content('alpha', { path: `${cwd}/sub/more/f.txt`, '-B': 1 }),
    content('alpha', { path: `${cwd}/sub/more/f.txt`, '-C': 1 }),
    content('alpha', { path: `${cwd}/sub/more/f.txt`, context: 2 }),
    content('alpha', { path: `${cwd}/a.txt`, head_limit: 2 }),
    content('alpha', { path: `${cwd}/a.txt`, head_limit: 2, offset: 1 }),
    content('alpha', { path: `${cwd}/a.txt`, head_limit: 0 }),
    content('alpha', { path: `${cwd}/a.txt`, offset: 50 }),
    content('one.alpha', { path: `${cwd}/a.txt`, multiline: true }),
    content('alpha one\\nalpha', { path: `${cwd}/a.txt`, multiline: true }),
    content('alpha one\\nalpha', { path: `${cwd}/a.txt` }),
    content('alpha', { path: `${cwd}/long.txt` }),
    content('alpha', { path: `${cwd}/bin.dat` }),
    content('alpha', { path: `${cwd}/with:colon.txt` }),
    content('ALPHA', { path: `${cwd}/c.js`, '-i': true }),
    content('nomatch', { path: `${cwd}/a.txt` }),
    grep('alpha', { output_mode: 'count', path: `${cwd}/a.txt` }),
    grep('alpha', { output_mode: 'count', glob: 'a.txt' }),
    grep('alpha', { output_mode: 'count', glob: '*.md' }),
    content('\\bfunction\\s+(\\w+)\\(', { type: 'ts' }),
    content('a{2'),
    content('interface\\{\\}'),
    content('alpha', { glob: 'b.ts', '-C': 1 }),
    content('.', { path: `${cwd}/numbers.log`, head_limit: 3 }),
    content('.', { path: `${cwd}/numbers.log`, head_limit: 1334 }),
    content('.', { path: `${cwd}/numbers.log`, head_limit: 1500 }),
    content('.', { path: `${cwd}/numbers.log` }),
  ],
  {
    prepare(stage) {
      tree(stage)
      const lines = Array.from({ length: 3000 }, (_, i) => `number ${i + 1}\n`).join('')
      writeFileSync(join(stage.cwd, 'numbers.log'), lines)
    },
  },
)

export const t23 = {
  ...calls(
    'Grep in several files: content and counts, in any order',
    ({ cwd }) => [
      content('alpha'),
      content('alpha', { glob: '*.txt' }),
      content('alpha', { glob: '*.txt', '-n': false }),
      content('alpha', { path: `${cwd}/sub`, '-C': 1 }),
      content('alpha', { path: `${cwd}/sub`, '-C': 1, '-n': false }),
      content('nothing|Title'),
      grep('alpha', { output_mode: 'count' }),
      grep('alpha', { output_mode: 'count', path: 'sub' }),
      grep('alpha', { output_mode: 'count', path: 'sub', head_limit: 9 }),
      grep('alpha', { output_mode: 'count', path: 'sub', head_limit: 9, offset: 0 }),
    ],
    { prepare: tree },
  ),
  linesInAnyOrder: true,
}
