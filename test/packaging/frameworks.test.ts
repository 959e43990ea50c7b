/**
 * Where the package runs that has to be fetched first: plain Jest and vitest, and a Next.js route handler, as bundled by Next and
 * left out of its bundle. Only in `npm run test:long`, because it installs hundreds of megabytes from the registry.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fetchPackages, type Installed, install, modelFor, place, run, type Seen, WELL } from './installed.js'

const skip = process.env['KEDGE_LONG'] ? false : 'fetches hundreds of megabytes: npm run test:long'

describe('elsewhere', { skip }, () => {
  let installed: Installed
  before(async () => {
    installed = await install()
  })
  after(() => installed[Symbol.dispose]())

  test('plain Jest and vitest run a program that imports it', async () => {
    await fetchPackages(installed, 'jest@30', 'vitest@4')
    const { folder } = installed
    mkdirSync(join(folder, 'tests'))
    writeFileSync(
      join(folder, 'tests', 'own.test.mjs'),
      `${PROGRAM}\ntest('it ran', () => expect(ended).toBe('success'))\n`,
    )
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' }
    const tests = ['--rootDir', 'tests', '--testMatch', '**/*.test.mjs', '--transform', '{}']
    const jest = await run(process.execPath, ['node_modules/jest/bin/jest.js', ...tests], { cwd: folder, env })
    assert.match(jest.stderr, /Tests: +1 passed/)
    const vitest = await run(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--globals', '--root', 'tests'],
      {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1' },
      },
    )
    assert.match(vitest.stdout, /Tests +1 passed/)
  })

  test('works in a Next.js route handler, bundled; left out of the bundle also with a child process', async () => {
    await fetchPackages(installed, 'next@16', 'react@19', 'react-dom@19')
    const site = installed.folder
    mkdirSync(join(site, 'app/agent'), { recursive: true })
    cpSync(join(site, 'app.mjs'), join(site, 'app/agent/turn.mjs'))
    writeFileSync(join(site, 'app/layout.js'), LAYOUT)
    writeFileSync(join(site, 'app/agent/route.js'), ROUTE)
    await serve(site, async (ask) => assert.deepEqual(await ask('in-process'), WELL))

    writeFileSync(join(site, 'next.config.mjs'), "export default { serverExternalPackages: ['kedge'] }\n")
    await serve(site, async (ask) => {
      for (const isolation of ['in-process', 'process']) assert.deepEqual(await ask(isolation), WELL, isolation)
    })
  })
})

const PROGRAM = `import { query } from 'kedge'
let ended
for await (const message of query({ prompt: 'Say hello.', options: { model: 'practice', persistSession: false } }))
  if (message.type === 'result') ended = message.subtype
`
const LAYOUT = 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n'
const ROUTE = `
import { runTurn } from './turn.mjs'
export const dynamic = 'force-dynamic'
export const POST = async (request) => Response.json(await runTurn(await request.json()))
`

/** Builds the site and runs it; `ask` has it do one turn. */
async function serve(site: string, body: (ask: (isolation: string) => Promise<Seen>) => Promise<void>): Promise<void> {
  const next = join(site, 'node_modules/next/dist/bin/next')
  const { env } = place(site, 'next')
  const quiet = { ...env, NEXT_TELEMETRY_DISABLED: '1' }
  rmSync(join(site, '.next'), { recursive: true, force: true })
  await run(process.execPath, [next, 'build'], { cwd: site, env: quiet })
  const port = await freePort()
  const ask = async (isolation: string): Promise<Seen> => {
    const { cwd } = place(site, `next-${isolation}-${port}`)
    await using server = await modelFor(cwd)
    const options = { isolation, cwd, env: { ...env, ...server.env() } }
    const response = await fetch(`http://127.0.0.1:${port}/agent`, { method: 'POST', body: JSON.stringify(options) })
    return (await response.json()) as Seen // what the program prints elsewhere
  }
  const child = spawn(process.execPath, [next, 'start', '-p', String(port)], { cwd: site, env: quiet, stdio: 'pipe' })
  try {
    await ready(child)
    await body(ask)
  } finally {
    child.kill()
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      if (data.includes('Ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`next ended with ${code}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
