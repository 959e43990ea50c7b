/** How people see tool calls: words for every tool, whatever its input holds. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AskPreview } from '../protocol/permission-types.js'
import { TOOL_DISPLAYS } from './displays.generated.js'
import { displayOf } from './displays.js'
import { shortPath, splitMcpName, type ToolDisplay } from './tool-display.js'

const CWD = '/home/ada/shop'
const question = (name: string, input: Record<string, unknown>, preview?: AskPreview) =>
  displayOf(name).question({ input, cwd: CWD }, preview)
const diff = (oldText: string | null): AskPreview => ({
  type: 'diff',
  path: `${CWD}/a.js`,
  oldText,
  newText: '',
  added: 1,
  removed: 0,
})

describe('what a permission request asks', () => {
  const questions: [name: string, input: Record<string, unknown>, asked: string][] = [
    ['Bash', { command: 'npm test' }, 'Run this command?'],
    ['Edit', { file_path: `${CWD}/src/config.js` }, 'Edit src/config.js?'],
    ['MultiEdit', { file_path: `${CWD}/src/config.js` }, 'Edit src/config.js?'],
    ['Read', { file_path: '/etc/hosts' }, 'Read /etc/hosts?'],
    ['Grep', { pattern: 'x' }, 'Search in the working directory?'],
    ['WebFetch', { url: 'https://example.com:8080/a?b' }, 'Fetch example.com:8080?'],
    ['WebSearch', { query: 'tides' }, 'Search the web for “tides”?'],
    ['Task', { subagent_type: 'Explore' }, 'Start the agent Explore?'],
    ['ExitPlanMode', { plan: '1.' }, 'Approve this plan?'],
    ['mcp__linear__create_issue', {}, 'Use linear: create_issue?'],
    ['Unheard', {}, 'Use Unheard?'],
  ]
  for (const [name, input, asked] of questions) test(asked, () => assert.equal(question(name, input), asked))

  test('a written file is created or replaced, as the preview shows', () => {
    const input = { file_path: `${CWD}/a.js` }
    const asked = [question('Write', input, diff(null)), question('Write', input, diff('x')), question('Write', input)]
    assert.deepEqual(asked, ['Create a.js?', 'Replace a.js?', 'Write a.js?'])
  })
})

describe('every display', () => {
  const fields = [
    'command',
    'file_path',
    'notebook_path',
    'pattern',
    'url',
    'query',
    'todos',
    'task_id',
    'plan',
    'offset',
  ]
  const oddInputs = [null, 7, [], {}, true, '', 'x'].map((value) =>
    Object.fromEntries(fields.map((key) => [key, value])),
  )
  for (const display of TOOL_DISPLAYS as readonly ToolDisplay[])
    test(`${display.name}: words for any input, and a question that ends as one`, () => {
      for (const input of oddInputs) {
        const call = { input, cwd: CWD }
        assert.notEqual(display.label(call), '')
        assert.notEqual(display.title(call).trim(), '')
        assert.match(display.question(call), /^[A-Z].*[^ ]\?$/)
        for (const output of [undefined, null, 'x', {}, { file: 3 }, { structuredPatch: [{ lines: 'x' }] }]) {
          display.outcome({ text: 'x', isError: false, output }, call)
          assert.ok(display.changed(output) === undefined || display.body === 'change')
        }
        const planned = display.planned(call)
        assert.ok(planned === undefined || ['diff', 'text'].includes(planned.type))
      }
    })

  test('a name and its aliases lead to one display only', () => {
    const names = TOOL_DISPLAYS.flatMap(({ name, aliases }: ToolDisplay) => [name, ...aliases])
    assert.equal(new Set(names).size, names.length)
    assert.equal(displayOf('KillShell'), displayOf('TaskStop'))
  })
})

test('a change as it happened: all places, a new file, a file too long to show whole', () => {
  const changed = (output: object) => displayOf('Edit').changed({ filePath: '/a', ...output })
  const all = { originalFile: 'a b a', oldString: 'a', newString: '$&', replaceAll: true }
  assert.deepEqual(changed(all), { type: 'diff', path: '/a', before: 'a b a', after: '$& b $&' })
  const one = { originalFile: 'a b a', oldString: 'a', newString: '$&' }
  assert.deepEqual(changed(one), { type: 'diff', path: '/a', before: 'a b a', after: '$& b a' })
  const created = { originalFile: '', oldString: '', newString: 'x' }
  assert.deepEqual(changed(created), { type: 'diff', path: '/a', before: null, after: 'x' })
  const long = { originalFile: 'y'.repeat(500_001), oldString: 'y', newString: 'x' }
  assert.deepEqual(changed(long), { type: 'diff', path: '/a', before: 'y', after: 'x' })
})

test('paths below a folder, and names of MCP tools', () => {
  assert.deepEqual([shortPath('/a/bc', '/a/b'), shortPath('/a/b/c', '/a/b'), shortPath('/a', '')], ['/a/bc', 'c', '/a'])
  assert.deepEqual(splitMcpName('mcp__a__b__c'), { server: 'a', tool: 'b__c' })
  assert.equal(splitMcpName('mcp__a'), undefined)
})
