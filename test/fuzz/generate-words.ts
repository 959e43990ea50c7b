// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** Random words of a command line: names, in every way a shell lets one write them, and what is only known at run time. */
import type { Random } from './random.js'

const INSIDE = [
  ...[
    'a.txt',
    'b.txt',
    'README.md',
    'src',
    'src/a.ts',
    'build/x',
    '.',
    './a.txt',
    'src/../a.txt',
    '/repo/a.txt',
    'link-in',
  ],
  ...['link-in/a.ts', 'with space/f', 'new.txt', 'package.json', 'src/', 'vendor', 'glob', 'list'],
]
const OUTSIDE = [
  ...[
    '../out/secret',
    '/out/secret',
    '~/secret',
    '/home/u/secret',
    '/out',
    '..',
    '/',
    '~',
    'link-out/secret',
    'link-file',
  ],
  ...[
    'vendor/ext/secret',
    'src/../../out/secret',
    'link-in/../../out/secret',
    'link-out/../out/secret',
    '~u/secret',
    '~+/../out/secret',
  ],
]
const TRICKY = [
  ...[
    '.git/config',
    '.claude/settings.json',
    'secrets/key',
    'secrets',
    'dangling',
    '-',
    '--',
    '-n',
    '-delete',
    '--output=PWNED',
  ],
  ...[
    'PWNED',
    'evil',
    './evil.sh',
    '~/.bashrc',
    '/dev/null',
    '/dev/stdin',
    '/dev/fd/0',
    '/proc/self/cwd/a.txt',
    '-oPWNED',
    '@list',
  ],
]
const GLOBS = [
  '*',
  '*.txt',
  'src/*',
  '*.ts',
  '?.txt',
  '[ab].txt',
  '[!x]*',
  '**',
  'src/**/*.ts',
  '-*',
  '~/*',
  '/out/*',
  '../*',
  '*/',
  'l*',
  '@(a|b).txt',
  '!(a)',
]
const BRACES = [
  '{a,b}.txt',
  '{a.txt,b.txt}',
  'src/{a,b}.ts',
  '{1..3}',
  '{a,}',
  '{a.txt,-oPWNED}',
  'a.{txt,md}',
  '{,evil}',
  '{a,b}{1,2}',
  '{..,src}',
  '{-,a}',
  '{"a",b}',
]
const TEXTS = [
  'x',
  'hello',
  'alpha',
  'a b',
  "it's",
  'a;b',
  'a && touch PWNED',
  '$HOME',
  '100%',
  'a|b',
  '*',
  '~',
  '#x',
  'é',
  '日本',
  '\\',
  '$(evil)',
  '`evil`',
  '!x',
  '-e',
  '{}',
  '',
]
const VARIABLES = [
  '$x',
  '"$x"',
  '${x}',
  '$HOME',
  '"$HOME"',
  '$PWD',
  '$1',
  '$@',
  '"$@"',
  '$$',
  '$?',
  '$!',
  '$#',
  '$RANDOM',
  '$-',
  '$y',
  '$_',
  '$0',
  '$SECRET',
  '$PATH',
  '"${x}"',
]
const EXPANSIONS = [
  ...[
    '${x:-W}',
    '${y:-W}',
    '${x:=W}',
    '${y=W}',
    '${x:+W}',
    '${y:?W}',
    '${x#W}',
    '${x%%W}',
    '${x/a/W}',
    '${x//W}',
    '${x^^}',
    '${x,}',
    '${#x}',
  ],
  ...[
    '${x@Q}',
    '${x@P}',
    '${x@E}',
    '${x@A}',
    '${!x}',
    '${!x*}',
    '${!y@}',
    '${x[0]}',
    '${x[@]}',
    '${x[$(C)]}',
    '${x:0:2}',
    '${x:$(C):1}',
    '${x: -1}',
    '${x:y}',
  ],
]
const ARITHMETIC = [
  '$((1+2))',
  '$((x))',
  '$((1?2:3))',
  '$[1+2]',
  '$((a[0]))',
  '$(($(C)))',
  '$((x=3))',
  '$((16#ff))',
  '$(( 1 + "2" ))',
  '$((a[$(C)]))',
  '$((`C`))',
]

export type MakeCommand = (random: Random, depth: number) => string

/** A path or another word that may be one. */
export function randomPath(r: Random): string {
  const kind = r.next()
  if (kind < 0.82) return r.pick(INSIDE)
  return r.pick(kind < 0.91 ? OUTSIDE : TRICKY)
}

/** One word as it is written, quotes and all. */
export function randomWord(r: Random, depth: number, make: MakeCommand): string {
  const kind = r.next()
  if (kind < 0.62) return quoted(r, randomPath(r))
  if (kind < 0.74) return quoted(r, r.pick(TEXTS))
  if (kind < 0.81) return r.pick(GLOBS)
  if (kind < 0.85) return r.pick(BRACES)
  if (kind < 0.92) return dynamicWord(r, depth, make)
  return r
    .pick([
      '"$(C)"',
      '$(C)',
      '`C`',
      '<(C)',
      '"`C`"',
      '>(C)',
      '"a$(C)b"',
      '$(< a.txt)',
      '$(<W)',
      '${ C; }',
      '"${y:-$(C)}"',
    ])
    .replace(/[CW]/g, (hole) => (hole === 'C' ? inner(r, depth, make) : randomPath(r)))
}

export function dynamicWord(r: Random, depth: number, make: MakeCommand): string {
  const kind = r.next()
  if (kind < 0.5) return r.pick(VARIABLES)
  const text = r.pick(kind < 0.8 ? EXPANSIONS : ARITHMETIC)
  const filled = text
    .replace('C', () => inner(r, depth, make))
    .replace('W', () => (r.chance(0.3) ? randomWord(r, depth - 1, make) : randomPath(r)))
  return r.chance(0.4) ? `"${filled}"` : filled
}

function inner(r: Random, depth: number, make: MakeCommand): string {
  return depth > 0 ? make(r, depth - 1) : r.pick(['echo a.txt', 'ls', 'evil', 'touch PWNED', 'pwd'])
}

/** The same text, written in one of the ways a shell knows. Mostly the plain one. */
export function quoted(r: Random, text: string): string {
  const plain = /^[\w./~@%+=:,-]+$/.test(text)
  const kind = r.next()
  if (plain && kind < 0.7) return text
  if (kind < 0.78) return single(text)
  if (kind < 0.88) return `"${text.replace(/["\\$`]/g, '\\$&')}"`
  if (kind < 0.91) return `$'${[...text].map((char) => ansi(r, char)).join('')}'`
  if (kind < 0.94)
    return (
      [...text]
        .map((char) => (/[\w./~-]/.test(char) && r.chance(0.6) ? char : char === '\n' ? "'\n'" : `\\${char}`))
        .join('') || "''"
    )
  if (kind < 0.97 && plain) {
    const at = r.int(text.length + 1)
    return text.slice(0, at) + r.pick(["''", '""', '\\\n', '$""', "$''"]) + text.slice(at)
  }
  if (kind < 0.985) return `$"${text.replace(/["\\$`]/g, '\\$&')}"`
  return single(text)
}

function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function ansi(r: Random, char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code < 128 && r.chance(0.3))
    return r.pick([
      `\\x${code.toString(16).padStart(2, '0')}`,
      `\\${code.toString(8).padStart(3, '0')}`,
      `\\u${code.toString(16).padStart(4, '0')}`,
    ])
  return /['\\]/.test(char) ? `\\${char}` : char === '\n' ? '\\n' : char
}
