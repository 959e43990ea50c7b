/** `askDetails`: what somebody needs to know who is asked for permission. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AskPreview, type AskReason, query } from 'kedge'
import { bothWays } from './both-ways.js'

type Seen = { tool: string; why: AskReason | undefined; preview: AskPreview | undefined }
const tool = (name: string, input: object) => ({ tools: [{ name, input }] })
const NOBODY = 'No rule allows this, and the permission mode is Ask first.'

function steps() {
  return [
    tool('Read', { file_path: 'a.txt' }),
    tool('Edit', { file_path: 'a.txt', old_string: 'old', new_string: 'new' }),
    tool('Write', { file_path: 'b.txt', content: 'one\ntwo\n' }),
    tool('Bash', { command: 'ls && npm publish && git push' }),
    tool('WebFetch', { url: 'https://example.com/page', prompt: 'x' }),
    'Done.',
  ]
}

async function asked(options: Parameters<typeof query>[0]['options']): Promise<Seen[]> {
  const seen: Seen[] = []
  const canUseTool = async (name: string, _: unknown, { why, preview }: Partial<Seen>) => {
    seen.push({ tool: name, why, preview })
    return { behavior: 'deny' as const, message: 'No.' }
  }
  for await (const _ of query({ prompt: 'Go.', options: { ...options, canUseTool } }));
  return seen
}

bothWays(
  'askDetails: who is asked learns why, and what would happen',
  steps,
  { askDetails: true, settings: { permissions: { ask: ['Bash(npm publish)'] } } },
  async ({ options }) => {
    writeFileSync(join(options.cwd, 'a.txt'), 'old\nkept\n')
    const [edit, write, bash, fetch] = await asked(options)
    const texts = { oldText: 'old\nkept\n', newText: 'new\nkept\n', added: 1, removed: 1 }
    assert.deepEqual(edit?.preview, { type: 'diff', path: join(options.cwd, 'a.txt'), ...texts })
    assert.deepEqual(edit?.why, { layer: 'tool', text: NOBODY })
    const made = { oldText: null, newText: 'one\ntwo\n', added: 2, removed: 0 }
    assert.deepEqual(write?.preview, { type: 'diff', path: join(options.cwd, 'b.txt'), ...made })
    assert.ok(bash?.preview?.type === 'command')
    assert.deepEqual(
      bash.preview.parts.map(({ command, behavior }) => [command, behavior]),
      [
        ['ls', 'allow'],
        ['npm publish', 'ask'],
        ['git push', 'ask'],
      ],
    )
    assert.deepEqual([bash.why?.layer, bash.why?.rule, bash.why?.source], ['rule', 'Bash(npm publish)', 'flagSettings'])
    assert.deepEqual(fetch?.preview, { type: 'address', url: 'https://example.com/page', host: 'example.com' })
  },
)

bothWays('without askDetails nothing is computed or said', steps, {}, async ({ options }) => {
  writeFileSync(join(options.cwd, 'a.txt'), 'old\n')
  const seen = await asked(options)
  assert.deepEqual(
    seen.map(({ why, preview }) => [why, preview]),
    Array.from({ length: 4 }, () => [undefined, undefined]),
  )
})
