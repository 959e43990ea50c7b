// `npm run readers`: others read sessions that Kedge wrote, and Kedge theirs. Public readers from the registry count tokens
// (ccusage), make pages of them (claude-code-transcripts) and list what was done (ccundo); the original and Kedge go on with
// each other's sessions. All are installed outside the tree and only ever run.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { base, ensureOriginal } from '../test/interop/originals.mjs'

const version = '17.2.1'
const others = { 'claude-code-transcripts': '1.0.2', ccundo: '1.1.1' }
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kedge-readers', version)
const program = join(folder, 'node_modules', 'ccusage', 'dist', 'index.js')
const programOf = (name) => join(folder, 'node_modules', '.bin', name)
if (!existsSync(program) || !Object.keys(others).every((name) => existsSync(programOf(name)))) {
  console.log(`installing readers into ${folder}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const wanted = [`ccusage@${version}`, ...Object.entries(others).map((one) => one.join('@'))]
  execFileSync('npm', ['install', ...flags, ...wanted], { cwd: folder, stdio: 'inherit' })
}

const { forkSession, query, renameSession } = await import(join(root, 'dist', 'index.js'))
const { startModelServer } = await import(join(root, 'dist', 'testing.js'))
const home = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-readers-'))
const config = join(home, '.claude')
const cwd = join(home, 'project')
mkdirSync(cwd)
writeFileSync(join(cwd, 'CLAUDE.md'), 'Always be brief.')
try {
  const tools = [{ name: 'Glob', input: { pattern: '*' } }]
  const server = await startModelServer([{ text: 'Look.', tools }, 'Done.', 'Again.', 'Other.'])
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: config, ...server.env() }
  const ask = async (options) => {
    let result
    const all = { cwd, env, model: 'claude-sonnet-4-5-20250929', settingSources: ['project'], ...options }
    for await (const message of query({ prompt: 'Go.', options: all })) if (message.type === 'result') result = message
    return result
  }
  // A turn with a tool, the same session again, another one; and the lines that only Kedge writes.
  const first = await ask({})
  const second = await ask({ resume: first.session_id })
  const other = await ask({})
  process.env.CLAUDE_CONFIG_DIR = config
  await renameSession(first.session_id, 'Named')
  await forkSession(other.session_id)
  await server.close()
  const printed = execFileSync(process.execPath, [program, 'daily', '--json', '--offline'], { env, encoding: 'utf8' })
  console.log(`ccusage@${version} daily --json --offline printed:\n${printed}`)
  const { totals } = JSON.parse(printed)
  const ours = [second, other].flatMap((one) => Object.values(one.session_model_usage ?? one.modelUsage))
  const inputs = ours.reduce((sum, usage) => sum + usage.inputTokens, 0)
  console.log(`input tokens: ${totals.inputTokens} read, ${inputs} by our ledger (requests of both sessions)`)
  if (totals.inputTokens !== inputs) throw new Error('the reader counts something else than we do')
  pagesOf(env)
  await handOver()
} finally {
  // When everything is over: the original writes on for a while.
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
}
process.exit(0)

/** A page per session, with what the user said as its first message; and what was done, by the calls of the model. */
function pagesOf(env) {
  const pages = join(home, 'pages')
  const [project] = readdirSync(join(config, 'projects'))
  const sessions = readdirSync(join(config, 'projects', project)).filter((name) => name.endsWith('.jsonl'))
  for (const name of sessions) {
    const file = join(config, 'projects', project, name)
    execFileSync(programOf('claude-code-transcripts'), ['json', file, '-o', join(pages, name)], {
      env,
      encoding: 'utf8',
    })
    const made = readdirSync(join(pages, name)).filter((page) => page.endsWith('.html'))
    const text = made.map((page) => readFileSync(join(pages, name, page), 'utf8')).join('')
    if (!text.includes('Always be brief') && text.includes('Go.')) continue
    throw new Error(`${name}: a reminder is taken for what the user said, or the prompt is missing`)
  }
  console.log(`claude-code-transcripts@${others['claude-code-transcripts']}: ${sessions.length} sessions as pages`)
  const listed = execFileSync(programOf('ccundo'), ['sessions'], { env, cwd, encoding: 'utf8' })
  const found = sessions.filter((name) => listed.includes(name.slice(0, 8)))
  console.log(`ccundo@${others.ccundo}: ${found.length} of ${sessions.length} sessions listed`)
  if (found.length === 0) throw new Error(`ccundo lists none of our sessions:\n${listed}`)
}

/** A session that goes to and fro between the two, with parallel calls in it: each must see all that the other did, which is checked. */
async function handOver() {
  const original = await import(ensureOriginal(base).sdk)
  const call = (id) => ({ id, name: 'Glob', input: { pattern: id } })
  let turn = 0
  const server = await startModelServer(
    ({ toolResults }) => {
      turn += 1
      if (toolResults.length > 0) return `Answer ${turn}.`
      return { text: `Look ${turn}.`, tools: [call(`toolu_${turn}_a`), call(`toolu_${turn}_b`)] }
    },
    { validate: false },
  )
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, 'shared'), ...server.env() }
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1' }
  let resume
  let round = 0
  for (const [name, play] of [
    ['kedge', query],
    ['original', original.query],
    ['kedge', query],
    ['original', original.query],
    ['kedge', query],
  ]) {
    const options = { cwd, env: { ...env, ...quiet }, model: 'claude-sonnet-4-5-20250929', allowedTools: ['Glob'] }
    const running = play({ prompt: `Prompt of ${name}.`, options: { ...options, ...(resume ? { resume } : {}) } })
    for await (const message of running) {
      if (message.type === 'result' && message.is_error) throw new Error(`${name}: ${JSON.stringify(message)}`)
      if (message.type === 'result') resume = message.session_id
    }
    const { messages } = server.requests.at(-1).body
    const said = JSON.stringify(messages)
    const prompts = said.match(/Prompt of \w+\./g)
    const calls = new Set(said.match(/toolu_\d+_[ab]/g))
    round += 1
    // The original may lose calls that it made itself side by side; none that Kedge made, and Kedge none at all.
    const wanted = Array.from({ length: round }, (_, i) => i)
      .filter((i) => name === 'kedge' || i % 2 === 0)
      .flatMap((i) => [`toolu_${2 * i + 1}_a`, `toolu_${2 * i + 1}_b`])
    if (prompts?.length !== round || !wanted.every((id) => calls.has(id)))
      throw new Error(`${name} does not see it all: ${said}`)
    console.log(
      `${name.padEnd(8)} sees ${prompts.length} prompts and ${calls.size} calls in ${messages.length} messages`,
    )
  }
  await server.close()
}
