// Builds the page of the server: web/ into dist/web, with names that say what is in the files, and a list of what is served. The
// elements for other pages are in that list too.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { buildElements, colorsFrom } from './build-elements.mjs'

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
}
const typeOf = (name) => TYPES[name.split('.').at(-1)]

const common = {
  bundle: true,
  platform: 'browser',
  // The first with `light-dark()`, by which the colors follow `color-scheme`.
  target: ['chrome123', 'firefox120', 'safari17.5'],
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  charset: 'utf8',
}

export async function buildWeb(root, dist, plugins = []) {
  const out = join(dist, 'web')
  const assets = join(out, 'assets')
  await mkdir(assets, { recursive: true })
  const [scripts, elements] = await Promise.all([
    buildScripts(root, plugins),
    buildElements(root, dist, common, plugins),
  ])
  const [style, worker] = await Promise.all([
    buildOne(root, 'web/styles/app.css', {}),
    buildOne(root, 'web/service-worker.ts', { format: 'iife', plugins }),
  ])
  const styleName = `style-${hashOf(style)}.css`
  const names = new Map([[styleName, style], ...scripts.map(({ fileName, code }) => [fileName, code])])
  for (const [name, text] of names) await writeFile(join(assets, name), text)
  const page = scripts.find(({ isEntry }) => isEntry)
  const html = (await readFile(join(root, 'web', 'index.html'), 'utf8'))
    .replace('SCRIPT', page.fileName)
    .replace('STYLE', styleName)
  await writeFile(join(out, 'index.html'), html)
  await writeFile(join(out, 'service-worker.js'), worker)
  const copied = ['icon.svg', 'manifest.webmanifest']
  for (const name of copied) await writeFile(join(out, name), await readFile(join(root, 'web', name)))
  const files = Object.fromEntries([
    ['/', { file: 'index.html', type: TYPES.html }],
    ...[...copied, 'service-worker.js'].map((name) => [`/${name}`, { file: name, type: typeOf(name) }]),
    ...[...names.keys()].map((name) => [`/assets/${name}`, { file: `assets/${name}`, type: typeOf(name) }]),
    ...elements.map((name) => [`/${name}`, { file: `../${name}`, type: typeOf(name) }]),
  ])
  // Last: a server that runs meanwhile finds what the list names.
  await writeFile(join(out, 'files.json'), `${JSON.stringify(files)}\n`)
  for (const name of await readdir(assets)) if (!names.has(name)) await rm(join(assets, name))
}

/**
 * esbuild reads the sources, rollup puts them together: it has what the first script needs in that script, where esbuild makes a
 * file of everything that two parts share.
 */
async function buildScripts(root, plugins) {
  const { outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['web/main.tsx'],
    outdir: '/',
    splitting: true,
    write: false,
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    chunkNames: '[name]-[hash]',
    plugins: [colorsFrom('/elements'), ...plugins],
  })
  const sources = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const bundle = await rollup({
    input: 'main.js',
    onwarn(warning) {
      if (warning.code !== 'CIRCULAR_DEPENDENCY') throw new Error(warning.message)
    },
    plugins: [
      {
        name: 'from-memory',
        resolveId: (id) => (id.startsWith('/elements/') ? { id, external: 'absolute' } : basename(id)),
        load: (id) => sources.get(id),
      },
    ],
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: 'page-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    compact: true,
    sanitizeFileName: (name) => name.replace(/-[A-Z0-9]{8}(\.js)?$/, '').replace(/[^\w-]/g, ''),
  })
  return output
}

async function buildOne(root, entry, more) {
  const made = await build({
    ...common,
    ...more,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: '/',
    minify: true,
    write: false,
  })
  return made.outputFiles[0].text
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
