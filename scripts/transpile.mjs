// Transpiles src/, test/ and the code of web/ file by file into .build/, so that node:test can run them. Each file keeps its place.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname
/** Programs for threads and processes, started again by each test of them: in one file each. */
const IS_PROGRAM =
  /^(?:src\/platform\/programs\/(?:html-worker|pdf-worker|reaper)|test\/mcp\/servers\/matrix-stdio|test\/web\/form-server)\.ts$/

async function filesIn(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries.filter((e) => e.isFile()).map((e) => relative(root, join(e.parentPath, e.name)))
}

/** Builds what changed into `.build/`; returns the test files, relative to the root. */
export async function transpile() {
  const ofPage = (await filesIn('web')).filter((f) => /\.tsx?$/.test(f))
  const files = [...(await filesIn('src')), ...(await filesIn('test')), ...ofPage]
  const out = join(root, '.build')
  await mkdir(out, { recursive: true })
  const stale = []
  for (const file of files) {
    const target = join(out, file.replace(/\.tsx?$/, '.js'))
    const from = await stat(join(root, file))
    const to = existsSync(target) ? await stat(target) : undefined
    const isMapped = !/\.tsx?$/.test(file) || file.endsWith('.d.ts') || existsSync(`${target}.map`)
    if (!to || to.mtimeMs < from.mtimeMs || !isMapped) stale.push(file)
  }
  const sources = stale.filter((f) => /\.tsx?$/.test(f) && !f.endsWith('.d.ts'))
  if (sources.length > 0) {
    const common = { outdir: out, outbase: root, format: 'esm', target: 'node20', logLevel: 'warning' }
    const mapped = {
      ...common,
      sourcemap: 'linked',
      sourcesContent: false,
      jsx: 'automatic',
      jsxImportSource: 'preact',
    }
    const paths = (some) => some.map((f) => join(root, f))
    await build({ ...mapped, entryPoints: paths(sources.filter((f) => !IS_PROGRAM.test(f))) })
    // Any of those may be a part of them.
    const js = "import * as $module from 'node:module'\nconst require = $module.createRequire(import.meta.url)"
    const whole = { bundle: true, platform: 'node', mainFields: ['module', 'main'], minifySyntax: true, banner: { js } }
    await build({ ...mapped, ...whole, entryPoints: paths(files.filter((f) => IS_PROGRAM.test(f))) })
  }
  for (const file of stale.filter((f) => !/\.tsx?$/.test(f))) {
    await mkdir(dirname(join(out, file)), { recursive: true })
    await cp(join(root, file), join(out, file))
  }
  // What was deleted in the sources must not live on here.
  const known = new Set(files.map((f) => f.replace(/\.tsx?$/, '.js')))
  for (const folder of ['.build/src', '.build/test', '.build/web']) {
    for (const file of await filesIn(folder)) {
      const source = relative('.build', file).replace(/\.js\.map$/, '.js')
      if (!known.has(source)) await rm(join(root, file), { force: true })
    }
  }
  return files.filter((f) => f.endsWith('.test.ts'))
}
