/** The package as users get it, where users run it: bundled, in a thread, read-only, as nobody, as the first process. */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import webpack from 'webpack'
import { type Installed, install, modelFor, place, root, run, type Seen, sizeOf, WELL } from './installed.js'

const MB = 1_000_000
/** Nobody on any machine. */
const STRANGER = 54_321
const isRoot = process.getuid?.() === 0
/** A Node in somebody's own folder is not for strangers. */
const noStranger = isRoot && !isForAll(process.execPath) ? 'this Node is in a folder that others may not enter' : false
const noNamespaces = isRoot && process.platform === 'linux' ? false : 'needs root on Linux'

/** All that is published. Parts whose names say what is in them change with the code; everything else is named. */
const CONTENT = [
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'cli.js', 'compat.json', 'openapi.json'],
  'package.json',
  ...['embed', 'extract', 'browser', 'bridge'].map((name) => `subpaths/${name}.mjs`),
  'subpaths/none.d.mts',
  'skills/kedge/SKILL.md',
  ...['sdk-tools.d.ts', 'sdk.mjs', 'dist/kedge.1', 'dist/kedge.cjs', 'dist/agent.cjs', 'dist/terminal.cjs'],
  ...[
    'dist/cli.js',
    'dist/acp.js',
    'dist/mcp-serve.js',
    'dist/admin.js',
    'dist/eval-main.js',
    'dist/worker.js',
    'dist/serve.js',
    'dist/serve-hub.js',
    'dist/terminal.js',
  ],
  ...[
    'index',
    'sdk-tools',
    'testing',
    'server',
    'client',
    'react',
    'elements',
    'ai-sdk',
    'ag-ui',
    'harness',
    'cluster',
    'eval',
  ].flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
  ...['kedge.bash', '_kedge', 'kedge.fish'].map((name) => `dist/completions/${name}`),
  ...['index.html', 'files.json', 'icon.svg', 'manifest.webmanifest', 'service-worker.js'].map(
    (name) => `dist/web/${name}`,
  ),
]
  .map((name) => new RegExp(`^${name.replaceAll('.', '\\.')}$`))
  .concat(
    ...[/^dist\/(?:chunks|client|interfaces)\/[\w-]+-[A-Z0-9]{8}\.js$/, /^dist\/lazy\/[a-z0-9-]+\.cjs$/],
    ...[/^dist\/web\/assets\/[\w-]+-[\w-]{8}\.(?:js|css)$/, /^dist\/elements\/[\w-]+\.js$/, /^schema\/[\w.-]+\.json$/],
    ...[/^docs\/[a-z0-9-]+\.md$/, /^docs\/images\/[a-z0-9-]+\.(?:svg|png)$/],
  )

