/** The practice model with the real tools, through the built library: every kind of request it knows. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'

const nobody = { env: () => ({}) }

type Row = {
  prompt: string
  options?: Options
  /** The tools in the order they were called. */
  calls: string[]
  result: string | RegExp
  /** Files afterwards; null: not there. */
  after?: Record<string, string | null>
}

/** `<cwd>` stands for the folder, in which there are notes.txt and src/main.js. */
const NOTES = 'Buy milk.\nCall Ada.\n'
const MAIN = '// TODO: greet\nconsole.log("hi")\n'

const acceptEdits: Options = { permissionMode: 'acceptEdits' }

const ROWS: Row[] = [
  { prompt: 'list the files in src', calls: ['Glob'], result: 'The files in src:\n  src/main.js' },
  { prompt: 'list the *.rs files', calls: ['Glob'], result: 'There are no files matching **/*.rs.' },
  { prompt: 'list the files in nowhere', calls: ['Glob'], result: /^That did not work: Directory does not exist/ },
  {
    prompt: 'list the files',
    options: { tools: ['Bash'] },
    calls: ['Bash'],
    result: 'The files:\n  notes.txt\n  src',
  },
  { prompt: 'read notes.txt', calls: ['Read'], result: 'notes.txt says:\n  Buy milk.\n  Call Ada.' },
  { prompt: 'read `no such file`', calls: ['Read'], result: /^That did not work: File does not exist/ },
  { prompt: 'search for TODO in src', calls: ['Grep'], result: '“TODO” occurs here:\n  src/main.js:1:// TODO: greet' },
  { prompt: 'search for log( in all files', calls: ['Grep'], result: /src\/main\.js:2:console\.log\("hi"\)/ },
  { prompt: 'search for unicorns', calls: ['Grep'], result: '“unicorns” occurs nowhere.' },
  {
    prompt: 'search for unicorns',
    options: { tools: ['Bash'] },
    calls: ['Bash'],
    result: '“unicorns” occurs nowhere.',
  },
  {
    prompt: 'create "my list.txt" with "eggs"',
    options: acceptEdits,
    calls: ['Write'],
    result: 'File created successfully at: <cwd>/my list.txt',
    after: { 'my list.txt': 'eggs' },
  },
  {
    prompt: 'create list.txt with eggs',
    calls: ['Write'],
    result: /^That was refused: Claude requested permissions to write to <cwd>\/list\.txt/,
    after: { 'list.txt': null },
  },
  {
    prompt: 'create notes.txt with x',
    options: acceptEdits,
    calls: ['Write'],
    result: /^notes\.txt exists already, so I left it as it is/,
    after: { 'notes.txt': NOTES },
  },
  {
    prompt: 'write x to notes.txt',
    options: acceptEdits,
    calls: ['Write', 'Read', 'Write'],
    result: 'The file <cwd>/notes.txt has been updated successfully. Changed: line 1 (was 1-2).',
    after: { 'notes.txt': 'x' },
  },
  {
    prompt: 'replace "milk." with "oat milk." in notes.txt',
    options: acceptEdits,
    calls: ['Read', 'Edit'],
    result: 'The file <cwd>/notes.txt has been updated successfully. Changed: line 1.',
    after: { 'notes.txt': 'Buy oat milk.\nCall Ada.\n' },
  },
  {
    prompt: 'change x to y in notes.txt',
    options: acceptEdits,
    calls: ['Read', 'Edit'],
    result: /^That did not work: String to replace not found in file/,
    after: { 'notes.txt': NOTES },
  },
  {
    prompt: 'append "Sleep." to notes.txt',
    options: acceptEdits,
    calls: ['Read', 'Edit'],
    result: 'The file <cwd>/notes.txt has been updated successfully. Changed: line 3 (new).',
    after: { 'notes.txt': `${NOTES}Sleep.\n` },
  },
  {
    prompt: 'create e.txt then append a to e.txt',
    options: acceptEdits,
    calls: ['Write', 'Read', 'Write'],
    result: /has been updated successfully/,
    after: { 'e.txt': 'a' },
  },
  { prompt: 'run `cat notes.txt | wc -l`', calls: ['Bash'], result: /^The command printed:\n +2$/ },
  {
    prompt: 'run `echo oops; exit 3`',
    options: { allowedTools: ['Bash'] },
    calls: ['Bash'],
    result: 'The command failed with exit code 3 and printed:\n  oops',
  },
  {
    prompt: 'run `rm notes.txt`',
    options: { canUseTool: async () => ({ behavior: 'deny', message: 'Leave it.' }) },
    calls: ['Bash'],
    result: 'That was refused: Leave it.',
    after: { 'notes.txt': NOTES },
  },
  {
    prompt: 'plan: read notes.txt, hum a tune',
    calls: ['TodoWrite', 'Read', 'TodoWrite', 'TodoWrite'],
    result: /^notes\.txt says:.*The plan is complete: 2 steps\..*only checked these off.*“hum a tune”\.$/s,
  },
  { prompt: 'ask me: tea or coffee?', calls: ['AskUserQuestion'], result: /tea or coffee\?$/ },
  { prompt: 'Explain monads', calls: [], result: /practice model.*understand “Explain monads”.*list the files/s },
  {
    prompt: 'read notes.txt; run ls\ncreate a.txt with "a" then read a.txt',
    options: acceptEdits,
    calls: ['Read', 'Bash', 'Write', 'Read'],
    result: /^notes\.txt says:.*The command printed:.*File created.*a\.txt says:\n {2}a$/s,
  },
]

