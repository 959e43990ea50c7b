// docs/proof.md: what anybody can check about Kedge, gathered from where it is recorded: the compatibility table, the corpora and the
// tables of last runs in the docs. Nothing here is measured anew, and nothing is written by hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compatibilityText } from './compatibility-pages.mjs'

const STATES = ['works', 'differs', 'refused', 'later']

export function proofPage(root) {
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const sections = [
    intro(),
    compatibility(root, read),
    permissions(read),
    reliability(read),
    badInput(root, read),
    hostile(read),
  ]
  return `${[...sections, performance(read), complaints(read)].join('\n')}`
}

function intro() {
  return `# Proof

What Kedge claims, and how to check it yourself: each figure with the command that makes it again. Written by
\`npm run proof\` from the tables and corpora named below; a test keeps it true to them. Clone the repository and run
\`npm ci\` first. \`npm test\` does a part of the long runs, chosen by a seed; \`npm run test:long\` does all.
`
}

function compatibility(root, read) {
  const counts = new Map()
  let heading = ''
  for (const line of compatibilityText(root).split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3)
    const state = /^\| `[^`]+` \| (works|differs|refused|later) \|/.exec(line)?.[1]
    if (state === undefined) continue
    const row = counts.get(heading) ?? Object.fromEntries(STATES.map((each) => [each, 0]))
    row[state] += 1
    counts.set(heading, row)
  }
  const all = STATES.map((state) => [...counts.values()].reduce((sum, row) => sum + row[state], 0))
  const rows = [...counts].map(([name, row]) => `| ${name} | ${STATES.map((state) => row[state]).join(' | ')} |`)
  const reasons = JSON.parse(read('test/interop/differences.json')).length
  return `## Compatibility with the original

Every public name has a row with a test ([compatibility.md](compatibility.md) and its pages); a name without one fails
the tests.

| names | ${STATES.join(' | ')} |
|---|${'---|'.repeat(STATES.length)}
${rows.join('\n')}
| **all** | ${all.map((each) => `**${each}**`).join(' | ')} |

Both halves are run against the original, line by line; ${reasons} reasons for differences are listed, anything else fails
([interop.md](interop.md), [interop-differences.md](interop-differences.md)). The last run:

${tableIn(read('docs/interop.md'), '## The last run').join('\n')}

\`\`\`sh
npm test -- test/contract/compatibility
npm run interop
\`\`\`
`
}

function permissions(read) {
  const lines = (path) =>
    read(path)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')).length
  return `## Permissions

| what | how much | command |
|---|---|---|
| cases with a known right answer, 0 unsafe allows | ${lines('test/contract/fixtures/permissions.jsonl')} | \`npm run permissions\` |
| further cases of our own | ${lines('test/contract/fixtures/permissions-own.jsonl')} | \`npm test -- test/contract/permission\` |
| common command lines that only look: at most 5 % ask | ${lines('test/contract/fixtures/common-commands.txt')} | \`npm run permissions\` |
| command lines that models write to look around: at most 12 % ask | ${lines('test/contract/fixtures/everyday-commands.txt')} | \`npm run permissions\` |
| finds of earlier fuzz runs, tried again each time | ${lines('test/fuzz/finds.jsonl')} | \`npm test -- test/fuzz\` |
${runRows(read('docs/reliability.md'), '## Permissions').join('\n')}

How the judging works, what it costs and what the runs found: [permission-tests.md](permission-tests.md).
`
}

function reliability(read) {
  const page = read('docs/reliability.md')
  const part = (heading) =>
    ['| what is done | last long run | command |', '|---|---|---|', ...runRows(page, heading)].join('\n')
  return `## Crashes and damage

${/^Found in all of it: [\s\S]*?\n\n/m.exec(page)?.[0].trim()} ([reliability.md](reliability.md))

${part('## Sessions')}

## Files put back

${part('## Checkpoints')}

## Endings and orphans

${part('## Endings and teams')}
`
}

/** `| what | last run | command |` of a table `| what | where | last run |`. */
function runRows(page, heading) {
  return tableIn(page, heading)
    .slice(2)
    .map((row) => {
      const [what, where, last] = cellsOf(row)
      const files = [...where.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file]) => file)
      return `| ${what} | ${last || '–'} | \`npm run test:long -- ${files[0] ?? where}\` |`
    })
}

