// Writes openapi.json, the API document of the server, from the table of its operations. `--check` writes nothing and fails when
// the committed file differs.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'openapi.json')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The table is code, and imports what its operations do: here it is read, and nothing is run. */
async function readDocument() {
  const work = join(root, '.build')
  const bundle = join(work, `openapi-${process.pid}.mjs`)
  mkdirSync(work, { recursive: true })
  try {
    await build({
      stdin: {
        contents: `import { openApiDocument } from './src/server/api/open-api.ts'
import { OPERATIONS } from './src/server/api/operation-table.ts'
export default openApiDocument(OPERATIONS)`,
        resolveDir: root,
      },
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      outfile: bundle,
      define: { KEDGE_VERSION: JSON.stringify(version) },
      logLevel: 'warning',
    })
    return (await import(pathToFileURL(bundle).href)).default
  } finally {
    rmSync(bundle, { force: true })
  }
}

/** A line for each path and each schema: a change shows what it is about, and the file stays small. */
function printDocument({ paths, components: { schemas, ...components }, ...rest }) {
  const list = (entries) =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  const others = `${list(components)},\n"schemas": {\n${list(schemas)}\n}`
  return `{\n${list(rest)},\n"paths": {\n${list(paths)}\n},\n"components": {\n${others}\n}\n}\n`
}

const text = printDocument(await readDocument())
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('openapi.json is not what the operations say: run `npm run schema`')
  process.exitCode = 1
}
