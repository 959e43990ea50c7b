// `npm run conformance`: what the MCP project publishes to test clients, against sessions of `query()` whose user signs in
// with `kedge mcp login`, and servers, against one of `createSdkMcpServer()`. Prints N of M scored scenarios for each revision.
// The suite is installed outside the tree. `npm run conformance -- auth/dpop tools_call` runs these scenarios and prints their
// checks; `npm run conformance -- --newest` takes the newest suite on npm instead of the pinned one, as CI does once a week.
import { execFile, execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { passesServerSide } from './conformance-server.mjs'

const pinned = '0.2.0-alpha.12'
const wanted = process.argv.slice(2).filter((argument) => argument !== '--newest')
const version = process.argv.includes('--newest') ? newestVersion() : pinned
/** The revisions that the suite scores, and whether Kedge has to pass all of it. */
const revisions = [
  { name: '2025-11-25', isRequired: true },
  { name: '2026-07-28', isRequired: true },
]
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-conformance', version)
const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const client = fileURLToPath(new URL('../test/mcp/conformance/client.mjs', import.meta.url))
const shim = fileURLToPath(new URL('../test/mcp/conformance/node-20.mjs', import.meta.url))
// Written for Node 22; it asks for one function that Node 20 does not have, for a command we don't use.
const node = ['globSync' in fs ? [] : ['--import', shim], suite].flat()

if (!existsSync(suite)) {
  console.log(`installing @modelcontextprotocol/conformance@${version} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, `@modelcontextprotocol/conformance@${version}`], {
    cwd: folder,
    stdio: 'inherit',
  })
}

for (const scenario of wanted) console.log(await run(['--scenario', scenario, '--verbose']))
if (wanted.length > 0) process.exit(0)

console.log(`@modelcontextprotocol/conformance@${version}`)
let isGood = true
for (const { name, isRequired } of revisions) {
  const output = await run(['--requirements', name])
  const { scored, others } = readSummary(output)
  // A suite that broke off, or was changed, showed nothing.
  if (scored.length === 0) throw new Error(`no summary in the output of the suite:\n${output}`)
  const failed = scored.filter(({ passed }) => !passed)
  console.log(`MCP ${name}: ${scored.length - failed.length} of ${scored.length} scored scenarios`)
  for (const { scenario, checks } of failed) console.log(`  FAIL ${scenario} (${checks})`)
  console.log(`  not scored: ${others.filter(({ passed }) => passed).length} of ${others.length} pass`)
  if (isRequired && failed.length > 0) isGood = false
}
if (!(await passesServerSide(['2025-11-25', '2026-07-28'], node, readSummary))) isGood = false
process.exit(isGood ? 0 : 1)

/** Of all that were published: the tag `latest` names none of the early versions. */
function newestVersion() {
  const times = JSON.parse(
    execFileSync('npm', ['view', '@modelcontextprotocol/conformance', 'time', '--json'], { encoding: 'utf8' }),
  )
  const versions = Object.entries(times).filter(([name]) => /^\d/.test(name))
  const [[newest]] = versions.sort(([, a], [, b]) => (a < b ? 1 : -1))
  return newest
}

/** The lines of the suite's summary; what counts for nothing is named once more behind them. */
function readSummary(output) {
  const [, summary = ''] = output.split('=== SUITE SUMMARY ===')
  const [counted, unscored = ''] = summary.split(/^Not scored .*$/m)
  const names = new Set([...unscored.matchAll(/^ +[✓✗] (\S+)/gm)].map(([, scenario]) => scenario))
  const all = [...counted.matchAll(/^([✓✗]) (\S+?): (.*)$/gm)].map(([, mark, scenario, checks]) => ({
    scenario,
    checks,
    passed: mark === '✓',
  }))
  return {
    scored: all.filter(({ scenario }) => !names.has(scenario)),
    others: all.filter(({ scenario }) => names.has(scenario)),
  }
}

async function run(args) {
  const output = mkdtempSync(join(tmpdir(), 'kedge-conformance-'))
  try {
    const command = [
      'client',
      '--command',
      `${process.execPath} ${client}`,
      ...args,
      '--timeout',
      '60000',
      '-o',
      output,
    ]
    return await new Promise((resolve) => {
      execFile(process.execPath, [...node, ...command], { maxBuffer: 1 << 28 }, (_error, stdout, stderr) =>
        resolve(`${stdout}${stderr}`),
      )
    })
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}
