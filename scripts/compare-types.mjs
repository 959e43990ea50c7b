// `npm run interop:types`: our declarations beside those of a published Claude Agent SDK, by the TypeScript compiler: exported
// names, members of what both export, and whether the types of one fit where the other's are wanted. What differs needs a row with
// a reason in docs/compatibility-types.md or, for exported types, in docs/compatibility.md; what has none fails the run. Rows that no
// difference needs any more are named. The SDK is fetched outside the tree, and only its .d.ts is read.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareDeclarations } from './types/compare-declarations.mjs'
import { readReasons, withoutReason } from './types/type-reasons.mjs'

const { values: flags } = parseArgs({
  options: {
    version: { type: 'string', default: '0.3.326' },
    json: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('..', import.meta.url))
const theirs = fetchDeclarations(flags.version)
const report = compareDeclarations({ theirs, ours: join(root, 'dist', 'index.d.ts') })
const reasons = readReasons(join(root, 'docs'))
const rest = withoutReason(report, reasons)
if (flags.json) console.log(JSON.stringify({ ...report, rest }, undefined, 2))
else print()
if (rest.exports.length + rest.members.length + rest.unfit.length > 0) process.exitCode = 1

function print() {
  const members = Object.values(report.members).flat().length
  const types = Object.keys(report.members).length
  console.log(`exports: ${report.exports.theirs} in ${flags.version}, ${report.exports.missing.length} not in Kedge`)
  console.log(`members: ${members} missing in ${types} types`)
  const { oursIntoTheirs, theirsIntoOurs } = report.unfit
  console.log(`types of Kedge that don't fit into theirs: ${oursIntoTheirs.length}`)
  console.log(`types of theirs that don't fit into Kedge's: ${theirsIntoOurs.length}`)
  if (flags.all) console.log(JSON.stringify(report, undefined, 2))
  for (const name of rest.exports) console.log(`  without a row of reason: ${name}`)
  for (const name of rest.members) console.log(`  without a row of reason: ${name}`)
  for (const name of rest.unfit) console.log(`  does not fit, without a row of reason: ${name}`)
  for (const name of rest.stale) console.log(`  a row that nothing needs: ${name}`)
  console.log(`${rest.exports.length + rest.members.length + rest.unfit.length} missing without a row of reason`)
}

/** Installs the SDK in a cache folder, without running anything of it. */
function fetchDeclarations(version) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-interop', `types-${version}`)
  const file = join(folder, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.d.ts')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const quiet = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...quiet, `@anthropic-ai/claude-agent-sdk@${version}`], { cwd: folder })
  }
  readFileSync(file)
  return file
}
