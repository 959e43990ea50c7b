// What a start costs, in one interleaved run: bare node, our command up to its first line, an in-process query up to its
// init, and the original when it is there (ORIGINAL_SDK=/path/to/its/package/folder). Medians and spread, in milliseconds.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rounds = Number(process.argv[2] ?? 15)
const home = mkdtempSync(join(tmpdir(), 'kedge-bench-'))
const original = process.env.ORIGINAL_SDK
const { startModelServer } = await import(join(root, 'dist', 'testing.js'))
const server = await startModelServer(() => 'Hello.')

const env = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  ...server.env(),
}
const flags = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
const lines = [
  { type: 'control_request', request_id: 'i', request: { subtype: 'initialize', systemPrompt: '' } },
  { type: 'user', session_id: '', message: { role: 'user', content: 'Hi.' }, parent_tool_use_id: null },
]

/** From spawn to the exit of `node -e 0`. */
function bareNode() {
  return timed(
    (done) =>
      new Promise((resolve) => {
        spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }).on('exit', () => {
          done()
          resolve()
        })
      }),
  )
}

/** From spawn to `system/init` of the first turn. */
function spawned(cli) {
  return timed((done) => {
    const child = spawn(process.execPath, [cli, ...flags], { env, cwd: home, stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    let seen = false
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (seen || !output.includes('"subtype":"init"')) return
      seen = true
      done()
      child.stdin.end()
    })
    child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return new Promise((resolve) => child.on('exit', resolve))
  })
}

/** In this process, import already done: from `query()` to `system/init`. */
async function inProcess() {
  const { query } = await import(join(root, 'dist', 'index.js'))
  return timed(async (done) => {
    for await (const message of query({ prompt: 'Hi.', options: { env, cwd: home } })) {
      if (message.type === 'system') done()
    }
  })
}

/** `run` calls back at the moment that counts, and resolves when everything of it is over. */
async function timed(run) {
  const started = performance.now()
  let took
  await run(() => {
    took ??= performance.now() - started
  })
  return took
}

const subjects = {
  'node -e 0': bareNode,
  'kedge spawned → init': () => spawned(join(root, 'dist', 'kedge.cjs')),
  'kedge in-process → init': inProcess,
  ...(original && existsSync(join(original, 'cli.js'))
    ? { 'original spawned → init': () => spawned(join(original, 'cli.js')) }
    : {}),
}
const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
for (const run of Object.values(subjects)) await run() // warm: disk, code cache
for (let round = 0; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(subjects)) {
    if (name.startsWith('original') && round >= 3) continue
    times[name].push(await run())
  }
}
const sorted = (name) => [...times[name]].sort((a, b) => a - b)
const median = (name) => sorted(name)[Math.floor(times[name].length / 2)]
const floor = median('node -e 0')
console.log(
  `${'what'.padEnd(26)} ${'median'.padStart(9)} ${'min'.padStart(9)} ${'max'.padStart(9)} ${'× node'.padStart(8)}`,
)
for (const name of Object.keys(subjects)) {
  const all = sorted(name)
  const cells = [median(name), all[0], all.at(-1)].map((ms) => `${ms.toFixed(1)} ms`.padStart(9)).join(' ')
  console.log(`${name.padEnd(26)} ${cells} ${(median(name) / floor).toFixed(2).padStart(8)}`)
}
await server.close()
rmSync(home, { recursive: true, force: true })
