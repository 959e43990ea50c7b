// Builds dist/: the library (ESM, the agent in lazy chunks), the CLI (a loader and one CJS bundle), and the types.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** Users bring their own zod for their own tools; the MCP library must not depend on whether they do. It has a validator
 *  that generates code, for which it also knows a lighter one that we have already. */
const mcpLibrary = {
  name: 'mcp-library',
  setup(bundle) {
    const { resolve } = createRequire(import.meta.url)
    bundle.onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, () => ({
      path: join(root, 'node_modules/@modelcontextprotocol/client/dist/shimsWorkerd.mjs'),
    }))
    bundle.onResolve({ filter: /^zod(\/|$)/ }, ({ importer, path }) =>
      importer.includes('@modelcontextprotocol') ? { path: resolve(path).replace(/\.cjs$/, '.js') } : undefined,
    )
  },
}

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  define: { KEDGE_VERSION: JSON.stringify(version) },
  plugins: [mcpLibrary],
  external: ['zod', '@vscode/ripgrep', 'sharp', '@anthropic-ai/sandbox-runtime'],
}

export async function buildAll({ quiet = false } = {}) {
  await mkdir(dist, { recursive: true })
  await Promise.all([library(), command()])
  await types()
  if (!quiet) console.log(`built dist/ (kedge ${version})`)
}

/** index.js loads the protocol side only; the agent is a chunk that the first in-process query loads. */
async function library() {
  const { metafile } = await build({
    ...common,
    entryPoints: { index: 'src/index.ts', testing: 'src/testing/index.ts', 'sdk-tools': 'src/sdk-tools.ts' },
    absWorkingDir: root,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
  })
  // Only now, so that a program that runs meanwhile never misses a chunk it is about to load.
  const current = new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
  for (const name of await readdir(join(dist, 'chunks'))) {
    if (!current.has(name)) await rm(join(dist, 'chunks', name))
  }
}

/** What the command loads on first use, each a file of its own beside the bundle; by the text of the `import()`.
 *  The workers are programs for threads, the reaper one for a process: started by their path, also by the library. */
const LAZY = {
  unbash: 'unbash',
  '@cfworker/json-schema': '@cfworker/json-schema',
  diff: 'diff',
  './built-in-engine.js': 'src/tools/search/built-in-engine.ts',
  './fetch-page.js': 'src/tools/web-fetch/fetch-page.ts',
  './pdf-worker.js': 'src/platform/pdf-worker.ts',
  './html-worker.js': 'src/platform/html-worker.ts',
  './reaper.js': 'src/platform/reaper.ts',
  './sessions.js': 'src/cli/sessions.ts',
  '../sessions/resume.js': 'src/sessions/resume.ts',
  '../settings/files.js': 'src/settings/files.ts',
  '../project/parts.js': 'src/project/parts.ts',
  '../mcp/open.js': 'src/mcp/open.ts',
  '../mcp/official-client.js': 'src/mcp/official-client.ts',
  '../sandbox/open-sandbox.js': 'src/sandbox/open-sandbox.ts',
  '../model/practice/practice.js': 'src/model/practice/practice.ts',
}

function lazyParts() {
  const names = Object.keys(LAZY)
  const file = (path) => `./lazy/${path.replace(/^.*\//, '').replace(/\.js$/, '')}.cjs`
  return {
    plugin: {
      name: 'lazy-parts',
      setup(bundle) {
        bundle.onResolve({ filter: /./ }, ({ kind, path }) =>
          kind === 'dynamic-import' && names.includes(path) ? { path: file(path), external: true } : undefined,
        )
      },
    },
    build: () =>
      Promise.all(
        Object.entries(LAZY).map(([path, entry]) =>
          build({
            ...common,
            format: 'cjs',
            entryPoints: [entry],
            absWorkingDir: root,
            outfile: join(dist, file(path)),
          }),
        ),
      ),
  }
}

// Code run from a cache has no module loader of its own: `import()` must become `require`.
const asCommonJs = { format: 'cjs', supported: { 'dynamic-import': false } }

/** cli.js is a loader of a few lines; agent.cjs is what every run needs, with a V8 code cache made on first run. */
async function command() {
  const lazy = lazyParts()
  await lazy.build()
  const result = await build({
    ...common,
    ...asCommonJs,
    plugins: [lazy.plugin],
    entryPoints: ['src/cli/main.ts'],
    absWorkingDir: root,
    outfile: join(dist, 'agent.cjs'),
    charset: 'ascii',
    write: false,
  })
  const code = `(function (exports, require, module, __filename, __dirname) {${result.outputFiles[0].text}})`
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  await writeFile(join(dist, 'agent.cjs'), code)
  await build({
    ...common,
    entryPoints: ['src/cli/loader.ts'],
    absWorkingDir: root,
    outfile: join(dist, 'cli.js'),
    format: 'esm',
    banner: { js: '#!/usr/bin/env node' },
    define: { ...common.define, KEDGE_BUNDLE_HASH: JSON.stringify(hash) },
  })
  await chmod(join(dist, 'cli.js'), 0o755)
}

/** One self-contained .d.ts per entry; skipped when no source changed since. */
async function types() {
  const { emitTypes } = await import('./emit-types.mjs')
  await emitTypes(root, dist)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, 'src'))) process.exit(0) // installed from the registry: nothing to build
  await buildAll()
}
