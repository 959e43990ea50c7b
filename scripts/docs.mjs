// `npm run docs`: builds the documentation site into dist-docs/. Before that, every option and flag of the option table gets a row
// in the page on compatibility that has its heading. Rows that are there stay as they are. A new one cites no test yet, which
// test/contract/compatibility.test.ts asks for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { COMPATIBILITY_PAGES, pagesByHeading } from './docs/compatibility-pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `names` by heading, each with its state and what is to be said of it. */
export function addMissingRows(page, names) {
  const lines = page.split('\n')
  for (const [heading, wanted] of Object.entries(names)) {
    const start = lines.indexOf(`## ${heading}`)
    if (start < 0) throw new Error(`there is no heading ${heading}`)
    const next = lines.findIndex((line, at) => at > start && line.startsWith('## '))
    const end = lines.slice(0, next < 0 ? lines.length : next).findLastIndex((line) => line.startsWith('|'))
    const there = lines.slice(start, end + 1)
    const missing = wanted.filter(({ name }) => !there.some((line) => line.startsWith(`| \`${name}\` |`)))
    const rows = missing.map(
      ({ name, state, note }) => `| \`${name}\` | ${state} | ${note} | TODO: \`file\` › name of its test |`,
    )
    lines.splice(end + 1, 0, ...rows)
  }
  return lines.join('\n')
}

/** The option table is TypeScript: built in memory to be read. */
export async function tableNames() {
  const entry = 'src/protocol/option-table/option-list.ts'
  const built = await build({ entryPoints: [entry], absWorkingDir: root, bundle: true, format: 'esm', write: false })
  const url = `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`
  return (await import(url)).listDocumentedOptionNames()
}

/** Returns how many rows were added. */
function completePages(names) {
  const pageOf = pagesByHeading(root)
  const lost = Object.keys(names).filter((heading) => pageOf[heading] === undefined)
  if (lost.length > 0) throw new Error(`no page on compatibility has a heading ${lost.join(', ')}`)
  let added = 0
  for (const name of COMPATIBILITY_PAGES) {
    const page = readFileSync(join(root, name), 'utf8')
    const own = Object.entries(names).filter(([heading]) => pageOf[heading] === name)
    const complete = addMissingRows(page, Object.fromEntries(own))
    if (complete !== page) writeFileSync(join(root, name), complete)
    added += complete.split('\n').length - page.split('\n').length
  }
  return added
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const added = completePages(await tableNames())
  console.log(
    added === 0 ? 'every option and flag has its row' : `${added} rows added: say what differs and cite a test`,
  )
  // Loaded only when it is built: tests use the rest.
  const { emitTypes } = await import('./emit-types.mjs')
  await emitTypes(root, join(root, 'dist'))
  const { buildSite } = await import('./docs/build-site.mjs')
  const { pages, broken } = await buildSite(root, join(root, 'dist-docs'))
  for (const link of broken) console.error(`leads nowhere: ${link}`)
  console.log(`${pages.length} pages: open dist-docs/index.html`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
