// A short tour of Kedge: real tools, real permissions, real results, with the offline practice model in the place of a
// model. Needs no key, no network and no terminal; checks what it shows, and exits with 1 when something is not as it should be.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
if (!existsSync(join(dist, 'index.js'))) await (await import('./build.mjs')).buildAll({ quiet: true })
const { query } = await import('../dist/index.js')

const root = await mkdtemp(join(await realpath(tmpdir()), 'kedge-demo-'))
const cwd = join(root, 'project')
const env = { PATH: process.env.PATH, HOME: join(root, 'home') }
const problems = []

try {
  await mkdir(env.HOME)
  await mkdir(cwd)
  await writeFile(join(cwd, 'notes.txt'), 'Buy milk.\nCall Ada.\n')
  await writeFile(join(cwd, 'hello.mjs'), "console.log('Hello from a real process')\n")
  print('Kedge: a tour with the offline practice model. Everything below really happens, in a temporary folder.')
  await tour()
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
}

const examples = (await readdir(new URL('../examples/', import.meta.url))).filter((name) => name.endsWith('.mjs'))
if (problems.length > 0) {
  print(`\nNot as it should be:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  process.exitCode = 1
} else {
  print(`
Everything was as it should be, and the temporary folder is gone. What to read next:
  docs/practice-model.md     what the practice model understands; try it: npx kedge --model practice -p "list the files"
  examples/                  ${examples.length} small programs: hello, permissions, hooks, sessions, MCP, a web page …
  docs/testing.md            how to test an agent of your own without a key`)
}

async function tour() {
  heading('1. A query: messages as they come')
  const first = await show('list the files then search for milk', { includePartialMessages: true })
  check(first.init?.model === 'practice' && first.init.cwd === cwd, 'init names the model and the folder')
  check(first.pieces > 10, 'text comes in pieces')
  check(first.text.includes('notes.txt') && first.text.includes('Buy milk'), 'the files are listed and searched')

  heading('2. Permissions: your callback decides')
  const asked = []
  const canUseTool = async (tool, input) => {
    asked.push(tool)
    const allowed = tool === 'Write'
    print(`  ? may it use ${tool} with ${brief(input)}: ${allowed ? 'yes' : 'no'}`)
    if (allowed) return { behavior: 'allow', updatedInput: input }
    return { behavior: 'deny', message: 'Nothing is deleted in this demo.' }
  }
  const second = await show('create list.txt with "eggs" then run `rm notes.txt`', { canUseTool })
  check(asked.join() === 'Write,Bash', 'both calls were asked about')
  check((await textOf('list.txt')) === 'eggs', 'the allowed call was carried out')
  check((await textOf('notes.txt')) !== undefined, 'the denied call was not')
  check(second.result?.permission_denials?.[0]?.tool_name === 'Bash', 'the result names the denial')

  heading('3. An edit, with its diff')
  const third = await show('replace "Buy milk" with "Buy oat milk" in notes.txt', { permissionMode: 'acceptEdits' })
  check((await textOf('notes.txt')) === 'Buy oat milk.\nCall Ada.\n', 'the file is changed, and only there')
  check(third.diff.join() === '-Buy milk.,+Buy oat milk., Call Ada.', 'the diff shows the change')

  heading('4. A command, allowed by a rule')
  const fourth = await show('run `node hello.mjs`', { allowedTools: ['Bash(node:*)'] })
  check(fourth.text.includes('Hello from a real process'), 'the command ran')

  heading('5. A plan, step by step')
  const fifth = await show('plan: read notes.txt, take a deep breath')
  check(fifth.calls.join() === 'TodoWrite,Read,TodoWrite,TodoWrite', 'the plan is kept up to date')

  heading("6. The same in a process of its own: isolation: 'process'")
  const sixth = await show('read list.txt', { isolation: 'process' })
  check(sixth.text.includes('eggs'), 'the agent process answers')

  heading('7. The command line')
  const args = ['--model', 'practice', '-p', 'read list.txt', '--output-format', 'json']
  print(`  $ kedge ${args.map((arg) => (arg.includes(' ') ? `"${arg}"` : arg)).join(' ')}`)
  const running = promisify(execFile)(process.execPath, [join(dist, 'cli.js'), ...args], { cwd, env })
  running.child.stdin.end()
  const { stdout } = await running
  const result = JSON.parse(stdout)
  print(`  ${brief(result, 150)}`)
  check(result.type === 'result' && result.result.includes('eggs'), 'the command line answers')
}

/** Runs a query and prints its messages, a line or so for each. */
async function show(prompt, options = {}) {
  const seen = { calls: [], diff: [], text: '', pieces: 0 }
  print(`  > ${prompt}`)
  for await (const message of query({ prompt, options: { cwd, env, model: 'practice', ...options } })) {
    switch (message.type) {
      case 'system':
        if (message.subtype !== 'init') break
        seen.init = message
        print(`  init: model ${message.model}, mode ${message.permissionMode}, tools ${message.tools.join(' ')}`)
        break
      case 'stream_event':
        if (message.event.type === 'content_block_delta') seen.pieces += 1
        break
      case 'assistant':
        for (const block of message.message.content) {
          if (block.type !== 'tool_use') continue
          seen.calls.push(block.name)
          print(`  → ${block.name} ${brief(block.input)}`)
        }
        break
      case 'user':
        showResult(message, seen)
        break
      case 'result':
        seen.result = message
        seen.text = message.result ?? ''
        print(seen.text.replaceAll(`${cwd}/`, '').replace(/^(?=.)/gm, '    '))
        print(`  result: ${describe(message)}${seen.pieces > 0 ? `, written in ${seen.pieces} pieces` : ''}`)
    }
  }
  check(seen.result?.subtype === 'success' && !seen.result.is_error, `"${prompt}" ends well`)
  check(seen.result?.usage.output_tokens > 0, 'usage is counted')
  return seen
}

function showResult({ message, tool_use_result: output }, seen) {
  const block = Array.isArray(message.content) ? message.content.find(({ type }) => type === 'tool_result') : undefined
  if (!block) return
  if (output?.newTodos) {
    const marks = { completed: 'x', in_progress: '>', pending: ' ' }
    print(output.newTodos.map(({ content, status }) => `  ←   [${marks[status]}] ${content}`).join('\n'))
  } else if (output?.structuredPatch?.length > 0) {
    seen.diff = output.structuredPatch.flatMap(({ lines }) => lines)
    print(seen.diff.map((line) => `  ←   ${line}`).join('\n'))
  } else {
    print(`  ← ${brief(withoutNotes(block.content))}`)
  }
}

function describe(result) {
  const { usage, num_turns: turns, total_cost_usd: cost, permission_denials: denials } = result
  const tokens = `${usage.input_tokens} tokens in, ${usage.output_tokens} out, $${cost}`
  return `${result.subtype}, ${turns} messages, ${tokens}${denials.length > 0 ? `, ${denials.length} denied` : ''}`
}

function check(condition, what) {
  if (!condition) problems.push(what)
}

async function textOf(name) {
  return existsSync(join(cwd, name)) ? readFile(join(cwd, name), 'utf8') : undefined
}

/** Results may carry notes for the model. */
function withoutNotes(content) {
  return typeof content === 'string' ? content.split('<system-reminder>', 1)[0] : content
}

/** One short line, with paths as seen from the project. */
function brief(value, length = 100) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.replaceAll(`${cwd}/`, '').replaceAll(cwd, '.').replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

function heading(text) {
  print(`\n${text}`)
}

function print(line) {
  console.log(line)
}
