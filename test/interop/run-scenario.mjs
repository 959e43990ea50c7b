// Runs one scenario with one SDK and one CLI in a process of its own and writes everything observed to a file.
// Started by pool.mjs with one argument: a JSON object { scenario, sdk, cli, inProcess, folder, out }.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startFakeApi } from './fake-api.mjs'
import { createStage } from './stage.mjs'

const job = JSON.parse(process.argv[2] ?? '{}')
const folders = { cwd: join(job.folder, 'work'), home: join(job.folder, 'home'), log: join(job.folder, 'log') }
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
process.chdir(folders.cwd)

const notes = []
const record = (ch, data) => notes.push({ ch, data: data === undefined ? undefined : structuredCloneJson(data) })
process.on('unhandledRejection', (error) =>
  record('escaped', { kind: 'unhandledRejection', message: messageOf(error) }),
)
process.on('uncaughtException', (error) => record('escaped', { kind: 'uncaughtException', message: messageOf(error) }))

const { scenarios } = await import('./scenarios/catalog.mjs')
const scenario = scenarios[job.scenario]
const api = await startFakeApi()
const sdk = await import(pathToFileURL(job.sdk).href)
const { z } = await import(createRequire(job.sdk).resolve('zod'))
const cli = scenario.fakeCli ? fileURLToPath(new URL('fake-cli.mjs', import.meta.url)) : job.cli
const stage = createStage({ sdk, z, api, record, folders, cli, inProcess: job.inProcess })

try {
  await scenario.run(stage)
} catch (error) {
  record('scenario_error', { message: messageOf(error), stack: error?.stack })
}
await settled(scenario.settleMs ?? 15_000)
await api.close()
writeFileSync(
  job.out,
  JSON.stringify({
    scenario: job.scenario,
    folders,
    api: api.url,
    notes,
    requests: api.requests,
    processes: processes(),
  }),
)
process.exit(0)

/** Waits until every CLI that was started has ended, or the time is up (then its record has no exit line). */
async function settled(limitMs) {
  const until = Date.now() + limitMs
  while (Date.now() < until) {
    if (processes().every((lines) => lines.some((line) => line.ch === 'exit' || line.ch === 'killed'))) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
}

function processes() {
  const files = readdirSync(folders.log).sort()
  return files.map((file) => {
    const text = readFileSync(join(folders.log, file), 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    const parsed = lines.map((line) => JSON.parse(line))
    if (!parsed.some((line) => line.ch === 'exit') && !alive(parsed[0].data.shim)) {
      // Without the shim in between, the SIGKILL would have hit the CLI.
      if (alive(parsed[0].data.pid)) process.kill(parsed[0].data.pid, 'SIGKILL')
      parsed.push({ ch: 'killed', data: null })
    }
    return parsed
  })
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function structuredCloneJson(data) {
  return JSON.parse(JSON.stringify(data))
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}
