/** What models, servers, files and APIs say reaches a terminal as text: nothing in it is obeyed. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { type Step, startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { cli, kedge, noTerminal, onTerminal, quoted } from './kedge.js'

/** A title, the clipboard, a link, a cleared screen, the same as C1 controls, a backspace, a reversed line, a hidden word. */
const EVIL =
  'a\u001b]0;title\u0007b\u001b]52;c;ZXZpbA==\u0007c\u001b]8;;http://x.example\u001b\\d\u001b[2J\u009b31me\u009dx\u009c\bf\u202eg\u2066h\u{e0041}i\rj'
/** Of these a terminal must see none, except in our own line of progress. */
const OBEYED =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e0fff}]/u
const OURS = /\r?\u001b\[(?:K|2m|22m)/g

function assertSafe(screen: string, what: string): void {
  const rest = screen.replace(OURS, '').replaceAll('\r\n', '\n')
  const found = OBEYED.exec(rest)
  assert.equal(found, null, `${what}: ${JSON.stringify(rest.slice(Math.max(0, (found?.index ?? 0) - 40)))}`)
  assert.equal(rest.includes('\r'), false, what)
}

async function shown(turns: Step[], args: string[], redirect = '') {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { env: { CLAUDE_CODE_MAX_RETRIES: '0' } })
  writeFileSync(join(options.cwd, 'notes.txt'), EVIL)
  const { stdout } = await onTerminal(`${quoted([process.execPath, cli, ...args])} ${redirect} < /dev/null`, options)
  return { screen: stdout, file: redirect ? readFileSync(join(options.cwd, 'out'), 'utf8') : '' }
}

describe('on a terminal', { skip: noTerminal, concurrency: 2 }, () => {
  test('an answer', async () => {
    const { screen } = await shown([EVIL], ['-p', 'x'])
    assertSafe(screen, 'answer')
    assert.match(screen, /a\ufffd\]0;title\ufffdb/)
  })

  test('names of tools, commands and files in the line of progress', async () => {
    const turns: Step[] = [
      { tools: [{ name: 'Bash', input: { command: `ls ${EVIL}` } }] },
      { tools: [{ name: 'Read', input: { file_path: EVIL } }] },
      { tools: [{ name: `Tool${EVIL}`, input: { url: EVIL } }] },
      'Done.',
    ]
    const { screen } = await shown(turns, ['-p', 'x'])
    assertSafe(screen, 'progress')
    assert.match(screen, /Done\./)
  })

  test('errors of the API', async () => {
    const { screen } = await shown([{ status: 400, error: { message: `no ${EVIL}` } }], ['-p', 'x'])
    assertSafe(screen, 'error')
    assert.match(screen, /title.*\ufffd31me/)
  })

  for (const format of [['json'], ['stream-json', '--verbose']]) {
    test(`${format[0]}: written so that the value is the same`, async () => {
      const { screen } = await shown([EVIL], ['-p', 'x', '--output-format', ...format])
      assertSafe(screen, format[0] ?? '')
      const line = screen.split('\r\n').find((text) => text.includes('"type":"result"')) ?? ''
      assert.equal(JSON.parse(line).result, EVIL)
    })
  }

  test('an answer in a file is the answer, whatever it holds', async () => {
    assert.equal((await shown([EVIL], ['-p', 'x'], '> out')).file, `${EVIL}\n`)
  })

  test('what files bring: servers, rules, settings and sessions', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    mkdirSync(join(options.cwd, '.claude'))
    const servers = { [EVIL]: { command: EVIL, args: [EVIL], env: { [EVIL]: 'x' } } }
    writeFileSync(join(options.cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
    const settings = { [EVIL]: 1, permissions: { allow: [`Bash(${EVIL})`], [EVIL]: 1 }, env: { [EVIL]: '1' } }
    writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify(settings))
    writeFileSync(join(options.cwd, 'CLAUDE.md'), `@./${EVIL}\n`)
    for (const args of [
      ['mcp', 'list'],
      ['mcp', 'get', EVIL],
      ['mcp', 'test', EVIL],
      ['mcp', EVIL],
      ['permissions', 'explain', '--tool', 'Bash', '--input', JSON.stringify({ command: `ls ${EVIL}` })],
      ['permissions', 'explain', EVIL],
      ['doctor', '--offline'],
      ['doctor', '--offline', '--json'],
      ['models', EVIL],
      [`--${EVIL}`],
      ['-p', 'x', '--resume', EVIL],
      ['-p', 'x', '--model', EVIL, '--settings', EVIL],
    ]) {
      const line = `${quoted([process.execPath, cli, ...args])} < /dev/null`
      assertSafe(
        (await onTerminal(line, { ...options, env: { ...options.env, CI: '1' } })).stdout,
        args.join(' ').slice(0, 30),
      )
    }
  })
})

test('stderr is for people, on a terminal or not', async () => {
  await using server = await startModelServer([{ status: 400, error: { message: EVIL } }])
  await using options = testOptions(server)
  const { stderr } = await kedge(['-p', 'x'], options)
  assertSafe(stderr, 'stderr')
  assert.match(stderr, /title/)
})

test('no command writes to a terminal by another way', () => {
  const folder = join(process.cwd(), 'src', 'cli')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const direct = files.filter((name) => {
    return /\bstd(?:out|err)\.write\(|\bconsole\.\w+\(/.test(readFileSync(join(folder, name), 'utf8'))
  })
  // The answer waits until it is written.
  assert.deepEqual(direct.sort(), ['print.ts', 'terminal-output.ts'])
})
