import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolDefinition } from '../../engine/ports.js'
import {
  isToolNamed,
  missingAgentTools,
  stricterPermissionMode,
  toolsForAgent,
  toolsNamedIn,
} from './sub-agent-limits.js'

const definition = { description: '', prompt: '' }
const offered = (...names: string[]): ToolDefinition[] =>
  names.map((name) => ({ name, description: '', input_schema: {} }))
const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name)
const ALL = offered(
  'Task',
  'Bash',
  'Read',
  'AskUserQuestion',
  'TaskStop',
  'ToolSearch',
  'mcp__db__query',
  'mcp__db2__x',
)

test('the names of a definition are those of tools: aliases resolved, rules by their tool, * for all', () => {
  assert.deepEqual(toolsNamedIn({}), { wanted: undefined, unwanted: [] })
  assert.deepEqual(toolsNamedIn({ tools: ['*', 'Read'] }), { wanted: undefined, unwanted: [] })
  assert.deepEqual(
    toolsNamedIn({ tools: ['Agent', 'Bash(git log:*)', ' Read '], disallowedTools: ['Agent', 'Bash(rm:*)'] }),
    {
      wanted: ['Task', 'Bash', 'Read'],
      unwanted: ['Task'],
    },
  )
  assert.deepEqual(toolsNamedIn({ tools: [] }), { wanted: [], unwanted: [] })
})

test('a sub-agent gets what its definition leaves it: never what belongs to the user, on request what starts others', () => {
  const rows: [object, string[]][] = [
    [{}, ['Bash', 'Read', 'mcp__db__query', 'mcp__db2__x']],
    [{ tools: ['*'] }, ['Bash', 'Read', 'mcp__db__query', 'mcp__db2__x']],
    [{ tools: ['Agent', 'AskUserQuestion', 'Read'] }, ['Task', 'Read']],
    [{ tools: ['mcp__db'] }, ['mcp__db__query']],
    [{ tools: ['mcp__db__*', 'ToolSearch'] }, ['ToolSearch', 'mcp__db__query']],
    [{ disallowedTools: ['Bash(git push:*)', 'mcp__db'] }, ['Bash', 'Read', 'mcp__db2__x']],
    [{ tools: ['Bash'], disallowedTools: ['Bash'] }, []],
    [{ tools: [] }, []],
  ]
  for (const [own, expected] of rows) assert.deepEqual(names(toolsForAgent({ ...definition, ...own }, ALL)), expected)
  assert.deepEqual(names(toolsForAgent({ ...definition, tools: [] }, ALL, ['AskUserQuestion'])), ['AskUserQuestion'])
})

test('a server stands for all of its tools, and for no other server whose name begins like it', () => {
  assert.ok(isToolNamed('mcp__db__query', ['mcp__db']) && isToolNamed('mcp__db__query', ['mcp__db__*']))
  assert.ok(!isToolNamed('mcp__db2__x', ['mcp__db']) && !isToolNamed('Bash', ['Ba']) && !isToolNamed('Bash', undefined))
})

test('what was promised and is not there is named, unless it may still come', () => {
  const tools = ['Read', 'Bash(x)', 'mcp__db__query', 'AskUserQuestion', '*', 'Read']
  assert.deepEqual(missingAgentTools({ ...definition, tools }, ['Read'], false), ['Bash', 'mcp__db__query'])
  assert.deepEqual(missingAgentTools({ ...definition, tools }, [], true), ['Read', 'Bash'])
  assert.deepEqual(missingAgentTools(definition, [], false), [])
})

test('of two modes the more careful one counts; who delegates works as usual', () => {
  const rows = [
    ['default', 'plan', 'plan'],
    ['plan', 'bypassPermissions', 'plan'],
    ['acceptEdits', undefined, 'acceptEdits'],
    ['bypassPermissions', 'dontAsk', 'dontAsk'],
    ['delegate', undefined, 'default'],
    ['delegate', 'acceptEdits', 'default'],
    ['default', 'delegate', 'default'],
  ] as const
  for (const [session, own, expected] of rows) assert.equal(stricterPermissionMode(session, own), expected)
})