async function practice(prompt: string, wanted: Options = {}, look?: (cwd: string) => void) {
  await using options = testOptions(nobody, { model: 'practice', ...wanted })
  mkdirSync(join(options.cwd, 'src'))
  writeFileSync(join(options.cwd, 'notes.txt'), NOTES)
  writeFileSync(join(options.cwd, 'src', 'main.js'), MAIN)
  const run = await collect(query({ prompt, options }))
  look?.(options.cwd)
  assert.equal(run.error, undefined)
  assert.ok(run.result?.subtype === 'success')
  return { ...run, text: run.result.result.replaceAll(options.cwd, '<cwd>') }
}

function callsIn(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) =>
    message.type === 'assistant'
      ? message.message.content.flatMap((block) => (block.type === 'tool_use' ? block.name : []))
      : [],
  )
}

describe('the practice model', { concurrency: 4 }, () => {
  for (const { prompt, options, calls, result, after = {} } of ROWS) {
    test(JSON.stringify(prompt) + (options ? ` with ${Object.keys(options)}` : ''), async () => {
      const run = await practice(prompt, options, (cwd) => {
        for (const [name, content] of Object.entries(after)) {
          const path = join(cwd, name)
          assert.equal(existsSync(path) ? readFileSync(path, 'utf8') : null, content)
        }
      })
      assert.deepEqual(callsIn(run.messages), calls)
      if (typeof result === 'string') assert.equal(run.text, result)
      else assert.match(run.text, result)
    })
  }

  for (const isolation of isolationsOf('streams its words and counts its')) {
    test(`streams its words and counts its usage (${isolation})`, async () => {
      const { messages, result, text } = await practice('read notes.txt', { isolation, includePartialMessages: true })
      const init = messages.find((message) => message.type === 'system' && message.subtype === 'init')
      assert.ok(init?.type === 'system' && init.subtype === 'init')
      assert.deepEqual([init.model, init.apiKeySource], ['practice', 'practice'])
      const pieces = messages.flatMap((message) =>
        message.type === 'stream_event' &&
        message.event.type === 'content_block_delta' &&
        message.event.delta.type === 'text_delta'
          ? message.event.delta.text
          : [],
      )
      assert.ok(pieces.length > 8)
      assert.equal(pieces.join(''), `I read notes.txt.${text}`)
      const ids = messages.flatMap((message) => (message.type === 'assistant' ? message.message.id : []))
      assert.deepEqual(ids, ['msg_practice_1', 'msg_practice_1', 'msg_practice_4'])
      assert.ok(result)
      assert.ok(result.usage.input_tokens > 0 && result.usage.output_tokens > 0)
      assert.equal(result.total_cost_usd, 0)
    })
  }

  test('does not lose a message that comes while it works', async () => {
    await using options = testOptions(nobody, { model: 'practice', allowedTools: ['Bash'] })
    const sent = { type: 'user' as const, session_id: '', parent_tool_use_id: null }
    async function* prompts() {
      yield {
        ...sent,
        message: { role: 'user' as const, content: 'run `until [ -e go ]; do sleep 0.01; done` then run ls' },
      }
      yield { ...sent, message: { role: 'user' as const, content: 'run `echo second`' } }
      writeFileSync(join(options.cwd, 'go'), '')
    }
    const run = await collect(query({ prompt: prompts(), options }))
    const texts = run.results.map((result) => (result.subtype === 'success' ? result.result : ''))
    const told = texts.some((text) => text.includes('Another message of yours came in while I was working'))
    const done = texts.some((text) => text.includes('second'))
    assert.ok(told || done, JSON.stringify(texts))
  })
})
