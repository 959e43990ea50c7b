// Many agents at once: 200 sessions of 5 turns each in one process, the same as processes at 20, one session with 50 sub-agents
// side by side; the original beside it at 20 where it is present. Machines are noisy: read the columns against each other.
//   node bench/agents.mjs [sessions] [agents] [--count=200]
// The model is a scripted one in a process of its own. CPU is of the host and its children; memory is PSS of the whole tree.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const count = Number(process.argv.find((word) => word.startsWith('--count='))?.slice(8) ?? 200)
const fetched = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'kedge-interop/0.2.50/node_modules/@anthropic-ai/claude-agent-sdk',
)
const original = process.env.ORIGINAL_SDK ?? (existsSync(fetched) ? fetched : undefined)
const home = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-bench-agents-'))
const cwd = join(home, 'project')
mkdirSync(cwd)
const { NODE_EXTRA_CA_CERTS: _, ...outer } = process.env
const env = { PATH: outer.PATH, HOME: home, TMPDIR: home, ANTHROPIC_API_KEY: 'sk-ant-bench', DISABLE_TELEMETRY: '1' }

/** Answers with a text; a prompt `FAN n` starts n sub-agents at once. */
const MODEL = `
  import { startModelServer, script } from ${JSON.stringify(join(root, 'dist/testing.js'))}
  const task = (i) => ({ id: 'toolu_' + i, name: 'Task', input: { description: 'Job ' + i, prompt: 'Job ' + i, subagent_type: 'general-purpose' } })
  const server = await startModelServer(script((request) => {
    const fan = /FAN (\\d+)/.exec(request.prompt)
    return fan ? { tools: Array.from({ length: Number(fan[1]) }, (_, i) => task(i)) } : 'An answer of a few words.'
  }))
  console.log(server.url)
  process.stdin.resume().on('end', () => process.exit())`

/** Runs sessions and prints what it took. `then` holds them open until memory was measured. */
const HOST = `
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  import { readdirSync, readFileSync } from 'node:fs'
  const { library, count, turns, prompt, options } = JSON.parse(process.argv[1])
  const { query } = await import(library)
  const tree = () => {
    const parents = new Map()
    for (const name of readdirSync('/proc')) {
      if (!/^\\d+$/.test(name)) continue
      try {
        const stat = readFileSync('/proc/' + name + '/stat', 'utf8')
        const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        parents.set(Number(name), { parent: Number(rest[1]), ticks: Number(rest[11]) + Number(rest[12]) + Number(rest[13]) + Number(rest[14]) })
      } catch {}
    }
    const ours = (pid) => pid === process.pid || (parents.has(pid) && parents.get(pid).parent > 1 && ours(parents.get(pid).parent))
    return [...parents].filter(([pid]) => ours(pid)).map(([pid, about]) => ({ pid, ...about }))
  }
  const memory = () => tree().reduce((sum, { pid }) => {
    try { return sum + Number(/^Pss:\\s+(\\d+)/m.exec(readFileSync('/proc/' + pid + '/smaps_rollup', 'utf8'))[1]) / 1024 } catch { return sum }
  }, 0)
  const cpu = () => tree().reduce((sum, { ticks }) => sum + ticks / 100, 0)
  const before = memory()
  const cpuBefore = cpu()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  let open
  const held = new Promise((resolve) => { open = resolve })
  let resting = 0
  let rested
  const allRest = new Promise((resolve) => { rested = resolve })
  let peak = 0
  const sampler = setInterval(() => { peak = Math.max(peak, memory()) }, 250)
  const failures = []
  const session = async () => {
    let next = () => {}
    const answered = () => new Promise((resolve) => { next = resolve })
    async function* prompts() {
      for (let turn = 0; turn < turns; turn += 1) {
        const done = answered()
        yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' }
        await done
      }
      resting += 1
      if (resting === count) rested()
      await held
    }
    try {
      for await (const message of query({ prompt: prompts(), options })) {
        if (message.type !== 'result') continue
        if (message.is_error) failures.push(message.errors ?? message.result)
        next()
      }
    } catch (error) { failures.push(error.message) }
  }
  const all = Array.from({ length: count }, session)
  await Promise.race([allRest, Promise.all(all)])
  const wall = performance.now() - started
  const used = cpu() - cpuBefore
  delay.disable()
  clearInterval(sampler)
  globalThis.gc?.()
  await new Promise((resolve) => setTimeout(resolve, 500))
  const idle = memory()
  open()
  await Promise.all(all)
  console.log(JSON.stringify({ wall, cpu: used, before, idle, peak: Math.max(peak, idle), p95: delay.percentile(95) / 1e6, failures: failures.slice(0, 3), failed: failures.length }))
  process.exit()`

const model = await startModel()
try {
  const kedge = join(root, 'dist/index.js')
  const usual = { model: 'claude-sonnet-4-5-20250929', cwd, env: { ...env, ANTHROPIC_BASE_URL: model.url } }
  const inProcess = { library: kedge, options: usual }
  const spawned = { library: kedge, options: { ...usual, isolation: 'process' } }
  const theirs = original && { library: join(original, 'sdk.mjs'), options: usual }
  if (isWanted('sessions')) {
    const five = { turns: 5, prompt: 'Say something.' }
    title(`sessions of 5 turns at the same time`)
    row(`Kedge in-process, ${count}`, await host({ ...inProcess, ...five, count }))
    row('Kedge in-process, 20', await host({ ...inProcess, ...five, count: 20 }))
    row('Kedge spawned, 20', await host({ ...spawned, ...five, count: 20 }))
    if (theirs) row('the original, 20', await host({ ...theirs, ...five, count: 20 }))
  }
  if (isWanted('agents')) {
    title('one session, sub-agents side by side')
    const fan = (agents) => ({ turns: 1, count: 1, prompt: `FAN ${agents}` })
    row('Kedge in-process, 50', await host({ ...inProcess, ...fan(50) }))
    row('Kedge in-process, 20', await host({ ...inProcess, ...fan(20) }))
    row('Kedge spawned, 20', await host({ ...spawned, ...fan(20) }))
    if (theirs) row('the original, 20', await host({ ...theirs, ...fan(20) }))
  }
} finally {
  model.end()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

function isWanted(name) {
  return wanted.length === 0 || wanted.includes(name)
}

function title(text) {
  console.log(`\n${text}\n${' '.repeat(28)} wall ms    CPU s   peak MB   idle MB  p95 loop delay ms`)
}

function row(name, { wall, cpu, peak, idle, p95, failed, failures }) {
  const columns = [wall.toFixed(0), cpu.toFixed(2), peak.toFixed(0), idle.toFixed(0), p95.toFixed(1)]
  console.log(`  ${name.padEnd(24)}${columns.map((text) => text.padStart(10)).join('')}`)
  if (failed > 0) console.log(`    ${failed} failed: ${JSON.stringify(failures)}`)
}

async function startModel() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MODEL], { stdio: ['pipe', 'pipe', 'inherit'] })
  const url = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())))
  return { url, end: () => child.stdin.end() }
}

function host(about) {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', '--input-type=module', '-e', HOST, JSON.stringify(about)]
    const child = spawn(process.execPath, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`exit ${code}: ${output}`)),
    )
  })
}
