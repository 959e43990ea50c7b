/** A call in a line: what it is about, how much came of it, and whether it is unfolded. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ToolItem } from '../../src/view/view-items.js'
import { headOf, resultText } from '../../web/tools/tool-heads.js'

const CWD = '/home/ada/shop'
type Given = { content?: string; isError?: boolean; detail?: unknown }

function call(name: string, input: Record<string, unknown>, result?: Given, isWritten = true): ToolItem {
  const { content = '', isError = false, detail } = result ?? {}
  return {
    kind: 'tool',
    key: 'call-t1',
    seq: 1,
    at: '',
    useId: 't1',
    parent: '',
    name,
    input,
    partialInput: '',
    state: !isWritten ? 'writing' : !result ? 'called' : isError ? 'failed' : 'done',
    output: '',
    printed: 0,
    startedAt: 0,
    result: result && { content, isError, detail, ms: 1 },
    children: [],
    agentTokens: 0,
    agentCalls: 0,
  }
}
const head = (...given: Parameters<typeof call>) => headOf(call(...given), CWD)

describe('what a call is about', () => {
  test('a command, unfolded while it runs and when it failed', () => {
    const input = { command: 'npm test' }
    assert.deepEqual(head('Bash', input), { verb: 'Bash', target: 'npm test', count: '', isOpen: true })
    assert.equal(head('Bash', input, {}).isOpen, false)
    // Its card has the command already, and nothing runs.
    assert.equal(headOf({ ...call('Bash', input), state: 'waiting' }, CWD).isOpen, false)
    assert.equal(head('Bash', input, { isError: true }).isOpen, true)
  })

  test('a change: the path below the folder, lines that came and went', () => {
    const structuredPatch = [{ lines: [' a', '-b', '+c', '+d'] }, { lines: ['-e'] }]
    assert.deepEqual(head('Edit', { file_path: `${CWD}/src/a.ts` }, { detail: { structuredPatch } }), {
      verb: 'Edit',
      target: 'src/a.ts',
      count: '+2 −2',
      isOpen: true,
    })
    const created = head('Write', { file_path: '/etc/x' }, { detail: { type: 'create', content: 'a\nb' } })
    assert.deepEqual([created.target, created.count], ['/etc/x', '+2 −0'])
    assert.deepEqual([head('Write', {}).count, head('Write', {}, undefined, true).isOpen], ['', false])
  })

  test('what was read and found is counted', () => {
    assert.equal(head('Read', { file_path: 'a' }, { detail: { file: { content: 'x\n' } } }).count, '1 line')
    assert.equal(head('Read', { file_path: 'a' }, { content: '     1→x\n     2→y' }).count, '2 lines')
    assert.equal(head('Read', { file_path: 'a' }, { content: 'No such file', isError: true }).count, '')
    assert.equal(head('Read', { file_path: 'a' }).count, '')
    const found = head('Grep', { pattern: 'TODO', path: `${CWD}/src` }, { detail: { numFiles: 3 } })
    assert.deepEqual([found.target, found.count], ['TODO in src', '3 results'])
    assert.equal(head('Glob', { pattern: '*' }, { content: 'a.ts\nb.ts\n' }).count, '2 results')
    assert.equal(head('Glob', { pattern: '*' }, { content: 'No files found' }).count, 'nothing found')
    assert.equal(head('Glob', { pattern: '*' }).count, '')
  })

  test('a todo list: how many are done', () => {
    const todos = [{ status: 'completed' }, { status: 'pending' }, 'no todo']
    assert.deepEqual(head('TodoWrite', { todos }), {
      verb: 'Todo list',
      target: '',
      count: '1 of 3 items done',
      isOpen: true,
    })
    assert.equal(head('TodoWrite', { todos: 'none' }).count, '')
  })

  test('an agent by its name or kind, open until it is done', () => {
    const named = head('Task', { name: 'ann', subagent_type: 'explorer', description: 'Look' })
    assert.deepEqual(named, { verb: 'Agent ann', target: 'Look', count: '', isOpen: true })
    assert.equal(head('Task', { subagent_type: 'explorer' }, {}).verb, 'Agent explorer')
    assert.equal(head('Agent', {}).verb, 'Agent')
  })

  test('the others', () => {
    const targets: [name: string, input: Record<string, unknown>, verb: string, target: string][] = [
      ['WebFetch', { url: 'https://example.com' }, 'Fetch', 'https://example.com'],
      ['WebSearch', { query: 'tides' }, 'Search the web', 'tides'],
      ['AskUserQuestion', {}, 'Questions', ''],
      ['ExitPlanMode', {}, 'Plan', ''],
      ['StructuredOutput', { a: 1 }, 'Structured output', ''],
      ['Skill', { skill: 'pdf' }, 'Skill', 'pdf'],
      ['SendMessage', { recipient: 'bob', summary: 'hi' }, 'Message', '→ bob: hi'],
      ['SendMessage', { to: 'bob', message: 'hi' }, 'Message', '→ bob: hi'],
      ['mcp__github__list_issues', { owner: 'a', n: 1 }, 'github: list_issues', 'a'],
      ['Unknown', { n: 1 }, 'Unknown', '{"n":1}'],
      ['Unknown', {}, 'Unknown', ''],
    ]
    for (const [name, input, verb, target] of targets) {
      const { verb: shownVerb, target: shownTarget } = head(name, input)
      assert.deepEqual([shownVerb, shownTarget], [verb, target], name)
    }
  })

  test('input of another shape than it should have is nothing, never a failure', () => {
    for (const name of ['Bash', 'Edit', 'Read', 'Grep', 'WebFetch', 'TodoWrite', 'Task', 'SendMessage', 'Skill'])
      for (const value of [null, 7, [], {}, true]) {
        const input = Object.fromEntries(
          ['command', 'file_path', 'pattern', 'url', 'todos', 'name', 'recipient', 'skill'].map((key) => [key, value]),
        )
        assert.equal(typeof head(name, input, { detail: value }).target, 'string', name)
      }
  })
})

test('the text of a result', () => {
  assert.equal(resultText(undefined), '')
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: '' },
  }
  assert.equal(resultText([{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }]), 'a\nb')
})
