// docs/mcp-bad-inputs.md: the bad inputs around MCP that tests try, one row per test, by the number in its title.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  ['Servers', 'test/mcp/bad-servers.test.ts'],
  ['Callers of Kedge as a server', 'test/mcp/served/bad-callers.test.ts'],
  ['Configuration files and registries', 'test/mcp/import.test.ts'],
  ['Frames of apps', 'test/web/mcp-apps.test.ts'],
]
/** A title of a test, or the first entry of a row that becomes one. */
const TITLE = /(?:\btest\(|\[|^ {4}title: )\s*(['"`])(\d+) ((?:(?!\1).)+)\1/gm

/** The text of the page, and how many rows it has. */
export function mcpBadInputsPage(root) {
  const parts = SOURCES.flatMap(([title, file]) => {
    const path = join(root, file)
    if (!existsSync(path)) return []
    const rows = [...readFileSync(path, 'utf8').matchAll(TITLE)].map(([, , number, text]) => ({ number, text }))
    return rows.length === 0 ? [] : [{ title, file, rows }]
  })
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  const tables = parts.map(({ title, file, rows }) => {
    const lines = rows.map(({ number, text }) => `| ${number} | ${text.replaceAll('|', '\\|')} |`)
    return `## ${title}\n\nFile: \`${file}\`.\n\n| number | attempt and outcome |\n|---|---|\n${lines.join('\n')}\n`
  })
  const intro = `# Bad inputs around MCP

${count} servers, callers, files, registries, and frames that lie, break, or want out. Each has a test with its number in
the title. \`npm run proof\` writes this page from the titles.
Servers that lie while a user signs in are in \`test/mcp/sign-in/hostile.test.ts\`.
`
  return { text: `${intro}\n${tables.join('\n')}`, count }
}
