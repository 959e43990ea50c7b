// Writes differences.json as a page for people: docs/interop-differences.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/interop-differences.md', import.meta.url))

const head = `# Every difference an interop run meets

Written by \`npm run interop -- --document\` from \`test/interop/differences.json\`. One row per reason: what differs and
why, and the scenarios it is met in. [compatibility.md](compatibility.md) says the same by public name,
[interop.md](interop.md) how it is measured. Anything else that differs fails the run.

| difference | scenarios |
|---|---|
`

/** @param {import('./differences.mjs').Entry[]} entries */
export function writeDocument(entries) {
  const reasons = new Map()
  for (const { why, scenarios = ['all'] } of entries) {
    const ids = reasons.get(why) ?? new Set()
    for (const id of scenarios) ids.add(id)
    reasons.set(why, ids)
  }
  const cell = (text) => text.replaceAll('|', '\\|')
  const rows = [...reasons].map(([why, ids]) => `| ${cell(why)} | ${cell([...ids].sort().join(', '))} |\n`)
  writeFileSync(page, head + rows.join(''))
}
