// Lists the displays of all tools (src/tools/<tool>/<tool>-display.ts) in one module. `--check` writes nothing and fails when the
// committed list differs. `--root FOLDER` works on another checkout.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: flags } = parseArgs({
  options: { check: { type: 'boolean', default: false }, root: { type: 'string' } },
})
const root = flags.root ?? fileURLToPath(new URL('..', import.meta.url))
const tools = join(root, 'src', 'tools')
const target = join(tools, 'displays.generated.ts')

const folders = readdirSync(tools, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(tools, entry.name, `${entry.name}-display.ts`)))
  .map((entry) => entry.name)
  .sort()
const found = folders.map((folder) => {
  const text = readFileSync(join(tools, folder, `${folder}-display.ts`), 'utf8')
  return { folder, names: [...text.matchAll(/^export const (\w+Display)\b/gm)].map(([, name]) => name) }
})
const written = `/** Every tool's display. Written by scripts/emit-displays.mjs (\`npm run schema\`); not edited by hand. */
${found.map(({ folder, names }) => importLine(names, `./${folder}/${folder}-display.js`)).join('\n')}

export const TOOL_DISPLAYS = [
${found.flatMap(({ names }) => names.map((name) => `  ${name},`)).join('\n')}
] as const
`

if (!flags.check) writeFileSync(target, written)
else if (!existsSync(target) || readFileSync(target, 'utf8') !== written) {
  console.error('src/tools/displays.generated.ts is not what the tools say: run `npm run schema`')
  process.exit(1)
}

function importLine(names, from) {
  const short = `import { ${names.join(', ')} } from '${from}'`
  if (short.length <= 120) return short
  return `import {\n${names.map((name) => `  ${name},`).join('\n')}\n} from '${from}'`
}