function badInput(root, read) {
  const files = readdirSync(join(root, 'test/badinput')).filter((name) => name.endsWith('.test.ts'))
  const rows = files.map((name) => {
    const [, said = ''] = /\/\*\*?([\s\S]*?)\*\//.exec(read(`test/badinput/${name}`)) ?? []
    const words = said.replace(/\s+\*?\s*/g, ' ').replace(/^\W+/, '')
    const [first] = words
      .replace(/^(badinput\.md, section \w+|Rows \w+ of the bad-input catalog)[:,] /, '')
      .split(/(?<=\.) /)
    return `| ${first
      .trim()
      .replace(/^./, (letter) => letter.toUpperCase())
      .replaceAll('|', '\\|')} | \`npm test -- test/badinput/${name.replace('.test.ts', '')}\` |`
  })
  return `## Bad input

One test per row: each ends with an error that has a code, never with a hang, a crash or a wrong yes.

| what is sent | command |
|---|---|
${rows.join('\n')}
`
}

function hostile(read) {
  const rows = read('docs/hostile-repositories.md').match(/^\| (?!---)[^|]+\|/gm) ?? []
  const heads = read('docs/hostile-repositories.md').match(/^\|\s*-{3}/gm) ?? []
  return `## Repositories that mean harm

${rows.length - heads.length} ways in which a folder tries to run something, read something or change what is allowed, each opened with the
command and with the library ([hostile-repositories.md](hostile-repositories.md)); and what tries to leave the sandbox
([Sandbox tests](sandbox-tests.md)).

\`\`\`sh
npm test -- test/project
npm test -- test/sandbox
\`\`\`
`
}

function performance(read) {
  const page = read('docs/performance.md')
  const [head, , ...rows] = tableIn(page, '## Last run')
  const names = cellsOf(head)
  const wanted = [
    'work',
    'Kedge spawned',
    'Kedge in-process',
    'floor',
    ...names.filter((name) => name.startsWith('original')),
  ]
  const at = wanted.map((name) => names.indexOf(name))
  const shown = rows.map((row) => `| ${at.map((index) => cellsOf(row)[index]).join(' | ')} |`)
  const verdicts = (word) => rows.join('\n').split(word).length - 1
  const made = /^Medians .*$/m.exec(page)?.[0] ?? ''
  return `## What it costs

\`npm run bench\` measures Kedge, bare Node doing the same work (the floor) and the originals in turns, in one run, with a
scripted model; [performance.md](performance.md) has the method, the aims (${verdicts(': met')} met, ${verdicts('**missed**')} missed in this run) and
why those are missed.

| ${wanted.join(' | ')} |
|${'---|'.repeat(wanted.length)}
${shown.join('\n')}

${made}

\`\`\`sh
npm run bench
node bench/budgets.mjs
\`\`\`
`
}

function complaints(read) {
  const rows = tableIn(read('test/contract/complaints.md'), '# ').slice(2).map(cellsOf)
  const shown = rows.map(([number, complaint, where, state]) => {
    const [file] = /`([^`]+\.test\.ts)`/.exec(where)?.slice(1) ?? []
    const isOpen = /open:/.test(state)
    return `| ${number} | ${complaint} | ${isOpen ? 'passes; parts are open' : 'passes'} | \`npm test -- ${file}\` |`
  })
  const passing = rows.filter(([, , , state]) => state.startsWith('passes')).length
  const open = rows.filter(([, , , state]) => /open:/.test(state)).length
  return `## What users complain about elsewhere

${rows.length} complaints about such tools, each with links to public reports, are tests
([test/contract/complaints.md](../test/contract/complaints.md)). ${passing} pass; of ${open}, parts are open, which that page names.

| | complaint | state | command |
|---|---|---|---|
${shown.join('\n')}
`
}

/** The first table after a heading that begins so. */
function tableIn(page, heading) {
  const lines = page.split('\n')
  const from = lines.findIndex((line) => line.startsWith(heading))
  const start = lines.findIndex((line, at) => at > from && line.startsWith('|'))
  if (from < 0 || start < 0) throw new Error(`there is no table below ${heading}`)
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return lines.slice(start, end < 0 ? undefined : end)
}

function cellsOf(row) {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** Files that commands of the page name and that are not there. */
export function missingTests(root, page) {
  const named = [...page.matchAll(/npm (?:test|run test:long) -- ([\w./-]+)/g)].map(([, path]) => path)
  return named.filter((path) => {
    if (existsSync(join(root, path)) || existsSync(join(root, `${path}.test.ts`))) return false
    const folder = join(root, path.slice(0, path.lastIndexOf('/')))
    return (
      !existsSync(folder) ||
      !readdirSync(folder).some((name) => `${path.slice(0, path.lastIndexOf('/'))}/${name}`.startsWith(path))
    )
  })
}
