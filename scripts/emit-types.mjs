// Writes one self-contained .d.ts per public entry into dist/, from the sources. Does nothing when no source changed.
// The compiler makes a declaration of each file; rollup puts those an entry needs into one.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const entries = {
  'index.d.ts': 'src/index.ts',
  'sdk-tools.d.ts': 'src/sdk-tools.ts',
  'testing.d.ts': 'src/testing/index.ts',
  'client.d.ts': 'src/client/public-client.ts',
  'react.d.ts': 'src/client/react/public-react.ts',
  'elements.d.ts': 'web/elements/public-elements.ts',
  'ai-sdk.d.ts': 'src/client/bridges/ai-sdk/public-ai-sdk.ts',
  'ag-ui.d.ts': 'src/client/bridges/ag-ui/public-ag-ui.ts',
  'harness.d.ts': 'src/client/bridges/harness/public-harness.ts',
  'server.d.ts': 'src/server/public-server.ts',
  'eval.d.ts': 'src/eval/public-eval.ts',
  'cluster.d.ts': 'src/cluster/public-cluster.ts',
}
/** An entry that others build on: they import its types, so that a program that uses both has each type once. */
const CLIENT = /(?:^|\/)public-client\.(?:js|d\.ts)$/
const mayImport = /^(zod(\/v[34])?|react|node:.+)$/

/** Returns the names of the files written. */
export async function emitTypes(root, dist) {
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(root, source)))
  const stampFile = join(dist, '.types-stamp')
  const stamp = await hashSources(root)
  const isFresh = existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp
  if (isFresh && present.every(([name]) => existsSync(join(dist, name)))) return []
  await rm(stampFile, { force: true })
  // Of its own, so that two builds at once do not disturb each other.
  const work = join(dist, `.declarations-${process.pid}`)
  try {
    const sources = present.map(([, source]) => join(root, source))
    await declare(root, work, sources)
    for (const [name, source] of present) {
      const input = join(work, source.replace(/\.ts$/, '.d.ts'))
      await writeFile(join(dist, name), await bundle(input, work, name))
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  await writeFile(stampFile, stamp)
  return present.map(([name]) => name)
}

async function declare(root, work, files) {
  await mkdir(work, { recursive: true })
  const compilerOptions = {
    noCheck: true,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: work,
    rootDir: root,
  }
  const config = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions }
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  // Type errors are the business of `npm run check`: declarations come out all the same.
  await new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', work], { maxBuffer: 1e8 }, resolve)
  })
  for (const folder of ['src', 'web'])
    for (const path of await filesIn(join(work, folder))) await dropHeader(path, join(root, relative(work, path)))
}

/** The comment that opens a file is about the file; in a bundle editors would show it for the first type. */
async function dropHeader(declaration, path) {
  const source = await readFile(path.replace(/\.d\.ts$/, '.ts'), 'utf8')
  const [header] = /^\/\*\*[\s\S]*?\*\//.exec(source) ?? ['']
  const text = await readFile(declaration, 'utf8')
  if (header !== '' && text.startsWith(header)) await writeFile(declaration, text.slice(header.length))
}

async function bundle(input, work, name) {
  // Loaded only when there is something to do.
  const { rollup } = await import('rollup')
  const { dts } = await import('rollup-plugin-dts')
  const lean = join(work, 'lean.json')
  await writeFile(
    lean,
    JSON.stringify({ files: [input], compilerOptions: { module: 'nodenext', noLib: true, types: [] } }),
  )
  const build = await rollup({
    input,
    external: (id, importer) => mayImport.test(id) || (importer !== undefined && CLIENT.test(id)),
    plugins: [dts({ tsconfig: lean })],
    onwarn(warning) {
      throw new Error(`${name}: ${warning.message}`)
    },
  })
  const { output } = await build.generate({ format: 'es', paths: (id) => (CLIENT.test(id) ? './client.js' : id) })
  await build.close()
  const [chunk] = output
  const foreign = chunk.imports.filter((id) => !mayImport.test(id) && id !== './client.js')
  if (foreign.length > 0) throw new Error(`${name} is not self-contained: it imports ${foreign.join(', ')}`)
  return explainTags(chunk.code)
}

/** A field that can have one value only tells the members of a union apart: said here, so that the sources need not repeat it. */
function explainTags(code) {
  const lines = code.split('\n')
  return lines
    .map((line, at) => {
      const [, indent, value] = /^(\s+)(?:readonly )?\w+: ('[\w/-]+');$/.exec(line) ?? []
      if (value === undefined || /\*\/\s*$/.test(lines[at - 1] ?? '')) return line
      return `${indent}/** Always ${value}. */\n${line}`
    })
    .join('\n')
}

async function filesIn(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Of everything the types are made from, this script included. */
async function hashSources(root) {
  const found = [...(await filesIn(join(root, 'src'))), ...(await filesIn(join(root, 'web', 'elements')))]
  const sources = found.filter((path) => /(?<!\.test)\.ts$/.test(path))
  const hash = createHash('sha256')
  for (const path of [...sources.sort(), fileURLToPath(import.meta.url), join(root, 'tsconfig.json')]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(await readFile(path))
      .update('\0')
  }
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const written = await emitTypes(root, join(root, 'dist'))
  console.log(written.length === 0 ? 'types are up to date' : `written: ${written.join(', ')}`)
}
