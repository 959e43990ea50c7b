/** How refusals and invalid calls read today: each is made by the agent itself, and counted as what it is. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createSdkMcpServer, type HookCallback, type Options, query, tool } from 'kedge'
import { startModelServer, type ToolCall, testOptions } from 'kedge/testing'
import { callOutcome } from '../../src/eval/trial/call-outcomes.js'
import { denialText } from '../../src/hub/answers.js'

type Row = { call: ToolCall; options?: Partial<Options> }

const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command } })
const read = (file_path: string): ToolCall => ({ name: 'Read', input: { file_path } })
const write: ToolCall = { name: 'Write', input: { file_path: 'new.txt', content: 'x' } }
const question = { question: 'Which?', header: 'Which', multiSelect: false, options: [] as object[] }
question.options = ['a', 'b'].map((label) => ({ label, description: label }))
const ask: ToolCall = { name: 'AskUserQuestion', input: { questions: [question] } }
const hooked = (event: 'PreToolUse' | 'PermissionRequest', callback: HookCallback): Partial<Options> => ({
  hooks: { [event]: [{ hooks: [callback] }] },
})
const shell = (command: string) => ({
  settings: JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }),
})
const denies: HookCallback = async () => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
})
const mcpServers = {
  desk: createSdkMcpServer({ name: 'desk', tools: [tool('note', 'Notes', {}, async () => ({ content: [] }))] }),
}

const REFUSED: Record<string, Row> = {
  'a command that nobody approves': { call: bash('npm publish') },
  'a part of a command line that nobody approves': { call: bash('ls && npm publish') },
  'a file that nobody lets write': { call: write },
  'a file outside that nobody lets read': { call: read('/etc/hostname') },
  'a page that nobody lets fetch': { call: { name: 'WebFetch', input: { url: 'http://localhost:1/', prompt: 'x' } } },
  'a tool of a server that nobody approves': { call: { name: 'mcp__desk__note', input: {} }, options: { mcpServers } },
  'a rule that denies a command': { call: bash('ls'), options: { disallowedTools: ['Bash(ls:*)'] } },
  'a rule that denies a file': { call: read('notes.txt'), options: { disallowedTools: ['Read(notes.txt)'] } },
  'a search in what a rule denies': {
    call: { name: 'Grep', input: { pattern: 'x', path: 'notes.txt' } },
    options: { disallowedTools: ['Read(notes.txt)'] },
  },
  'a command in plan mode': { call: bash('touch x'), options: { permissionMode: 'plan' } },
  'a file in plan mode': { call: write, options: { permissionMode: 'plan' } },
  'a mode that never asks': { call: bash('npm publish'), options: { permissionMode: 'dontAsk' } },
  'a question that nobody answers': { call: ask },
  'a plan that nobody approves': {
    call: { name: 'ExitPlanMode', input: {} },
    options: { permissionMode: 'plan' },
  },
  'a program that cannot be asked': {
    call: write,
    options: { canUseTool: () => Promise.reject(new Error('gone')) },
  },
  'a program that says no without a reason': {
    call: write,
    options: { canUseTool: async () => ({ behavior: 'deny', message: '' }) },
  },
  'a user who says no, by the hub and in trials': {
    call: write,
    options: { canUseTool: async () => ({ behavior: 'deny', message: denialText('permission', 'use Edit') }) },
  },
  'a user who sends a plan back': {
    call: { name: 'ExitPlanMode', input: {} },
    options: {
      permissionMode: 'plan',
      canUseTool: async () => ({ behavior: 'deny', message: denialText('plan', 'shorter') }),
    },
  },
  'a hook that says no without a reason': { call: bash('ls'), options: hooked('PreToolUse', denies) },
  'a hook that stops the turn': { call: bash('ls'), options: hooked('PreToolUse', async () => ({ continue: false })) },
  'a hook that answers a permission request': {
    call: write,
    options: {
      ...hooked('PermissionRequest', async () => ({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny' } },
      })),
    },
  },
  'a command of the project that says no': { call: bash('ls'), options: shell('echo never >&2; exit 2') },
}

const INVALID: Record<string, Row> = {
  'a field that is missing': { call: { name: 'Read', input: {} } },
  'a field of another type': { call: { name: 'Read', input: { file_path: 5 } } },
  'a choice there is not': { call: { name: 'Grep', input: { pattern: 'x', output_mode: 'lines' } } },
  'a tool there is not': { call: { name: 'frobnicate', input: {} } },
  'a tool with another name': { call: { name: 'read_file', input: { path: 'x' } } },
  'a tool that was left out': { call: bash('ls'), options: { tools: ['Read'] } },
  'several edits at a time': {
    call: { name: 'MultiEdit', input: { file_path: 'notes.txt', edits: [{}, {}] } },
  },
  'an agent there is not': {
    call: { name: 'Task', input: { description: 'x', prompt: 'x', subagent_type: 'nobody' } },
  },
  'a skill there is not': { call: { name: 'Skill', input: { skill: 'nothing' } } },
  'a task there is not': { call: { name: 'TaskOutput', input: { task_id: 'b000000' } } },
  'a task to stop there is not': { call: { name: 'TaskStop', input: { task_id: 'b000000' } } },
}

const FAILED: Record<string, Row> = {
  'a command that fails': { call: bash('ls nowhere') },
  'a command that prints what a refusal says': {
    call: bash('cat words.txt && cat nowhere'),
  },
  'a file that is not there': { call: read('nowhere.txt') },
  'a file that was not read': {
    call: { name: 'Edit', input: { file_path: 'notes.txt', old_string: 'a', new_string: 'b' } },
  },
}

async function resultOf({ call, options: more = {} }: Row): Promise<{ text: string; isError: boolean }> {
  let calls = 0
  await using server = await startModelServer(() => {
    calls += 1
    return calls === 1 ? { tools: [call] } : 'Done.'
  })
  await using options = testOptions(server, more)
  writeFileSync(join(options.cwd, 'notes.txt'), 'alpha\n')
  writeFileSync(join(options.cwd, 'words.txt'), 'This command requires approval\nNo such tool available: x\n')
  let seen: { text: string; isError: boolean } | undefined
  for await (const message of query({ prompt: 'Begin', options })) {
    if (message.type !== 'user' || typeof message.message.content === 'string') continue
    for (const block of message.message.content) {
      if (block.type !== 'tool_result') continue
      const text = typeof block.content === 'string' ? block.content : JSON.stringify(block.content)
      seen = { text, isError: block.is_error === true }
    }
  }
  assert.ok(seen, 'the call has a result')
  return seen
}

for (const [outcome, rows] of Object.entries({ refused: REFUSED, invalid: INVALID, failed: FAILED })) {
  describe(`counted as ${outcome}`, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        const { text, isError } = await resultOf(row)
        assert.equal(callOutcome(text, isError), outcome, text)
      })
    }
  })
}
