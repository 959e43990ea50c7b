// `npm run conformance`: what the MCP project publishes to test clients, against sessions of `query()`. Prints N of M.
// The suite is installed outside the tree and only ever run. `npm run conformance -- tools_call auth` runs some scenarios.
import { execFile, execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const version = '0.1.16'
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-conformance', version)
const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const client = fileURLToPath(new URL('../test/mcp/conformance/client.mjs', import.meta.url))
const shim = fileURLToPath(new URL('../test/mcp/conformance/node-20.mjs', import.meta.url))
// Written for Node 22; it asks for one function that Node 20 does not have, for a command we don't use.
const node = [process.execPath, ...('globSync' in fs ? [] : ['--import', shim]), suite]

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

const [command, ...fixed] = node
const listed = execFileSync(command, [...fixed, 'list'], { encoding: 'utf8' })
const [, clients = ''] = listed.split('Client scenarios')
const wanted = process.argv.slice(2)
const scenarios = [...clients.matchAll(/^ +- (\S+)/gm)]
  .map(([, name]) => name)
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
if (scenarios.length === 0) throw new Error(`no client scenario is called ${wanted.join(' or ')}`)

const counts = { core: [0, 0], auth: [0, 0] }
for (const name of scenarios) {
  const { passed, checks } = await runScenario(name)
  const count = counts[name.startsWith('auth/') ? 'auth' : 'core']
  count[1] += 1
  if (passed) count[0] += 1
  const good = checks.filter(({ status }) => status === 'SUCCESS').length
  const bad = checks.filter(({ status }) => status === 'FAILURE')
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name} (${good} checks passed, ${bad.length} failed)`)
  for (const { id, errorMessage, description } of bad) console.log(`       ${id}: ${errorMessage ?? description}`)
}
const [core, auth] = [counts.core, counts.auth]
if (core[1] > 0) console.log(`protocol: ${core[0]} of ${core[1]} scenarios`)
if (auth[1] > 0)
  console.log(`sign-in: ${auth[0]} of ${auth[1]} scenarios (Kedge signs in nowhere by itself: see docs/mcp.md)`)
console.log(`${core[0] + auth[0]} of ${core[1] + auth[1]}`)
process.exit(core[0] === core[1] ? 0 : 1)

async function runScenario(name) {
  const output = mkdtempSync(join(tmpdir(), 'kedge-conformance-'))
  try {
    const args = ['client', '--command', `${process.execPath} ${client}`, '--scenario', name]
    const code = await new Promise((resolve) => {
      execFile(command, [...fixed, ...args, '--timeout', '30000', '-o', output], { maxBuffer: 1 << 28 }, (error) =>
        resolve(error ? 1 : 0),
      )
    })
    const files = readdirSync(output, { recursive: true }).filter((file) => file.endsWith('checks.json'))
    const checks = files.flatMap((file) => JSON.parse(readFileSync(join(output, file), 'utf8')))
    // A scenario that checked nothing showed nothing.
    const passed = code === 0 && checks.some(({ status }) => status === 'SUCCESS')
    return { passed, checks }
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}
