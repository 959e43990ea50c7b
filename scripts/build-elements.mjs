// Builds kedge/elements: one file with everything but the colors of code, which are parts beside it that a page can do without. The
// web app uses the same parts.
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** The parts that are loaded when there is code to color. */
const COLORS = { colors: 'web/tools/colors.ts', 'diff-colors': 'web/tools/diff-colors.ts' }

/** Has them loaded from a folder. */
export const colorsFrom = (folder) => ({
  name: 'colors-from',
  setup(bundle) {
    bundle.onResolve({ filter: /\/(?:diff-)?colors\.js$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `${folder}/${basename(path)}`, external: true } : undefined,
    )
  },
})

/** Returns the names of the files in `dist`. */
export async function buildElements(root, dist, common, plugins = []) {
  const options = {
    ...common,
    absWorkingDir: root,
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    lineLimit: 200,
    metafile: true,
  }
  const style = await build({ ...options, entryPoints: ['web/elements/elements.css'], outdir: '/', write: false })
  const [entry, parts] = await Promise.all([
    build({
      ...options,
      entryPoints: { elements: 'web/elements/public-elements.ts' },
      outdir: dist,
      define: { KEDGE_ELEMENTS_STYLE: JSON.stringify(style.outputFiles[0].text) },
      plugins: [colorsFrom('./elements'), ...plugins],
    }),
    build({
      ...options,
      entryPoints: COLORS,
      outdir: join(dist, 'elements'),
      splitting: true,
      chunkNames: '[name]-[hash]',
      plugins,
    }),
  ])
  const names = Object.keys(parts.metafile.outputs).map((path) => basename(path))
  for (const name of await readdir(join(dist, 'elements')))
    if (!names.includes(name)) await rm(join(dist, 'elements', name))
  return [
    ...Object.keys(entry.metafile.outputs).map((path) => basename(path)),
    ...names.map((name) => `elements/${name}`),
  ]
}
