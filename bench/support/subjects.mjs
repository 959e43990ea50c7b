// Who is measured: our command, our library in a process of its own, the floor, and every original in the cache of the interop runs
// (docs/interop.md). All spawned ones are driven alike, over stdin and stdout, by the same reader.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MODEL } from './model.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const FLAGS = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--model', MODEL]
const HELLO = {
  type: 'control_request',
  request_id: 'i',
  request: { subtype: 'initialize', systemPrompt: 'Be brief.' },
}

export function userLine(content) {
  return { type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null }
}

/** A temporary home with a project folder in it, the environment that leads there, and nothing of the user's. */
export function createHome() {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-bench-'))
  const cwd = join(home, 'project')
  mkdirSync(cwd)
  // Without NODE_EXTRA_CA_CERTS and the like, which cost every start their own time.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    ANTHROPIC_API_KEY: 'sk-ant-bench',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  return { home, cwd, env, dispose: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Each original that is there, with the folder it is installed in; `ORIGINAL_SDK` names one more package folder. */
export function findOriginals() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-interop')
  const versions = existsSync(cache) ? readdirSync(cache).sort() : []
  const folders = versions.map((version) => [version, join(cache, version, 'node_modules')])
  if (process.env.ORIGINAL_SDK) folders.push(['named', join(process.env.ORIGINAL_SDK, '..', '..')])
  return folders.flatMap(([version, modules]) => {
    const scope = join(modules, '@anthropic-ai')
    const script = join(scope, 'claude-agent-sdk', 'cli.js')
    // Newer ones are a program per platform, in a package beside the library.
    const program = join(scope, `claude-agent-sdk-${process.platform}-${process.arch}`, 'claude')
    const command = existsSync(script) ? [process.execPath, script] : [program]
    const sdk = join(scope, 'claude-agent-sdk', 'sdk.mjs')
    return existsSync(command.at(-1)) ? [{ name: `original ${version}`, modules, sdk, command, isOriginal: true }] : []
  })
}

export const kedge = { name: 'Kedge spawned', command: [process.execPath, join(root, 'dist', 'kedge.cjs')] }
export const floor = { name: 'floor', command: [process.execPath, join(root, 'bench', 'floor.mjs')], isFloor: true }
export const inProcess = { name: 'Kedge in-process', isHost: true }
export const library = join(root, 'dist', 'index.js')

/** The floor knows three of these only, by names of its own. */
function argumentsFor(subject, { partial, resume, rg }) {
  if (subject.isFloor) {
    return [partial && '--partial', resume && `--resume=${resume.path}`, rg && `--rg=${rg}`].filter(Boolean)
  }
  return [
    ...FLAGS,
    '--allowedTools',
    'Bash,Read,Grep',
    ...(partial ? ['--include-partial-messages'] : []),
    ...(resume ? ['--resume', resume.id] : []),
  ]
}

/**
 * Starts one that is spawned, sends one prompt, and ends its input after the result. `work.onLine` sees each line.
 * With `work.isTimed` a shell around it measures its processor time, to the millisecond; `cpu` then resolves to that.
 */
export function start(subject, work) {
  const command = [...subject.command, ...argumentsFor(subject, work)]
  const [program, ...args] = work.isTimed ? ['bash', '-c', TIMED, 'bash', ...command] : command
  const env = { ...work.env, ANTHROPIC_BASE_URL: work.url }
  const child = spawn(program, args, { cwd: work.cwd, env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints = (complaints + text).slice(-2000)))
  let measured = ''
  child.stdio[3].setEncoding('utf8').on('data', (text) => (measured += text))
  let hasResult = false
  eachLine(child.stdout, (line) => {
    work.onLine?.(line)
    if (!line.includes('"type":"result"')) return
    hasResult = true
    if (line.includes('"is_error":true')) complaints += line
    child.stdin.end()
  })
  child.stdin.on('error', () => {})
  child.stdin.write([HELLO, userLine(work.prompt ?? 'Hi.')].map((line) => `${JSON.stringify(line)}\n`).join(''))
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (hasResult && code === 0 && !complaints.includes('"is_error":true')) resolve()
      else reject(new Error(`${subject.name} ended with ${code}: ${complaints}`))
    })
  })
  const cpu = ended.then(() => measured.split(/\s+/).reduce((sum, part) => sum + Number(part), 0))
  cpu.catch(() => {}) // `ended` tells
  return { pid: child.pid, ended, cpu }
}

/** The time goes to a fourth pipe, so that it is in nobody's way. */
const TIMED = 'TIMEFORMAT="%3U %3S"; { time "$@" 3>&- 2>&4; } 4>&2 2>&3'

function eachLine(stream, onLine) {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) onLine(line)
  })
}

/**
 * Starts a program that uses a library (ours, or an original's) and does the job of bench/host.mjs. `next()` resolves to the next
 * line it reports; `go()` lets it go on where it waits.
 */
export function startHost(job, { cwd, env, url }, flags = []) {
  const args = [...flags, join(root, 'bench', 'host.mjs'), JSON.stringify({ library, cwd, ...job })]
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, ANTHROPIC_BASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints = (complaints + text).slice(-2000)))
  const reports = []
  const waiting = []
  eachLine(child.stdout, (line) => {
    const report = JSON.parse(line)
    if (waiting.length > 0) waiting.shift().resolve(report)
    else reports.push(report)
  })
  const ended = new Promise((resolve, reject) => {
    child.on('close', (code) => {
      const error = new Error(`the host ended with ${code}: ${complaints}`)
      for (const { reject: refuse } of waiting) refuse(error)
      if (code === 0) resolve()
      else reject(error)
    })
  })
  ended.catch(() => {}) // whoever waits for a report is told
  return {
    pid: child.pid,
    ended,
    next: () =>
      reports.length > 0
        ? Promise.resolve(reports.shift())
        : new Promise((resolve, reject) => waiting.push({ resolve, reject })),
    go: () => child.stdin.write('go\n'),
  }
}
