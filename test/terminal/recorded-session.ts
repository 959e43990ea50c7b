/** A session as it was recorded: every kind of block once. For tests of whole screens, and for the pictures in the docs. */
import { assistant, result, type ScriptedSession, toolResult } from './scripted-session.js'

const SAID = `# What is wrong

The test fails because \`parse()\` drops the **last** line. Two ways to fix it:

1. Add the missing newline before splitting, which is short, and easy to understand for everybody who reads it later
2. Split with a *regular expression*

\`\`\`ts
export function parse(text: string): string[] {
  // the end has no newline
  return text.split(/\\r?\\n/)
}
\`\`\`

| Way | Lines | Risk |
|---|---|---|
| newline | 1 | none |
| expression | 3 | 文字 and 🙂 |

> Simple is better.

See [the docs](https://example.com/parse).`

const HUNK = {
  oldStart: 10,
  oldLines: 3,
  newStart: 10,
  newLines: 4,
  lines: [
    ' export function parse(text) {',
    "-  return text.split('\\n').slice(0, -1)",
    '+  const whole = ensureNewline(text)',
    "+  return whole.split('\\n').slice(0, -1)",
    ' }',
  ],
}

export function playRecorded(scripted: ScriptedSession): void {
  const prompt = { id: 'p1', content: 'Why does the test of parse() fail? Fix it.', when: 'queue' as const }
  scripted.add({ kind: 'prompt', data: { change: 'queued', prompt } })
  scripted.add({ kind: 'state', data: { status: 'running' } })
  scripted.add({ kind: 'prompt', data: { change: 'started', id: 'p1', message: 'm1' } })
  scripted.message(assistant([{ type: 'thinking', thinking: 'The last line is missing.', signature: '' }]))
  const call = (id: string, name: string, input: object) =>
    scripted.message(assistant([{ type: 'tool_use', id, name, input }]))
  call('t1', 'Read', { file_path: '/home/ada/project/src/parse.ts' })
  scripted.message(toolResult('t1', 'a\nb\nc\n'))
  call('t2', 'Bash', { command: 'npm test' })
  scripted.message(toolResult('t2', 'Exit code 1\n✖ keeps the last line', { isError: true }))
  scripted.says(SAID, 40)
  call('t3', 'Edit', { file_path: '/home/ada/project/src/parse.ts' })
  scripted.message(
    toolResult('t3', 'done', { output: { filePath: '/home/ada/project/src/parse.ts', structuredPatch: [HUNK] } }),
  )
  call('t4', 'Bash', { command: 'npm test' })
  scripted.message(toolResult('t4', Array.from({ length: 12 }, (_, n) => `✔ test ${n + 1}`).join('\n')))
  scripted.says('All tests pass now.', 3)
  scripted.message(result())
  scripted.add({ kind: 'state', data: { status: 'idle' } })
}
