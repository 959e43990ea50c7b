// How the permission engine does on its corpus: `npm run permissions [-- cases.jsonl …]`, without arguments the open half.
// Right answers, unsafe allows and questions too many, by category. Exits with 1 on any unsafe allow, any call that had to be
// denied and was not, or more than 2 questions too many; then how many of the 200 most common command lines that only look ask
// (at most 5 %), and of the 180 lines that models write to look around (at most 12 %). `--matrix` prints the table of modes,
// calls, rules and hooks instead.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transpile } from './transpile.mjs'

const MOST_PROMPTS = 2
const MOST_ASKING = { 'common-commands.txt': 0.05, 'everyday-commands.txt': 0.12 }

const root = fileURLToPath(new URL('..', import.meta.url))
const built = (name) => import(pathToFileURL(join(root, '.build/test/contract', name)).href)
if (process.argv.includes('--matrix')) {
  await transpile()
  console.log((await (await built('permission-matrix.js')).matrix()).join('\n'))
  process.exit(0)
}
const given = process.argv.slice(2)
const files = given.length > 0 ? given : [join(root, 'test/contract/fixtures/permissions.jsonl')]
const missing = files.find((file) => !existsSync(file))
if (missing !== undefined) {
  console.error(`There is no file ${missing}. Usage: npm run permissions [-- cases.jsonl …]`)
  process.exit(1)
}
await transpile()
const { readCases, tally } = await built('permission-cases.js')

const { rows, total, wrong } = await tally(files.flatMap((file) => readCases(resolve(file))))
const shown = [...rows.sort((a, b) => (a.category < b.category ? -1 : 1)), total]
const columns = {
  category: 'category',
  cases: 'cases',
  right: 'right',
  unsafe: 'unsafe allow',
  undenied: 'not denied',
  prompts: 'over-prompt',
}
const widths = Object.entries(columns).map(([key, title]) =>
  Math.max(title.length, ...shown.map((row) => `${row[key]}`.length)),
)
const line = (cells) =>
  cells.map((cell, i) => (i === 0 ? `${cell}`.padEnd(widths[i]) : `${cell}`.padStart(widths[i]))).join('  ')
console.log(line(Object.values(columns)))
for (const row of shown) console.log(line(Object.keys(columns).map((key) => row[key])))
if (wrong.length > 0) console.log(`\n${wrong.join('\n')}`)
const failed = total.cases === 0 || total.unsafe > 0 || total.undenied > 0 || total.prompts > MOST_PROMPTS
console.log(
  `\n${failed ? '✖' : '✔'} right ${total.right} of ${total.cases}, unsafe allows ${total.unsafe}, not denied ${total.undenied}, over-prompts ${total.prompts} (at most ${MOST_PROMPTS})`,
)
process.exitCode = failed ? 1 : 0
if (given.length === 0) {
  const { judgeCommonCommands } = await built('common-commands.js')
  for (const [fixture, limit] of Object.entries(MOST_ASKING)) {
    const { total, asking } = await judgeCommonCommands(fixture)
    const share = asking.length / total
    console.log(`\n${asking.map((command) => `asks: ${command}\n`).join('')}`)
    const count = `${asking.length} of ${total} ask (${(share * 100).toFixed(1)} %, at most ${limit * 100} %)`
    console.log(`${share > limit ? '✖' : '✔'} ${fixture.replace('.txt', '').replace('-', ' ')}: ${count}`)
    if (share > limit) process.exitCode = 1
  }
}
