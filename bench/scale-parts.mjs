// Parts of `npm run bench` that ask what happens when there is more of everything: readers of one session, turns of one conversation.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { answer, MODEL } from './support/model.mjs'
import { cpuSeconds, hasProc, pssMegabytes } from './support/processes.mjs'
import { root, startHost } from './support/subjects.mjs'

const DELTAS = 20_000
const READERS = 10
const TURNS = 5000
/** Of the conversation: compared with each other. */
const SPAN = 500

/** 20,000 words of one session of a hub, with one reader and with ten of them: until the last has all. */
export async function hubReaders(world) {
  // The hub is no export of the package; the library in it finds the agent's bundle beside itself.
  const hub = join(root, 'dist', 'interfaces', 'bench-hub.js')
  const bundle = readFileSync(join(root, 'dist', 'agent.cjs'), 'latin1')
  await build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outfile: hub,
    logLevel: 'error',
    entryPoints: [join(root, 'src/hub/create-hub.ts')],
    packages: 'external',
    define: { KEDGE_VERSION: '"bench"', KEDGE_BUILD: JSON.stringify(bundle.slice(-16)) },
  })
  const text = answer({ deltas: DELTAS })
  const read = async (readers) => {
    const run = world.model.run(() => text)
    const env = { ...world.env, ANTHROPIC_BASE_URL: run.url, BENCH_MODEL: MODEL }
    const program = join(root, 'bench/support/hub-program.mjs')
    const child = spawn(process.execPath, [program, hub, String(DELTAS), String(readers)], {
      cwd: world.cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    await new Promise((resolve) => child.on('close', resolve))
    run.end()
    return JSON.parse(printed)
  }
  const measure = async () => {
    const one = await read(1)
    const ten = await read(READERS)
    const all = answeredCharacters()
    if ([...one.seen, ...ten.seen].some((seen) => seen !== all))
      console.error(`some read less than ${all}: ${ten.seen}`)
    return { oneReader: one.perSecond, readersShare: ten.perSecond / one.perSecond, readersCpu: ten.cpu / one.cpu }
  }
  measure.dispose = () => rmSync(hub, { force: true })
  return measure
}

/** Of the words that `answer({ deltas })` has. */
function answeredCharacters() {
  return Array.from({ length: DELTAS }, (_, n) => ` word${n}`.length).reduce((sum, length) => sum + length, 0)
}

/** One conversation of 5,000 tool calls that is compacted now and then: what a turn costs late, and what it holds. */
export function endlessConversation(world) {
  const path = join(world.cwd, 'page.txt')
  writeFileSync(path, 'a line of text as programs have it\n'.repeat(60))
  return async () => {
    const marks = {}
    let calls = 0
    let compactions = 0
    const run = world.model.run((_, body) => {
      // What decides about a compaction is what the API counted.
      const counted = (...blocks) =>
        Buffer.from(
          answer(...blocks)
            .toString()
            .replace('"input_tokens":10', `"input_tokens":${body.length >> 2}`),
        )
      if (isForSummary(body)) {
        compactions += 1
        return counted('A summary of what was done so far.')
      }
      calls += 1
      if (calls % SPAN === 1 || calls === TURNS)
        marks[calls] = { cpu: cpuSeconds(host.pid), mb: hasProc ? pssMegabytes(host.pid) : undefined }
      if (calls > TURNS) return counted('Done.')
      return counted({ name: 'Read', input: { file_path: path, offset: 1 + (calls % 50) } })
    })
    const env = { ...world.env, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '20' }
    const host = startHost({ kind: 'one', model: MODEL }, { ...world, env, url: run.url })
    await host.next()
    await host.ended
    run.end()
    if (compactions < 10) throw new Error(`${compactions} compactions are no test of them`)
    if (!hasProc) return {}
    const cost = (from) => marks[Math.min(from + SPAN, TURNS)].cpu - marks[from].cpu
    // The first of them compile.
    const [early, late] = [SPAN + 1, TURNS - SPAN + 1]
    return { endlessGrowth: cost(late) / cost(early), endlessMemory: marks[TURNS].mb / marks[TURNS / 2 + 1].mb }
  }
}

/** The last message asks for one; in all other requests it is a result of Read, or the first prompt. */
function isForSummary(body) {
  const { messages } = JSON.parse(body)
  const { content } = messages.at(-1)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return messages.length > 1 && blocks.at(-1)?.type === 'text' && /summar/i.test(blocks.at(-1).text.slice(0, 3000))
}
