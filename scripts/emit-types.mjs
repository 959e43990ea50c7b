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
}
const mayImport = /^(zod(\/v[34])?|node:.+)$/

/** Returns the names of the files written. */
export async function emitTypes(root, dist) {
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(root, source)))
  const stampFile = join(dist, '.types-stamp')
  const stamp = await hashSources(root)
  const isFresh = existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp
  if (isFresh && present.every(([name]) => existsSync(join(dist, name)))) return []
  await rm(stampFile, { force: true })
  const work = join(dist, '.declarations')
  await declare(
    root,
    work,
    present.map(([, source]) => join(root, source)),
  )
  for (const [name, source] of present) {
    const input = join(work, source.replace(/\.ts$/, '.d.ts'))
    await writeFile(join(dist, name), await bundle(input, work, name))
  }
  await rm(work, { recursive: true, force: true })
  await writeFile(stampFile, stamp)
  return present.map(([name]) => name)
}

async function declare(root, work, files) {
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: work, rootDir: root }
  const config = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions }
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  // Type errors are the business of `npm run check`: declarations come out all the same.
  await new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', work], { maxBuffer: 1e8 }, resolve)
  })
}

async function bundle(input, work, name) {
  // Loaded only when there is something to do.
  const { rollup } = await import('rollup')
  const { dts } = await import('rollup-plugin-dts')
  const lean = join(work, 'lean.json')
  await writeFile(
    lean,
    JSON.stringify({ include: ['src'], compilerOptions: { module: 'nodenext', noLib: true, types: [] } }),
  )
  const build = await rollup({
    input,
    external: (id) => mayImport.test(id),
    plugins: [dts({ tsconfig: lean })],
    onwarn(warning) {
      throw new Error(`${name}: ${warning.message}`)
    },
  })
  const { output } = await build.generate({ format: 'es' })
  await build.close()
  const [chunk] = output
  const foreign = chunk.imports.filter((id) => !mayImport.test(id))
  if (foreign.length > 0) throw new Error(`${name} is not self-contained: it imports ${foreign.join(', ')}`)
  return chunk.code
}

/** Of everything the types are made from, this script included. */
async function hashSources(root) {
  const found = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const sources = found.filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
  const paths = sources.map((entry) => join(entry.parentPath, entry.name)).sort()
  const hash = createHash('sha256')
  for (const path of [...paths, fileURLToPath(import.meta.url), join(root, 'tsconfig.json')]) {
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
