/** Under Bun, where there is one on the PATH; `npm run test:long` fetches it (100 MB). */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fetchPackages, type Installed, install, modelFor, place, run, WELL } from './installed.js'

const found = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'bun'))
  .find(existsSync)
const skip = found || process.env['KEDGE_LONG'] ? false : 'no bun on the PATH; npm run test:long fetches it'

async function fetchBun(installed: Installed): Promise<string> {
  await fetchPackages(installed, 'bun@1')
  const folder = join(installed.folder, 'node_modules/@oven')
  return join(folder, readdirSync(folder)[0] ?? '', 'bin/bun')
}

test('works under Bun, in the process, in a thread and beside it; what commands print arrives', { skip }, async () => {
  using installed = await install()
  const bun = found ?? (await fetchBun(installed))
  for (const [name, args] of Object.entries({
    plain: ['app.mjs', '{"isolation":"in-process"}'],
    thread: ['worker.mjs'],
    spawned: ['app.mjs', '{"isolation":"process"}'],
  })) {
    const { cwd, env } = place(installed.folder, `bun-${name}`)
    await using server = await modelFor(cwd)
    const [script = '', ...rest] = args
    const all = { ...env, ...server.env() }
    const { stdout } = await run(bun, [join(installed.folder, script), ...rest], { cwd, env: all, timeout: 60_000 })
    assert.deepEqual(JSON.parse(stdout), WELL, name)
  }
})
