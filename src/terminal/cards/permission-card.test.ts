import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionUpdate } from '../../protocol/permission-types.js'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import { plainStyles } from '../screen/styles.js'
import { permissionCard } from './permission-card.js'

const styles = plainStyles()

const ADDS_RULE: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Bash' }],
  behavior: 'allow',
  destination: 'session',
}

function cardOf(command: string, { parts = 0, why = 'Nothing allows it.', rule = 'Bash(x)', update = ADDS_RULE } = {}) {
  const part = (at: number) => ({ command: `part ${at}`, behavior: 'ask' as const, reason: 'needs approval' })
  const ask: Ask = {
    id: 'a1',
    session: 's',
    kind: 'permission',
    agent: [],
    since: '',
    tool: { name: 'Bash', input: { command, description: 'd'.repeat(500) }, hash: 'h', useId: 'c1' },
    preview: { type: 'command', command, parts: Array.from({ length: parts }, (_, at) => part(at)) },
    why: { layer: 'tool', text: why },
    suggestions: [{ rule, scope: 'session', update }],
  }
  const ports = { cwd: '/w', hunks: undefined, answer() {}, show() {}, editOutside: async () => undefined }
  return permissionCard(ask, ports)
}

const END = '; mkfifo the-end-of-it'
const LONG = [
  `mkfifo ${'a'.repeat(6000)}${END}`,
  `mkfifo ${'ab cd '.repeat(1000)}${END}`,
  `mkfifo a${'\n'.repeat(400)}x${END}`,
]

test('the end of a long command is on the card, on every screen, with how much is not', () => {
  for (const command of LONG)
    for (const columns of [40, 80, 160])
      for (const height of [14, 24, 60])
        for (const more of [{}, { parts: 50 }, { why: 'why '.repeat(300) }]) {
          const rows = cardOf(command, more).view({ columns, height, styles }).rows
          const text = rows.map((row) => row.trim()).join('')
          assert.ok(/the-end-of-it/.test(text), `${columns} × ${height}, ${JSON.stringify(more).slice(0, 20)}`)
          if (height < 60) assert.ok(/\d+ more lines \(ctrl-o shows all\)/.test(text), `${columns} × ${height}`)
          assert.ok(rows.length <= height, `${rows.length} rows`)
        }
})

test('all of it is shown on demand', () => {
  for (const command of LONG) {
    const whole = cardOf(command).whole?.({ columns: 80, height: 24, styles }) ?? []
    const text = whole.map((row) => row.trim()).join('')
    assert.ok(text.replaceAll(' ', '').includes(command.replaceAll(/\s/g, '')), command.slice(0, 20))
    assert.doesNotMatch(text, /more lines/)
  }
})

test('what can not be seen has its number there', () => {
  const { rows } = cardOf('rm a\u200bb\ufe01\u00a0\u202e\u{1d173}\u001b[8m').view({ columns: 120, height: 30, styles })
  assert.match(rows.join('\n'), /rm a\[U\+200B\]b\[U\+FE01\]\[U\+00A0\]\[U\+202E\]\[U\+1D173\]\[U\+001B\]\[8m/)
})

test('a mode that allows more than its name says so in one line', () => {
  const update = { type: 'setMode' as const, mode: 'acceptEdits' as const, destination: 'session' as const }
  const { rows } = cardOf('mkdir a', { rule: 'all file edits', update }).view({ columns: 140, height: 30, styles })
  assert.match(
    rows.join('\n'),
    /Always allow all file edits\s+for this session: file edits, and mkdir, touch, rm, mv, cp, sed in this folder/,
  )
})

test('of a long rule the end is shown, too', () => {
  const { rows } = cardOf('ls', { rule: `Bash(${'a'.repeat(6000)} && rm x)` }).view({
    columns: 300,
    height: 30,
    styles,
  })
  assert.match(rows.join('\n'), /Always allow Bash\(a+…\[58\d\d more characters\]…a+ && rm x\)/)
})
