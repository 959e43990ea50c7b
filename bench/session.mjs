// What sessions cost as they grow: resuming one of 20 MB, listing many, and a turn late in a long conversation. Each next to a
// floor in the same run: bare Node reading and parsing the same bytes. Machines are noisy: read the ratios.
//   node bench/session.mjs [resume] [list] [turns] [--full]      --full lists 1,000 sessions of 1 MB (1 GB, in a temporary folder)
// The original that `npm run interop` fetched runs beside it, where it can do the same; ORIGINAL_SDK=/path/to/its/package/folder
// names another.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isFull = process.argv.includes('--full')
const fetched = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'kedge-interop/0.2.50/node_modules/@anthropic-ai/claude-agent-sdk',
)
const original = process.env.ORIGINAL_SDK ?? (existsSync(fetched) ? fetched : undefined)
const home = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-bench-session-'))
const cwd = join(home, 'project')
const config = join(home, '.claude')
const project = join(config, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
mkdirSync(cwd, { recursive: true })
mkdirSync(project, { recursive: true })
const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: config, DISABLE_TELEMETRY: '1' }
const library = join(root, 'dist', 'index.js')
/** Part of every program: `begin()`, the work, `report()`. */
const REPORT = `
  let wall, cpu
  const begin = () => { wall = performance.now(); cpu = process.cpuUsage() }
  const report = () => {
    const { user, system } = process.cpuUsage(cpu)
    const mb = process.resourceUsage().maxRSS / 1024
    console.log(JSON.stringify({ ms: performance.now() - wall, cpu: (user + system) / 1000, mb }))
  }`

try {
  if (isWanted('resume')) await benchResume()
  if (isWanted('list')) await benchList()
  if (isWanted('turns')) await benchTurns()
} finally {
  rmSync(home, { recursive: true, force: true })
}

function isWanted(name) {
  return wanted.length === 0 || wanted.includes(name)
}

/** A session file of about `bytes`: prompts, answers, calls and results with the outputs that make real ones long. */
function writeSession(id, bytes) {
  const path = join(project, `${id}.jsonl`)
  let parent = null
  let size = 0
  let waiting = ''
  const add = (type, message, more = {}) => {
    const uuid = randomUUID()
    const base = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: id,
      version: '2.1.50',
      gitBranch: 'main',
    }
    waiting += `${JSON.stringify({ ...base, type, message, uuid, timestamp: new Date().toISOString(), ...more })}\n`
    parent = uuid
  }
  writeFileSync(path, '')
  for (let turn = 1; size < bytes; turn += 1) {
    const text = `Turn ${turn}: ${'some words of a prompt '.repeat(8)}`
    const output = `line of output ${turn} with a few words in it\n`.repeat(60)
    const usage = { input_tokens: 10, output_tokens: 20 }
    const answer = (content) => ({
      id: `msg_${turn}_${Math.random()}`,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      usage,
    })
    add('user', { role: 'user', content: text })
    add('assistant', answer([{ type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: { command: 'make' } }]))
    add(
      'user',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: output }] },
      { toolUseResult: { stdout: output } },
    )
    add('assistant', answer([{ type: 'text', text: 'An answer of a few words. '.repeat(10) }]))
    if (waiting.length < 256 * 1024 && size + waiting.length < bytes) continue
    appendFileSync(path, waiting)
    size += waiting.length
    waiting = ''
  }
  return path
}

/** Runs a program in a process of its own; it prints JSON. */
function measure(program, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`exit ${code}: ${output}`)),
    )
  })
}

async function interleaved(programs, rounds) {
  const results = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(programs)) results[name].push(await run())
  return Object.fromEntries(
    Object.entries(results).map(([name, all]) => [
      name,
      { ms: median(all, 'ms'), cpu: median(all, 'cpu'), mb: median(all, 'mb') },
    ]),
  )
}

