// `npm run compat`: compat.json, what this version was compared with and what came of it, name by name, for programs
// (`kedge migrate` reads it); and its row in docs/releases.md. From the pages on compatibility; `--check` says what is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compatibilityText, pagesByHeading, START_PAGE } from './docs/compatibility-pages.mjs'

const STATES = ['works', 'differs', 'refused', 'later']
/** What a program written for the original uses. The rest of the pages is about our own command and server. */
const KINDS = [
  ...['Options', 'Further options', 'Options of a v2 session', 'Exports', 'Further exports', 'Methods of a query'],
  ...['Further methods of a query', 'Members of a v2 session', 'Messages', 'Further messages', 'Hook events'],
  ...['Further hook events', 'Permission modes', 'Further permission modes', 'Flags', 'Environment variables', 'Tools'],
]

/** By heading: every row, with what is to be said of those that are not simply there. */
export function readRows(page) {
  const rows = {}
  let heading = ''
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3)
    const [, name, state, note] = /^\| `([^`]+)` \| (\w+) \| (.*?) \| /.exec(line) ?? []
    if (name === undefined || !KINDS.includes(heading) || !STATES.includes(state)) continue
    rows[heading] ??= {}
    rows[heading][name] = state === 'works' ? state : { state, note: plain(note) }
  }
  return rows
}

/** Types of the newer line that are not exported, each with why. */
export function readMissingTypes(page) {
  const start = page.indexOf('### Types that are not here')
  const table = page.slice(start, page.indexOf('\n## ', start))
  const types = {}
  for (const [, why, names] of table.matchAll(/^\| (?!why|---)([^|]+) \| ([^|]+) \|$/gm)) {
    for (const [, name] of names.matchAll(/`(\w+)`/g)) types[name] = plain(why)
  }
  return types
}

export function statement(root) {
  const read = (name) => readFileSync(join(root, name), 'utf8')
  const page = compatibilityText(root)
  const names = readRows(page)
  const [, followed, command] = /Agent SDK \*\*([\d.]+)\*\* and its CLI \*\*([\d.]+)\*\*/.exec(page) ?? []
  const others = [...page.matchAll(/\*\*(\d+\.\d+\.\d+)\*\*/g)].map(([, version]) => version)
  const count = (kind, state) => Object.values(names[kind]).filter((row) => (row.state ?? row) === state).length
  return {
    $comment: 'Written by npm run compat from docs/compatibility.md and the pages it leads to.',
    package: 'kedge',
    version: JSON.parse(read('package.json')).version,
    page: START_PAGE,
    pages: pagesByHeading(root),
    comparedWith: [...new Set(others)]
      .filter((version) => version !== command)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((version) => ({
        package: '@anthropic-ai/claude-agent-sdk',
        version,
        ...(version === followed ? { follows: true, command } : {}),
      })),
    figures: {
      names: Object.fromEntries(
        Object.keys(names).map((kind) => [
          kind,
          Object.fromEntries(STATES.map((state) => [state, count(kind, state)])),
        ]),
      ),
      interop: {
        scenarioFiles: readdirSync(join(root, 'test/interop/scenarios')).length,
        knownDifferences: JSON.parse(read('test/interop/differences.json')).length,
      },
      permissionCases: ['permissions', 'permissions-own'].reduce(
        (sum, name) => sum + read(`test/contract/fixtures/${name}.jsonl`).trim().split('\n').length,
        0,
      ),
    },
    missingTypes: readMissingTypes(page),
    names,
  }
}

/** The line of this version in the table of docs/releases.md. */
export function releaseRow({ version, comparedWith, figures }) {
  const sum = (state) => Object.values(figures.names).reduce((all, kind) => all + kind[state], 0)
  const others = comparedWith.filter(({ follows }) => !follows).map((one) => one.version)
  const { version: followed, command } = comparedWith.find(({ follows }) => follows)
  return `| ${version} | ${followed} (CLI ${command}) | ${others.join(', ')} | ${STATES.map(sum).join(' | ')} | ${figures.interop.knownDifferences} | ${figures.permissionCases} |`
}

/** Rows of other versions stay as they are: they say what was true then. */
export function withRow(page, row) {
  const [, version] = row.split(' | ')[0].match(/\| (\S+)/)
  const lines = page.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${version} |`))
  if (at >= 0) return lines.with(at, row).join('\n')
  const head = lines.findIndex((line, index) => line.startsWith('|---') && lines[index - 1].startsWith('| version |'))
  if (head < 0) throw new Error('docs/releases.md has no table that begins with | version |')
  return lines.toSpliced(head + 1, 0, row).join('\n')
}

function plain(text) {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').trim()
}

export function compatFiles(root) {
  const made = statement(root)
  const releases = readFileSync(join(root, 'docs/releases.md'), 'utf8')
  return {
    'compat.json': `${JSON.stringify(made, null, 1)}\n`,
    'docs/releases.md': withRow(releases, releaseRow(made)),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const [name, text] of Object.entries(compatFiles(root))) {
    let there
    try {
      there = readFileSync(join(root, name), 'utf8')
    } catch {}
    if (there === text) continue
    if (process.argv.includes('--check')) {
      console.error(`${name} is out of date: npm run compat`)
      process.exitCode = 1
    } else {
      writeFileSync(join(root, name), text)
      console.log(`${name} written`)
    }
  }
}
