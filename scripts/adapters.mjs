// `npm run interop:adapters`: releases of the adapter that editors have for the original (claude-agent-acp, and claude-code-acp as it
// was called first), each three times with the same client and scripted model: as it is, over our command (CLAUDE_CODE_EXECUTABLE), and
// over our library (an override of npm). What a client sees is compared with the first. They are installed into a cache outside the
// tree; `--only 0.31.4,0.99.1` chooses releases, `--ways command` one way, `--verbose` shows whole stories; words choose prompts.
// With `--behind sandbox-agent` the server of that name, which starts such adapters itself, stands between them and the client.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { diffArrays } from 'diff'
import { transpile } from './transpile.mjs'

/** Spread over the time in which it had these names. */
const RELEASES = {
  '0.16.2': '@zed-industries/claude-code-acp',
  '0.23.1': '@zed-industries/claude-agent-acp',
  '0.31.4': '@agentclientprotocol/claude-agent-acp',
  '0.50.0': '@agentclientprotocol/claude-agent-acp',
  '0.75.1': '@agentclientprotocol/claude-agent-acp',
  '0.99.1': '@agentclientprotocol/claude-agent-acp',
}
const SDK = '@anthropic-ai/claude-agent-sdk'
const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-interop', 'adapters')
const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: Object.keys(RELEASES).join(',') },
    ways: { type: 'string', default: 'command,library' },
    behind: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

// Several of the originals take long to start.
process.env.ACP_WATCHDOG_MS ??= '90000'
const behind = flags.behind === undefined ? undefined : serverOf(flags.behind)
await transpile()
const { tellStories } = await import('../.build/test/acp/ten-prompts.js')
const tarball = flags.ways.includes('library') ? pack() : undefined
const figures = []
for (const version of flags.only.split(',')) {
  const folder = ensure(version, 'original', {})
  const reference = await tell(version, folder, {})
  for (const way of flags.ways.split(',')) {
    const ours = way === 'command' ? folder : ensure(version, 'library', { [SDK]: `file:${tarball}` })
    const told = await tell(version, ours, executable(version, way, ours))
    figures.push(compare(version, way, reference, told))
  }
}
console.log(`\n${figures.join('\n')}`)

async function tell(version, folder, more) {
  const adapter = join(folder, 'node_modules', RELEASES[version], 'dist', 'index.js')
  const bridge = behind === undefined ? [] : [join(root, 'scripts', 'behind-sandbox-agent.mjs'), behind]
  const command = [process.execPath, ...bridge, adapter]
  const env = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_MAX_RETRIES: '0', KEDGE_NOTICES: '', ...more }
  return tellStories({ command, validate: false, env }, names)
}

/** Newer ones look for a package with the vendor's binary if they are not told of a program. */
function executable(version, way, folder) {
  const program = way === 'command' ? join(root, 'dist', 'kedge.cjs') : join(folder, 'node_modules', SDK, 'cli.js')
  return way === 'command' || !['0.16.2', '0.23.1'].includes(version) ? { CLAUDE_CODE_EXECUTABLE: program } : {}
}

function compare(version, way, reference, told) {
  let same = 0
  console.log(
    `\n# ${version} over our ${way}; violations of the schema: ${told.violations.length}, of the original ${reference.violations.length}`,
  )
  for (const [index, { name, lines, stopReason }] of told.stories.entries()) {
    const its = reference.stories[index]
    const parts = diffArrays(tidy(its.lines, its.stopReason), tidy(lines, stopReason))
    const isSame = parts.every(({ added, removed }) => !added && !removed)
    if (isSame) same += 1
    console.log(`${isSame ? 'same' : 'DIFF'} ${name}`)
    if (isSame && !flags.verbose) continue
    for (const { value, added, removed } of parts)
      for (const line of value) console.log(`     ${added ? '+' : removed ? '-' : ' '} ${line}`)
  }
  return `${version} over our ${way}: ${same} of ${told.stories.length} as with the original`
}

/** How often usage is told says nothing. */
function tidy(lines, stopReason) {
  return [...lines.filter((line) => !/^(usage_update|available_commands_update)( |$)/.test(line)), `= ${stopReason}`]
}

function serverOf(name) {
  if (name !== 'sandbox-agent') throw new Error(`--behind ${name}: only sandbox-agent is known`)
  const folder = join(cache, name)
  const binary = join(folder, 'node_modules', '@sandbox-agent', `cli-${process.platform}-${process.arch}`, 'bin', name)
  if (!existsSync(binary)) install(folder, { dependencies: { [name]: '0.4.2' } })
  chmodSync(binary, 0o755)
  return binary
}

function ensure(version, way, overrides) {
  const folder = join(cache, version, way)
  const fresh = existsSync(join(folder, 'node_modules', RELEASES[version]))
  if (fresh && way === 'original') return folder
  console.log(`installing ${RELEASES[version]} ${version} (${way}) into ${folder}`)
  // Ours changes without its version changing.
  if (way === 'library') {
    rmSync(join(folder, 'package-lock.json'), { force: true })
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  }
  install(folder, { dependencies: { [RELEASES[version]]: version }, overrides })
  return folder
}

function install(folder, manifest) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  execFileSync('npm', ['install', ...quiet], { cwd: folder, stdio: 'inherit' })
}

function pack() {
  const folder = join(cache, 'kedge')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: root })
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  )
}