describe('the package', () => {
  let installed: Installed
  before(async () => {
    installed = await install()
  })
  after(() => installed[Symbol.dispose]())

  test('installs in less than 19.8 MB, alone, and runs nothing while it does', () => {
    const modules = join(installed.folder, 'node_modules')
    assert.deepEqual(
      readdirSync(modules).filter((name) => !name.startsWith('.')),
      ['kedge'],
    )
    assert.ok(sizeOf(modules) < 19.8 * MB, `${sizeOf(modules)} bytes`)
    const manifest = JSON.parse(readFileSync(join(installed.package, 'package.json'), 'utf8'))
    assert.equal(manifest.dependencies, undefined)
    for (const script of ['preinstall', 'install', 'postinstall']) assert.equal(manifest.scripts[script], undefined)
  })

  test('has these files and no others', () => {
    const files = readdirSync(installed.package, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(installed.package, name)).isFile())
      .map((name) => CONTENT.find((pattern) => pattern.test(name))?.source ?? name)
    assert.deepEqual([...new Set(files)].sort(), CONTENT.map(({ source }) => source).sort())
    const pages = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.md'))
    assert.deepEqual(pages(join(installed.package, 'docs')), pages(join(root, 'docs')))
  })

  test('brings the notices of everything bundled into it', () => {
    const notices = readFileSync(join(installed.package, 'THIRD-PARTY-NOTICES'), 'utf8')
    const table = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split('\n')
    const bundled = table.flatMap((line) => /^\| (@?[a-z][\w./-]*) \d/.exec(line)?.[1] ?? [])
    assert.ok(bundled.length > 5)
    for (const name of bundled) assert.ok(notices.includes(name), name)
  })

  test('has an export map without a fault (publint)', async () => {
    const { messages } = await publint({ pkgDir: installed.package, strict: true })
    assert.deepEqual(messages, [])
  })

  test('has types that fit its modules (attw, for packages that are ESM only)', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(installed.tarball)))
    assert.ok(analysis.types)
    // `require` and the resolution of Node 10 know no ES modules; `cli.js` is a program that hosts look for, not a module.
    const problems = analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)) &&
        !('entrypoint' in problem && problem.entrypoint === './cli.js'),
    )
    assert.deepEqual(problems, [])
  })

  test('works as installed, in the process and beside it', async () => {
    assert.deepEqual(await turn('plain', (cwd) => [[join(installed.folder, 'app.mjs')], { cwd }]), WELL)
    const options = JSON.stringify({ isolation: 'process' })
    assert.deepEqual(await turn('spawned', (cwd) => [[join(installed.folder, 'app.mjs'), options], { cwd }]), WELL)
  })

  test('works bundled into one file (esbuild), and says what a child process then needs', async () => {
    const bundle = join(installed.folder, 'bundle/app.mjs')
    await build({
      entryPoints: [join(installed.folder, 'app.mjs')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
      logLevel: 'error',
      minify: true,
    })
    // Elsewhere, where nothing of the installation can be found.
    const alone = place(installed.folder, 'bundled').cwd.replace(/work$/, 'app.mjs')
    cpSync(bundle, alone)
    assert.deepEqual(await turn('bundled', (cwd) => [[alone], { cwd }]), WELL)

    const { thrown } = await turn('bundled-child', (cwd) => [[alone, '{"isolation":"process"}'], { cwd }])
    assert.equal(thrown?.code, 'executable_not_found')
    assert.match(thrown.message, /pathToClaudeCodeExecutable/)
    const named = JSON.stringify({ pathToClaudeCodeExecutable: join(installed.package, 'dist/kedge.cjs') })
    assert.deepEqual(await turn('bundled-named', (cwd) => [[alone, named], { cwd }]), WELL)
  })

  test('works bundled by webpack 5, which finds nothing missing: what is optional stays outside', async () => {
    const path = join(installed.folder, 'webpack')
    // Not `app.mjs` itself: webpack makes `import.meta.url` the place of the source.
    const entry = join(installed.folder, 'main.mjs')
    const compiler = webpack({ mode: 'none', target: 'node', entry, output: { path, filename: 'app.cjs' } })
    const stats = await promisify(compiler.run.bind(compiler))()
    const { errors, warnings } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {}
    assert.deepEqual({ errors, warnings }, { errors: [], warnings: [] })
    assert.deepEqual(await turn('webpacked', (cwd) => [[join(path, 'app.cjs')], { cwd }]), WELL)
  })

  test('works in a worker thread', async () => {
    assert.deepEqual(await turn('thread', (cwd) => [[join(installed.folder, 'worker.mjs')], { cwd }]), WELL)
  })

  for (const isolation of ['in-process', 'process']) {
    test(`works from a read-only folder, for a user without a name or a home (${isolation})`, {
      skip: noStranger,
    }, async () => {
      makeReadOnly(installed.package)
      const options = JSON.stringify({ isolation })
      const seen = await turn(`stranger-${isolation}`, (cwd) => {
        const home = join(cwd, '../home')
        chmodSync(home, 0o555)
        if (isRoot) for (const folder of [cwd, home]) chownSync(folder, STRANGER, STRANGER)
        const who = isRoot ? { uid: STRANGER, gid: STRANGER } : {}
        return [[join(installed.folder, 'app.mjs'), options], { cwd, ...who, env: { HOME: '/nonexistent/home' } }]
      })
      assert.deepEqual(seen, WELL)
    })
  }

  test('works as root and the first process of a container', { skip: noNamespaces }, async () => {
    const script = join(installed.folder, 'app.mjs')
    const seen = await turn('container', (cwd) => [
      ['--pid', '--fork', '--mount-proc', process.execPath, script, '{"isolation":"process"}'],
      { cwd, program: 'unshare' },
    ])
    assert.deepEqual(seen, WELL)
  })

  type Start = { cwd: string; program?: string; uid?: number; gid?: number; env?: Record<string, string> }

  /** One turn of the program that `how` names, with a folder and a home of its own. */
  async function turn(name: string, how: (cwd: string) => [string[], Start]): Promise<Seen> {
    const { cwd, env } = place(installed.folder, name)
    const server = await modelFor(cwd)
    try {
      const [args, { program = process.execPath, ...start }] = how(cwd)
      const all = { ...env, ...server.env(), ...start.env }
      const { stdout, stderr } = await run(program, args, { ...start, env: all, timeout: 60_000 })
      assert.equal(stderr, '')
      const seen: Seen = JSON.parse(stdout)
      if (!seen.thrown) assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'thread\n')
      return seen
    } finally {
      // Not `await using`: where nothing could be started, the model was never asked.
      await server.close()
    }
  }
})

function makeReadOnly(path: string): void {
  const { mode } = statSync(path)
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) makeReadOnly(join(path, name))
  chmodSync(path, mode & 0o555)
}

function isForAll(path: string): boolean {
  const above = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (above === path || isForAll(above))
}
