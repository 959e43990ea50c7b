// What an editor waits for and pays: `node bench/acp.mjs [--adapter=FOLDER] [--rounds=N] [--sessions=20]`. `kedge acp` and, where it is
// installed (npm run of scripts/acp-differential.mjs puts it into the cache), claude-agent-acp, both driven alike over stdin and stdout,
// in turns. Processor time and memory are of the whole process tree. It measures and judges nothing: read the ratios.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { answer, MODEL, now, startModel } from './support/model.mjs'
import { cpuSeconds, hasProc, pssMegabytes } from './support/processes.mjs'
import { interleaved } from './support/statistics.mjs'
import { createHome, root } from './support/subjects.mjs'

const flag = (name, otherwise) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise
const ADAPTER = '@agentclientprotocol/claude-agent-acp'
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-interop', 'claude-agent-acp-0.99.0')
const adapter = join(flag('adapter', cache), 'node_modules', ADAPTER, 'dist', 'index.js')
const sessions = Number(flag('sessions', 20))
const rounds = Number(flag('rounds', 5))
const WARM = 5

const subjects = [
  { name: 'Kedge', command: [process.execPath, join(root, 'dist', 'kedge.cjs'), 'acp'], rounds },
  { name: 'claude-agent-acp', command: [process.execPath, adapter], rounds: 1 },
].filter(({ command }) => existsSync(command[1]))
const rows = {
  cold: 'start → first `session/new`, ms',
  cpuCold: 'the same, CPU ms',
  warm: '`session/new` in a running process, ms',
  cpuWarm: 'the same, CPU ms (mean)',
  first: 'prompt → first words, ms',
  cpuOne: '1 session, one prompt: CPU s',
  pssOne: '1 session, one prompt: PSS MB',
  cpuMany: `${sessions} sessions, one prompt each: CPU s`,
  pssMany: `${sessions} sessions, one prompt each: PSS MB`,
}

const model = await startModel()
try {
  if (!hasProc) console.log('No /proc here: processor time and memory are left out.')
  // One round before does not count: it fills the code cache.
  await measure(subjects[0])
  const figures = await interleaved(subjects, (subject) => subject.rounds, measure)
  print(figures)
} finally {
  await model.close()
}

async function measure(subject) {
  const home = createHome()
  const run = model.run(() => answer('An answer of a few words.'))
  const env = { ...home.env, ANTHROPIC_BASE_URL: run.url, ANTHROPIC_MODEL: MODEL }
  const agent = start(subject.command, home.cwd, env)
  const figures = {}
  try {
    const begin = () => agent.request('session/new', { cwd: home.cwd, mcpServers: [] })
    await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
    const { sessionId } = await begin()
    figures.cold = now() - agent.started
    figures.cpuCold = cpuSeconds(agent.pid) * 1000
    await prompt(agent, sessionId)
    figures.cpuOne = cpuSeconds(agent.pid)
    figures.pssOne = pssMegabytes(agent.pid)
    const before = cpuSeconds(agent.pid)
    const waits = []
    const others = []
    for (let n = 1; n < sessions; n += 1) {
      const asked = now()
      others.push((await begin()).sessionId)
      if (n <= WARM) waits.push(now() - asked)
    }
    figures.cpuWarm = ((cpuSeconds(agent.pid) - before) * 1000) / others.length
    figures.warm = waits.sort((a, b) => a - b)[waits.length >> 1]
    figures.first = await prompt(agent, sessionId)
    await Promise.all(others.map((id) => prompt(agent, id)))
    figures.cpuMany = cpuSeconds(agent.pid)
    figures.pssMany = pssMegabytes(agent.pid)
  } finally {
    await agent.end()
    run.end()
    await forget(home)
  }
  return figures
}

/** Who does not end with its input may still be writing there. */
async function forget(home) {
  for (let n = 0; n < 10; n += 1) {
    try {
      return home.dispose()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  console.error(`${home.home} could not be removed`)
}

/** Ms until the first words of the answer; resolves when the turn is over. */
async function prompt(agent, sessionId) {
  const asked = now()
  let first
  const stop = agent.onUpdate((params) => {
    if (params.sessionId === sessionId && params.update.sessionUpdate === 'agent_message_chunk') first ??= now() - asked
  })
  const { stopReason } = await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi.' }] })
  stop()
  if (stopReason !== 'end_turn' || first === undefined) throw new Error(`the turn ended with ${stopReason}`)
  return first
}

/** The least client there is. */
function start([program, ...args], cwd, env) {
  const started = now()
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting = new Map()
  const listeners = new Set()
  let complaints = ''
  let rest = ''
  let count = 0
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints = (complaints + text).slice(-2000)))
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) hear(JSON.parse(line))
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  ended.then((code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the agent ended with ${code}: ${complaints}`))
  })
  function hear(message) {
    if (message.method === 'session/update') for (const listener of listeners) listener(message.params)
    if (message.method !== undefined) return
    const { resolve, reject } = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) reject(new Error(JSON.stringify(message.error)))
    else resolve(message.result)
  }
  return {
    pid: child.pid,
    started,
    request(method, params) {
      count += 1
      const id = count
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    onUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async end() {
      child.stdin.end()
      const gone = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 10_000, 'no end').unref())])
      if (gone !== 'no end') return
      child.kill('SIGKILL')
      await ended
    },
  }
}

function print(figures) {
  const names = subjects.map(({ name }) => name)
  const [ours, other] = names
  console.log(`| what | ${names.join(' | ')} |${other ? ' ratio |' : ''}`)
  console.log(`|---|${names.map(() => '---:|').join('')}${other ? '---:|' : ''}`)
  for (const [row, title] of Object.entries(rows)) {
    const cells = names.map((name) => show(figures[name][row]))
    const ratio =
      other && figures[other][row] ? [`${(figures[other][row].median / figures[ours][row].median).toFixed(0)} ×`] : []
    console.log(`| ${[title, ...cells, ...ratio].join(' | ')} |`)
  }
}

function show(figure) {
  if (figure === undefined) return '–'
  const { median, min, max } = figure
  const digits = median < 10 ? 2 : 0
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}
