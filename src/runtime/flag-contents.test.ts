import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileSystem } from '../platform/files/files.js'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import { readFlagContents } from './flag-contents.js'

const FILES: Record<string, string> = {
  '/home/ada/project/say.txt': 'Be brief.\n',
  '/home/ada/one.json': '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}',
}
const files = {
  existsSync: (path: string) => path in FILES || path.endsWith('folder'),
  readTextSync(path: string) {
    const text = FILES[path]
    if (text === undefined) throw new Error(`can not read ${path}`)
    return text
  },
} as FileSystem

function read(...argv: string[]) {
  const parsed = parseArgv(argv)
  assert.ok(parsed.ok)
  const found = readFlagContents(createFlagReader(parsed.values), { cwd: '/home/ada/project', files })
  return 'refusal' in found ? found.refusal.message : found
}

const NOTHING = { systemPrompt: undefined, appendSystemPrompt: undefined, flagAgents: {}, mcpServers: {} }

describe('what flags bring', () => {
  const agents = '{"rev":{"description":"d","prompt":"p"}}'
  const cases: [string[], object | string][] = [
    [[], {}],
    [['--system-prompt', 'x', '--append-system-prompt', ''], { systemPrompt: 'x', appendSystemPrompt: '' }],
    [['--system-prompt-file', 'say.txt'], { systemPrompt: 'Be brief.\n' }],
    [['--append-system-prompt-file', './say.txt'], { appendSystemPrompt: 'Be brief.\n' }],
    [['--system-prompt-file', 'no'], 'System prompt file not found: /home/ada/project/no'],
    [['--append-system-prompt-file', 'no'], 'Append system prompt file not found: /home/ada/project/no'],
    [['--system-prompt-file', 'folder'], "System prompt file can't be read: can not read /home/ada/project/folder"],
    [
      ['--append-system-prompt-file', 'say.txt', '--append-system-prompt', 'x'],
      'Cannot use both --append-system-prompt and --append-system-prompt-file. Please use only one.',
    ],
    [['--agents', agents], { flagAgents: { rev: { description: 'd', prompt: 'p' } } }],
    [['--agents', '{}'], {}],
    [['--agents', '{"rev":{"description":"d"}}'], '--agents: agents.rev.prompt must be a string, got nothing'],
    [['--agents', '[]'], '--agents: agents must be an object, got an array'],
    [
      ['--mcp-config', '../one.json', '{"mcpServers":{"b":{"url":"z"}}}'],
      { mcpServers: { a: { command: 'x' }, b: { url: 'z' } } },
    ],
  ]
  for (const [argv, expected] of cases) {
    it(argv.join(' ') || 'nothing', () =>
      assert.deepEqual(read(...argv), typeof expected === 'string' ? expected : { ...NOTHING, ...expected }),
    )
  }

  it("is refused where it isn't JSON", () => {
    assert.match(String(read('--agents', 'rev')), /^--agents is no JSON: /)
    for (const config of ['{', '{}', '{"mcpServers":[]}', 'none.json'])
      assert.match(String(read('--mcp-config', '{"mcpServers":{}}', config)), /^Invalid MCP configuration/)
  })
})
