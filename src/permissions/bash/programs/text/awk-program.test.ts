import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { byTier } from '../../../../../test/support/tier.js'
import { isHarmlessAwkProgram } from './awk-program.js'

test('programs that compute and print', () => {
  for (const program of [
    '',
    '1',
    '{print}',
    '{print $1}',
    '{ print $1, $NF; print }',
    'NR>=10 && NR<=20',
    'NR > 5',
    'NR%2==0 {print FILENAME": "FNR}',
    '/ERROR/ {n++} END {print n}',
    '!/^#/ && !/^$/',
    '/start/,/end/',
    '$3 ~ /^[a-z[:digit:]]+$/ {print $1}',
    '$1 !~ "x" {print}',
    'length > 120',
    'length($0) > 120 {print FILENAME, FNR}',
    'BEGIN {FS=","; OFS="\\t"} {$1=$1; print}',
    '{sum += $3} END {print sum/NR}',
    '{sum += $3} END {printf "%.2f\\n", sum / (NR - 1)}',
    '{a[$1]++} END {for (k in a) print k, a[k]}',
    '{ if ($1 > 3) print "big"; else print "small" }',
    '{ if ($1 > max) {max = $1} } END {print max}',
    '{ while (i < 10) i++; do { i-- } while (i > 0) }',
    '{print ($1 > 2 ? "x" : "y")}',
    '{print length($1 > 2)}',
    '{n = split($0, parts, /[,;]/); print parts[n]}',
    '{gsub(/"/, ""); gsub(/\\//, "-"); print toupper(substr($0, 1, 3))}',
    '!seen[$0]++',
    '{print a,\n b}\n$1 > 2 {print}',
    '{print a ?\n b : c\nx = $1 > 2}',
    '{print (a)\nif (b > 2) print\nelse\nprint c}',
    'BEGIN { print 1e3 * .5, 2^8, -1 }',
    '{delete a[1]; next} END {exit 1}',
    '{print "a > b | c"}',
    '/a|b/ {print}',
    '($1 + $2) / 2 > 5',
    'a[1] / 2 > 5 || x == ""',
  ])
    assert.equal(isHarmlessAwkProgram(program), true, program)
})

test('what runs, writes, reads more, or could be cut in two ways', () => {
  for (const program of [
    'BEGIN{system("id")}',
    'BEGIN{system ("id")}',
    'BEGIN{x = "system"; @x("id")}',
    '{print > "out"}',
    '{print $1 >> "out"}',
    '{printf "x" > "out"}',
    '{print (1) > "out"}',
    '{print(1)(2) > "out"}',
    '{print a[1 > "out"]}',
    // A line break behind these does not end the statement: for gawk behind `?` and `:`, for busybox behind any operator.
    '{print 1 ?\n 2 : 3 > "out"}',
    '{print 1 ? 2 :\n 3 > "out"}',
    '{print (1 ?\n 2 : 3) > "out"}',
    '{if (1)\nprint 1 ? 2 :\n3 > "out"}',
    '{print 1 +\n 3 > "out"}',
    '{print 1 ~\n 3 > "out"}',
    '{print 1 in\n a > "out"}',
    '{print 1,\n 3 > "out"}',
    '{print 1 &&\n 3 > "out"}',
    '{print !\n 3 > "out"}',
    '{print ++\n x > "out"}',
    '{print (1\n) > "out"}',
    '{print (1;2) > "out"}',
    '{print 1,\n 2 > "out"}',
    '{print 1 &&\n 2 > "out"}',
    '{if (1) print 1 > "out"}',
    '{print 1 >= "out"}',
    '{print | "sh"}',
    '{print |& "sh"}',
    '"id" | getline',
    '{getline}',
    '{getline x < "f"}',
    '{while ((getline line < "f") > 0) print line}',
    '{close("x")}',
    '{fflush()}',
    '@load "x"',
    '@include "x"',
    'function f(x) {return x} {print f(1)}',
    'func f(x) {print}',
    '{print ENVIRON["TOKEN"]}',
    'BEGIN{ARGV[1]="/etc/passwd"; ARGC=2}',
    '{print PROCINFO["pid"]}',
    '{print SYMTAB["x"]}',
    '{x (1)}',
    '{x(1)}',
    '{mktime("x")}',
    '{print sprintf}',
    // Where a pattern begins and ends.
    '/[/]/ {print}',
    '/[]/]/ {print}',
    '/[^]/ || "]/ { system(x) } #"',
    '/[\\]]/ {print}',
    '/a[/ {print}',
    '/a',
    '/=/ {print}',
    '{i++ / 2}',
    '{if (1) /x/ }',
    '{length / 2}',
    '{$/x/}',
    '//',
    // Strings, comments and lines that continue.
    '"a',
    '"a\nb"',
    '{print 1 # x\n}',
    '{print 1 \\\n > "out"}',
    "{print 'x'}",
    '{print `id`}',
    '{print 0x10}',
    '{print \r}',
    // Parentheses that do not close.
    '{print (1}',
    '{print 1)}',
    '{print ((1) > "out"}',
  ])
    assert.equal(isHarmlessAwkProgram(program), false, program)
})

/** Every awk that is here: they do not agree on everything, and any of them may be the one that runs. */
const awks = ['mawk', 'gawk', 'original-awk', 'busybox', 'awk'].filter(
  (name) => spawnSync(name, name === 'busybox' ? ['awk', '1'] : ['1'], { input: '' }).status === 0,
)

test('no awk leaves a file or starts a program for what is taken for harmless', { skip: awks.length === 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-awk-'))
  // What could be written to or run is always this.
  const token = fc.constantFrom(
    ...['print', 'print', 'printf', '>', '>', '>>', '|', '||', '"touch b"', '"out"', '"out"', 'system(', 'getline'],
    ...['/', '/', '/', '[', ']', '(', ')', '(', ')', '{', '}', ',', ';', '\n', ' ', '\\', '"', '=', '!', '~', '<'],
    ...['x', '$1', '1', 'a[', 'length', 'if (', 'in', 'else', '++', '&&', '?', ':', '[:alpha:]', '^', '-', '/x/'],
  )
  const part = fc.array(token, { maxLength: 6 }).map((parts) => parts.join(' '))
  const joined = fc.array(token, { maxLength: 6 }).map((parts) => parts.join(''))
  // Most texts are no programs; these come closer, and end in what would be seen.
  const shaped = fc
    .tuple(
      fc.constantFrom('', '(', '/', '/[', '"', 'if (x) ', 'a['),
      fc.oneof(part, joined),
      fc.constantFrom('', ')', '/', ']'),
    )
    .map(([open, middle, close]) => `BEGIN { print ${open}${middle}${close} > "out" }`)
  const rest = fc.oneof(part, joined).map((middle) => `BEGIN { ${middle} ; print 1 }`)
  let ran = 0
  try {
    fc.assert(
      fc.property(fc.oneof(shaped, rest, part, joined), (program) => {
        if (!isHarmlessAwkProgram(program)) return
        for (const name of awks) {
          const args = name === 'busybox' ? ['awk', '--', program] : ['--', program]
          const { status } = spawnSync(name, args, {
            cwd: folder,
            input: 'a b\n',
            timeout: 2_000,
            maxBuffer: 1_000_000,
          })
          if (status === 0) ran += 1
          assert.deepEqual(readdirSync(folder), [], program)
        }
      }),
      { numRuns: byTier({ quick: 150, all: 1_000, long: 200_000 }) },
    )
    assert.ok(ran > 20, `only ${ran} programs ran`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
