/** The reader against bash: what is said to be known of a line is what bash makes of it, and of the text that bash is given. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadShellParser } from '../../src/permissions/bash/syntax/parse-command.js'
import type { ShellScript, ShellWord } from '../../src/permissions/bash/syntax/syntax.js'
import { byTier } from '../support/tier.js'
import { quotedLine } from './generate-quoting.js'
import { caseRandom, chooseSeed } from './random.js'

const COUNT = byTier({ quick: 1_500, all: 20_000, long: 100_000 })
/** Shows the words of each line it reads, and where each ends; lines and words end with NUL. */
const DRIVER = `PATH=/nowhere; show() { printf '%s\\0' "$#" "$@"; }
while IFS= read -r -d '' line; do eval "$line" < /dev/null 2> /dev/null; printf '\\1end\\1\\0'; done`

/** What bash makes of each line: the words of \`show\`, or nothing where it does not run. */
function readByBash(lines: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-reading-'))
  const ended = spawnSync('bash', ['--noprofile', '--norc', '-c', DRIVER], {
    input: lines.map((line) => `${line}\0`).join(''),
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: '/home/u', LANG: 'C.UTF-8' },
    maxBuffer: 1 << 28,
  })
  rmSync(folder, { recursive: true, force: true })
  assert.equal(ended.status, 0, String(ended.stderr))
  const records = ended.stdout.toString('latin1').split('\u0001end\u0001\0').slice(0, -1)
  return records.map((record) => record.split('\0').slice(0, -1))
}

/** The words of \`show\`, as bytes, when each of them is known. */
function knownWords({ commands, redirects, problems }: ShellScript): string[] | undefined {
  const [only, ...others] = commands
  if (!only || others.length > 0 || problems.length > 0 || redirects.length + only.redirects.length > 0)
    return undefined
  if (only.assignments.length > 0 || only.words.some((word) => word.dynamic || word.glob)) return undefined
  // Other homes than one's own are for the system to know.
  if (only.words.some(({ tilde, value }) => tilde && !/^~(?:\/|$)/.test(value))) return undefined
  const atHome = ({ tilde, value }: ShellWord) => (tilde ? `/home/u${value.slice(1)}` : value)
  const values = only.words.slice(1).map((word) => Buffer.from(atHome(word)).toString('latin1'))
  return [String(values.length), ...values]
}

test(`${COUNT} lines: a word that is known is what bash reads, in the original and in what is printed of it`, async () => {
  const parse = await loadShellParser()
  const seed = chooseSeed(20_261_118)
  process.stderr.write(`reading: ${COUNT} lines, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
  const cases: { line: string; printed: string; words: string[] }[] = []
  for (let i = 0; i < COUNT; i++) {
    const line = quotedLine(caseRandom(seed, i))
    const script = parse(line)
    const words = knownWords(script)
    if (words && script.printed !== undefined) cases.push({ line, printed: script.printed, words })
  }
  const originals = readByBash(cases.map(({ line }) => line))
  const printed = readByBash(cases.map((one) => one.printed))
  const wrong = cases.filter(({ words }, i) =>
    [originals, printed].some((read) => JSON.stringify(read[i]) !== JSON.stringify(words)),
  )
  assert.deepEqual(
    wrong
      .slice(0, 10)
      .map((one) => ({ ...one, bash: originals[cases.indexOf(one)], ran: printed[cases.indexOf(one)] })),
    [],
    `${wrong.length} of ${cases.length}`,
  )
  assert.ok(cases.length > COUNT / 4, `only ${cases.length} lines were known: the generator is off`)
})
