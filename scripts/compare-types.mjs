// `npm run interop:types`: our declarations beside those of a published Claude Agent SDK, by the TypeScript compiler: exported
// names, and members of what both export. Prints counts and names. The SDK is fetched outside the tree, and only its .d.ts is
// read. Types of other libraries are counted as well, so the number of members is an upper bound.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareDeclarations } from './types/compare-declarations.mjs'

const { values: flags } = parseArgs({
  options: { version: { type: 'string', default: '0.3.326' }, json: { type: 'boolean', default: false } },
})
const root = fileURLToPath(new URL('..', import.meta.url))
const theirs = fetchDeclarations(flags.version)
const report = compareDeclarations({ theirs, ours: join(root, 'dist', 'index.d.ts') })
if (flags.json) console.log(JSON.stringify(report, undefined, 2))
else {
  console.log(`exports: ${report.exports.theirs} in ${flags.version}, ${report.exports.missing.length} not in Kedge`)
  for (const name of report.exports.missing) console.log(`  ${name}`)
  const members = Object.entries(report.members)
  console.log(
    `members: ${members.reduce((sum, [, names]) => sum + names.length, 0)} missing in ${members.length} types`,
  )
  for (const [name, missing] of members) console.log(`  ${name}: ${missing.join(', ')}`)
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
