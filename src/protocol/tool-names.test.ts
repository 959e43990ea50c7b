import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolInputs } from '../tools/tool-types.js'
import {
  knownToolNames,
  listToolNamesWhere,
  type ToolName,
  toCanonicalToolName,
  toolNamesOf,
  toolTraits,
} from './tool-names.js'

/** Tools that are listed and have no types of their own: two of old, and one whose shape the host chooses. */
type Untyped = 'LS' | 'MultiEdit' | 'StructuredOutput'
// Compiled, not run: every tool with types is listed, and every other one is accounted for.
const listed: keyof ToolInputs extends ToolName ? true : false = true
const typed: Exclude<ToolName, Untyped> extends keyof ToolInputs ? true : false = true

test('the catalog and the types of the tools name the same tools', () => {
  assert.deepEqual([listed, typed], [true, true])
})

test('a tool has one name, whichever is used', () => {
  assert.deepEqual(['Task', 'Agent', 'Bash', 'mcp__a__b', 'toString'].map(toCanonicalToolName), [
    'Task',
    'Task',
    'Bash',
    'mcp__a__b',
    'toString',
  ])
  assert.deepEqual(['Task', 'Agent', 'Bash', 'constructor'].map(toolNamesOf), [
    ['Task', 'Agent'],
    ['Agent', 'Task'],
    ['Bash'],
    ['constructor'],
  ])
})

test('facts are known by any name, and of nothing else', () => {
  assert.deepEqual(toolTraits('Agent'), toolTraits('Task'))
  assert.deepEqual(toolTraits('Agent'), {
    alias: 'Agent',
    field: 'subagent_type',
    fieldIsText: true,
    subAgents: 'on-request',
  })
  assert.deepEqual(['mcp__a__b', '__proto__', ''].map(toolTraits), [{}, {}, {}])
})

test('what a tool is judged like is a tool that is there', () => {
  const kin = listToolNamesWhere(({ judgedLike }) => judgedLike !== undefined)
  assert.deepEqual(kin, ['LS', 'ListMcpResourcesTool', 'MultiEdit', 'ReadMcpResourceTool', 'StructuredOutput'])
  const wrong = kin.filter((name) => toolTraits(toolTraits(name).judgedLike ?? '').judgedLike !== undefined)
  assert.deepEqual(wrong, [])
})

test('lists that are made from it', () => {
  assert.deepEqual(listToolNamesWhere(({ files }) => files === 'edit').sort(), [
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'Write',
  ])
  assert.deepEqual(listToolNamesWhere(({ files }) => files === 'search').sort(), ['Glob', 'Grep', 'LS'])
  assert.deepEqual(listToolNamesWhere(({ teammates }) => teammates === true).sort(), [
    'SendMessage',
    'TaskCreate',
    'TaskGet',
    'TaskList',
    'TaskUpdate',
  ])
  const known = knownToolNames()
  assert.equal(known.length, new Set(known).size)
  assert.deepEqual(
    ['Agent', 'Task', 'MultiEdit', 'LS', 'Bsh'].map((name) => known.includes(name)),
    [true, true, true, false, false],
  )
})
