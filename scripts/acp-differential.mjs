// `node scripts/acp-differential.mjs`: ten prompts through `kedge acp` and through claude-agent-acp, with the same client and the same
// scripted model, side by side. The adapter is installed into a cache outside the tree on first use; `--adapter FOLDER` names one
// that is there. `--only ours` or `--only adapter` runs one of them; other words choose prompts by name. `--document` writes what both
// did into docs/acp-differences.md.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { diffArrays } from 'diff'
import { transpile } from './transpile.mjs'

const VERSION = '0.99.0'
const PACKAGE = '@agentclientprotocol/claude-agent-acp'
const MARK = '<!-- Below: `npm run interop:acp -- --document` -->'
const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    adapter: { type: 'string' },
    only: { type: 'string' },
    document: { type: 'boolean', default: false },
  },
})

await transpile()
const { tellStories } = await import('../.build/test/acp/ten-prompts.js')
const subjects = {
  ours: () => tellStories({}, names),
  adapter: () => tellStories(adapterSetup(ensureAdapter(flags.adapter)), names),
}
const told = {}
for (const [name, tell] of Object.entries(subjects)) {
  if (flags.only === undefined || flags.only === name) told[name] = await tell()
}
if (flags.document) writeDocument()
else print()

function adapterSetup(folder) {
  const command = [process.execPath, join(folder, 'node_modules', PACKAGE, 'dist', 'index.js')]
  // Its agent asks for things beside the conversation that no rule here knows.
  return { command, validate: false, env: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_MAX_RETRIES: '0' } }
}

function ensureAdapter(given) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = given === undefined ? join(cache, 'kedge-interop', `claude-agent-acp-${VERSION}`) : resolve(given)
  if (existsSync(join(folder, 'node_modules', PACKAGE))) return folder
  console.log(`installing ${PACKAGE} ${VERSION} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const quiet = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet, `${PACKAGE}@${VERSION}`], { cwd: folder, stdio: 'inherit' })
  return folder
}

/** Below the mark; what stands above it is written by people. */
function writeDocument() {
  const page = new URL('../docs/acp-differences.md', import.meta.url)
  const [above] = readFileSync(page, 'utf8').split(MARK)
  const parts = told.ours.stories.map(({ name, lines, stopReason }, index) => {
    const other = told.adapter.stories[index]
    const [mine, its] = [tidy(lines, stopReason), tidy(other.lines, other.stopReason)]
    const rows = aligned(mine, its).map(([left, right]) => row(left, right))
    return `### ${name}\n\n| Kedge | claude-agent-acp ${VERSION} |\n|---|---|\n${rows.join('\n')}\n`
  })
  writeFileSync(page, `${above}${MARK}\n\n${parts.join('\n')}`)
}

function row(mine, its) {
  const cell = (line = '') => (line === '' ? '' : `\`${line.trim().replaceAll('|', '/')}\``)
  return `| ${cell(mine)} | ${cell(its)} |`
}

/** Side by side where both say the same kind of thing. */
function aligned(mine, its) {
  const keyOf = (line) => line.replace(/ *[{[].*$/, '').replace(/^(tool_call_update) (\w+ )?(?=\w)/, '$1 ')
  const rows = []
  const queues = { mine: [...mine], its: [...its] }
  for (const { value, added, removed } of diffArrays(mine.map(keyOf), its.map(keyOf)))
    for (const _ of value) rows.push([added ? '' : queues.mine.shift(), removed ? '' : queues.its.shift()])
  return rows
}

/** How often usage is told says nothing. */
function tidy(lines, stopReason) {
  return [...lines.filter((line) => !/^(usage_update|available_commands_update)$/.test(line)), `= ${stopReason}`]
}

function print() {
  for (const [name, { violations, strangers }] of Object.entries(told)) {
    console.log(
      `${name}: ${violations.length} violations of the unstable schema; not in it: ${strangers.join(', ') || '-'}`,
    )
    for (const violation of violations) console.log(`  ${violation.slice(0, 300)}`)
  }
  const stories = Object.values(told)[0].stories
  for (const [index, { name }] of stories.entries()) {
    console.log(`\n## ${name}`)
    for (const [who, { stories }] of Object.entries(told)) {
      const { lines, stopReason } = stories[index]
      console.log(`${who}:\n${lines.map((line) => `    ${line}`).join('\n')}\n    = ${stopReason}`)
    }
  }
}