function median(results, field) {
  const sorted = results.map((result) => result[field]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function table(title, rows, floor) {
  console.log(`\n${title}`)
  for (const [name, { ms, cpu, mb }] of Object.entries(rows)) {
    const ratio = (cpu / rows[floor].cpu).toFixed(2)
    const took = `${ms.toFixed(0).padStart(6)} ms, CPU ${cpu.toFixed(0).padStart(5)} ms × ${ratio.padStart(5)}`
    console.log(`  ${name.padEnd(42)} ${took}   peak ${mb.toFixed(0)} MB`)
  }
}

async function benchResume() {
  const id = randomUUID()
  const path = writeSession(id, 20 * 1024 * 1024)
  const parse = `${REPORT}
    import { readFileSync } from 'node:fs'
    begin()
    const lines = readFileSync(${JSON.stringify(path)}, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line))
    report(); void lines.length`
  const resume = `${REPORT}
    import { query } from ${JSON.stringify(library)}
    const options = { resume: ${JSON.stringify(id)}, persistSession: false, model: 'practice' }
    const warm = query({ prompt: 'hi', options: { persistSession: false, model: 'practice' } })
    for await (const message of warm) if (message.subtype === 'init') break
    await warm.closed
    begin()
    const running = query({ prompt: 'hi', options })
    for await (const message of running) if (message.subtype === 'init') { report(); break }
    await running.closed`
  const programs = {
    'bare Node: read and parse every line': () => measure(parse),
    'kedge in-process: resume to system/init': () => measure(resume),
  }
  if (original && existsSync(join(original, 'cli.js')))
    programs['original, spawned: resume to system/init'] = () => originalResume(id)
  table('Resume of 20 MB', await interleaved(programs, 5), 'bare Node: read and parse every line')
}

async function originalResume(id) {
  const program = `${REPORT}
    import { query } from ${JSON.stringify(join(original ?? '', 'sdk.mjs'))}
    begin()
    const options = { resume: ${JSON.stringify(id)}, env: process.env }
    for await (const message of query({ prompt: 'hi', options })) if (message.subtype === 'init') { report(); break }
    process.exit(0)`
  return measure(program, {
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  })
}

async function benchList() {
  const count = isFull ? 1000 : 100
  for (let i = 0; i < count; i += 1) writeSession(randomUUID(), 1024 * 1024)
  const floor = `${REPORT}
    import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
    begin()
    const buffer = Buffer.alloc(65536)
    for (const name of readdirSync(${JSON.stringify(project)})) {
      const fd = openSync(${JSON.stringify(project)} + '/' + name)
      const { size } = fstatSync(fd)
      readSync(fd, buffer, 0, buffer.length, 0)
      readSync(fd, buffer, 0, buffer.length, Math.max(0, size - buffer.length))
      closeSync(fd)
    }
    report()`
  const list = (from) => `${REPORT}
    import { listSessions } from ${JSON.stringify(from)}
    begin()
    const sessions = await listSessions()
    if (sessions.length < ${count}) throw new Error('only ' + sessions.length)
    report()`
  const programs = {
    'bare Node: 64 KB at both ends of each': () => measure(floor),
    'kedge: listSessions()': () => measure(list(library)),
  }
  const other = join(original ?? '', 'sdk.mjs')
  if (original && 'listSessions' in (await import(other)))
    programs['original: listSessions()'] = () => measure(list(other))
  else console.log('\nThis original has no listSessions().')
  table(
    `List of ${count} sessions, ${count} MB`,
    await interleaved(programs, 5),
    'bare Node: 64 KB at both ends of each',
  )
}

/** The model runs in another process: only the agent's own work counts. */
async function benchTurns() {
  const turns = 400
  const serve = `import { startModelServer } from ${JSON.stringify(join(root, 'dist', 'testing.js'))}
    const server = await startModelServer(() => 'An answer of a few words.', { validate: false })
    console.log(JSON.stringify(server.env()))
    setInterval(() => {}, 1000)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', serve], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise((resolve) => server.stdout.once('data', (chunk) => resolve(JSON.parse(chunk))))
  const program = `
    import { query } from ${JSON.stringify(library)}
    let next
    const cpu = []
    const prompts = async function* () {
      for (let turn = 0; turn < ${turns}; turn += 1) {
        yield { type: 'user', session_id: '', message: { role: 'user', content: 'A prompt of a few words, number ' + turn }, parent_tool_use_id: null }
        await new Promise((resolve) => (next = resolve))
      }
    }
    let before = process.cpuUsage()
    for await (const message of query({ prompt: prompts(), options: { model: 'claude-sonnet-4-5-20250929', systemPrompt: 'Be brief.', tools: [] } })) {
      if (message.type !== 'result') continue
      const used = process.cpuUsage(before)
      cpu.push((used.user + used.system) / 1000)
      before = process.cpuUsage()
      next()
    }
    const median = (from, to) => cpu.slice(from, to).sort((a, b) => a - b)[Math.floor((to - from) / 2)]
    // The first few turns are spent compiling; both spans are medians.
    console.log(JSON.stringify({ early: median(0, 50), warm: median(50, 100), late: median(350, 400) }))`
  try {
    const runs = []
    for (let round = 0; round < 3; round += 1) runs.push(await measure(program, address))
    const { early, warm, late } = Object.fromEntries(
      ['early', 'warm', 'late'].map((name) => [name, median(runs, name)]),
    )
    console.log('\nOne conversation of 400 turns, CPU of the agent per turn')
    console.log(`  turns 1–50                                   ${early.toFixed(2).padStart(9)} ms`)
    console.log(`  turns 51–100                                 ${warm.toFixed(2).padStart(9)} ms`)
    console.log(
      `  turns 351–400                                ${late.toFixed(2).padStart(9)} ms  × ${(late / early).toFixed(2)} of the first 50 (aim ≤ 1.2), × ${(late / warm).toFixed(2)} of the second`,
    )
    if (original && existsSync(join(original, 'cli.js'))) await originalTurns(turns, address)
  } finally {
    server.kill()
  }
}

/** The same conversation with the original, whose agent is a process of its own: its CPU time, as the kernel counts it. */
async function originalTurns(turns, address) {
  const program = `
    import { spawn } from 'node:child_process'
    import { readFileSync } from 'node:fs'
    import { query } from ${JSON.stringify(join(original ?? '', 'sdk.mjs'))}
    let next, child
    // Ticks of 10 ms: too coarse for one turn, fine for fifty.
    const spent = () => {
      const fields = readFileSync('/proc/' + child.pid + '/stat', 'utf8').split(') ')[1].split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    }
    const marks = []
    const prompts = async function* () {
      for (let turn = 0; turn < ${turns}; turn += 1) {
        yield { type: 'user', session_id: '', message: { role: 'user', content: 'A prompt of a few words, number ' + turn }, parent_tool_use_id: null }
        await new Promise((resolve) => (next = resolve))
      }
    }
    const options = {
      model: 'claude-sonnet-4-5-20250929', systemPrompt: 'Be brief.', tools: [], env: process.env,
      spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) => (child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] })),
    }
    for await (const message of query({ prompt: prompts(), options })) {
      if (message.type !== 'result') continue
      marks.push(spent())
      next()
    }
    const mean = (from, to) => (marks[to - 1] - marks[from]) / (to - 1 - from)
    console.log(JSON.stringify({ early: mean(0, 50), late: mean(350, 400) }))
    process.exit(0)`
  const { early, late } = await measure(program, { ...address, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' })
  console.log(`  original, turns 1–50                         ${early.toFixed(2).padStart(9)} ms`)
  console.log(
    `  original, turns 351–400                      ${late.toFixed(2).padStart(9)} ms  × ${(late / early).toFixed(2)} of the first 50`,
  )
}
