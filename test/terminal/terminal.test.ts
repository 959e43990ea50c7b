/** `kedge` as somebody starts it: a process on a pseudo-terminal, against the scripted model. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { type ModelHandler, startModelServer, testOptions } from 'kedge/testing'
import { cli, kedge } from '../first-hour/kedge.js'
import { send } from '../server/serving.js'
import { sampledTest as test } from '../support/tier.js'
import { noTerminal, openPty, type Pty, type PtySetup, quiet } from './pty.js'

const ENTER = '\r'
const skip = noTerminal
const noTmux = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].every((path) => !existsSync(path))

/** Says back what it was told; writes a file when asked to. */
const model: ModelHandler = ({ body }) => {
  const said = JSON.stringify(body.messages.at(-1))
  if (said.includes('tool_result')) return 'It is written.'
  if (said.includes('write it'))
    return { tools: [{ name: 'Write', input: { file_path: 'note.txt', content: 'hello\n' } }] }
  if (said.includes('run long')) return { tools: [{ name: 'Bash', input: { command: 'echo begun; sleep 60' } }] }
  if (said.includes('long story') && !said.includes('say more'))
    return { text: 'a long story '.repeat(400), chunk: 20, gapMs: 20 }
  const [, word = 'nothing'] = /say (\w+)/.exec(said) ?? []
  return `I say ${word}.`
}

type World = { pty: Pty; cwd: string; config: string; env: Record<string, string | undefined> }

async function inWorld(
  work: (world: World) => Promise<void>,
  setup: Pick<PtySetup, 'columns' | 'delayMs'> & {
    args?: string[]
    env?: Record<string, string>
    prepare?: (cwd: string) => void
  } = {},
) {
  await using server = await startModelServer(model)
  await using options = testOptions(server)
  setup.prepare?.(options.cwd)
  const env = { ...options.env, ...setup.env }
  const { args = [], columns = 80, delayMs = 0 } = setup
  await using pty = await openPty({ cwd: options.cwd, env, args, columns, delayMs })
  await work({ pty, cwd: options.cwd, config: String(env['CLAUDE_CONFIG_DIR']), env })
}

/** It has ended, and the terminal is as it was. */
async function leaves({ pty }: World): Promise<void> {
  pty.type('\u0003')
  await pty.see('ctrl-c again: leave')
  pty.type('\u0003')
  assert.equal(await pty.ended, 0)
  assertRestored(pty)
}

/** What was turned on was turned off, the last thing last. */
function assertRestored(pty: Pty): void {
  const raw = pty.raw()
  for (const [on, off] of [
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[?1004h', '\u001b[?1004l'],
    ['\u001b[>1u', '\u001b[<u'],
  ] as const)
    assert.ok(raw.lastIndexOf(off) > raw.lastIndexOf(on), JSON.stringify(off))
  assert.ok(raw.lastIndexOf('\u001b[?25h') > raw.lastIndexOf('\u001b[?25l'), 'the cursor is seen')
  assert.ok(!raw.includes('\u001b[?1049h'), 'no other screen')
}

describe('on a terminal', { skip }, () => {
  for (const columns of [40, 80, 160]) {
    test(`a prompt, an answer, a permission, at ${columns} columns; then the command to come back, and coming back`, async () => {
      let id = ''
      await using server = await startModelServer(model)
      await using options = testOptions(server)
      const { cwd, env } = options
      {
        await using pty = await openPty({ cwd, env, columns })
        await pty.see('Ask first')
        pty.type(`say hello${ENTER}`)
        await pty.see('I say hello.')
        pty.type(`write it${ENTER}`)
        await pty.see('Create note.txt?')
        assert.equal(existsSync(join(cwd, 'note.txt')), false)
        await pty.rest()
        pty.type('1')
        await pty.see('It is written.')
        assert.equal(readFileSync(join(cwd, 'note.txt'), 'utf8'), 'hello\n')
        assert.notEqual(pty.modeNow(), pty.modeBefore())
        pty.type('\u0004')
        assert.equal(await pty.ended, 0)
        const [, found = ''] =
          /kedge --resume ([\da-f-]{36})/.exec(pty.emulator.all().join(' ').replaceAll(/\s+/g, ' ')) ?? []
        id = found
        assertRestored(pty)
      }
      await using again = await openPty({
        cwd,
        env,
        columns,
        args: columns === 80 ? ['--resume'] : columns === 40 ? ['--continue'] : ['--resume', id],
      })
      if (columns === 80) {
        await again.see('Continue which session?')
        await again.rest()
        again.type(ENTER)
      }
      await again.see('It is written.')
      again.type(`say again${ENTER}`)
      await again.see('I say again.')
      again.type('\u0004')
      assert.equal(await again.ended, 0)
    })
  }

  test('kedge on a terminal: a turn is stopped and the session goes on; resizes in the middle leave one prompt; stop and continue; the end of it', async () => {
    await inWorld(async (world) => {
      const { pty } = world
      await pty.see('Ask first')
      pty.type(`tell a long story${ENTER}`)
      await pty.see('a long story a long story')
      for (const columns of [40, 120, 60, 80]) pty.resize(columns, 30)
      pty.kill('SIGTSTP')
      // The shell puts it back into the foreground.
      await pty.see('a long story a long story')
      pty.type('\u001b')
      await pty.see('Stopped. What should the agent do instead?')
      pty.type(`say more${ENTER}`)
      const text = await pty.see('I say more.')
      assert.equal(text.split('Ask first').length, 2, text)
      await leaves(world)
    })
  })

  test('over a line with 200 ms each way: what is typed is there, and a key on its way to the prompt approves nothing', async () => {
    await inWorld(
      async (world) => {
        const { pty, cwd } = world
        await pty.see('Ask first')
        pty.type(`say hello${ENTER}`)
        await pty.see('I say hello.')
        pty.type('write not')
        pty.type('\u001b[D\u001b[D\u001b[D')
        pty.type('\u000bit')
        await pty.see('❯ write it')
        pty.type(ENTER)
        // It is written, and nobody can have seen it yet.
        while (!pty.raw().includes('Create note.txt?')) await new Promise((resolve) => setTimeout(resolve, 5))
        assert.doesNotMatch(pty.emulator.screen().join('\n'), /Create note/)
        pty.type('1')
        await pty.see('Create note.txt?')
        await pty.see('❯ 1')
        assert.equal(existsSync(join(cwd, 'note.txt')), false)
        pty.type('\u007f')
        await pty.rest()
        pty.type('1')
        await pty.see('It is written.')
        await leaves(world)
      },
      { delayMs: 200 },
    )
  })

  test('in tmux: the answer is in its scrollback, a resize leaves one prompt', { skip: noTmux }, async () => {
    await using server = await startModelServer(model)
    await using options = testOptions(server)
    const { cwd } = options
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-S', join(cwd, '..', 'tmux'), '-f', '/dev/null', ...args], {
        encoding: 'utf8',
        cwd,
        env: { ...options.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
      })
    const see = async (what: string) => {
      const until = Date.now() + 20_000
      for (;;) {
        const text = tmux('capture-pane', '-p', '-S', '-')
        // What was said while the window was narrow stays in narrow rows.
        if (text.replace(/\s+/g, ' ').includes(what)) return text
        assert.ok(Date.now() < until, `${what} was never seen:\n${text}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    tmux('new-session', '-d', '-x', '100', '-y', '20', process.execPath, cli)
    try {
      await see('Ask first')
      tmux('send-keys', 'tell a long story', 'Enter')
      await see('a long story a long story')
      for (const width of ['60', '41', '90']) tmux('resize-window', '-x', width, '-y', '20')
      tmux('send-keys', 'Escape')
      await see('Stopped. What should the agent do instead?')
      tmux('send-keys', 'say more', 'Enter')
      await see('I say more.')
      const text = await see('Ask first')
      assert.equal(text.split('Ask first').length, 2, text)
      assert.equal(text.split('❯ tell a long story').length, 2, text)
    } finally {
      tmux('kill-server')
    }
  })

  test('a terminal that vanishes ends it, and nothing is left; SIGTERM restores the terminal', async () => {
    await inWorld(async ({ pty }) => {
      await pty.see('Ask first')
      pty.type(`tell a long story${ENTER}`)
      await pty.see('a long story a long story')
      const pid = pty.pid()
      pty.vanish()
      const isThere = () =>
        existsSync(`/proc/${pid}/exe`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      for (let n = 0; n < 300 && isThere(); n += 1) await new Promise((resolve) => setTimeout(resolve, 50))
      assert.equal(isThere(), false)
    })
    await inWorld(async ({ pty }) => {
      await pty.see('Ask first')
      pty.type(`say hello${ENTER}`)
      await pty.see('I say hello.')
      pty.kill('SIGTERM')
      assert.equal(await pty.ended, 143)
      assertRestored(pty)
    })
  })

  test('a folder that brings hooks is asked about, with what it brings; a no leaves them out, a yes uses them', async () => {
    const prepare = (cwd: string) => {
      mkdirSync(join(cwd, '.claude'))
      const hook = { type: 'command', command: `touch ${join(cwd, 'hooked')}` }
      writeFileSync(
        join(cwd, '.claude', 'settings.json'),
        JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
      )
    }
    for (const [key, isUsed] of [
      ['1', false],
      ['2', true],
    ] as const)
      await inWorld(
        async ({ pty, cwd }) => {
          await pty.see(/Do you trust[\s\S]*settings\.json \(hooks\)/)
          // Typed ahead: it is a prompt, and no answer.
          pty.type('2')
          await pty.see('❯ 2')
          pty.type('\u007f')
          await pty.rest()
          pty.type(key)
          await pty.see(/❯ ask for something/)
          pty.type(`say hello${ENTER}`)
          await pty.see('I say hello.')
          assert.equal(existsSync(join(cwd, 'hooked')), isUsed)
        },
        { prepare },
      )
  })

  test('the first start without a key: the ways there are, a key that is kept for its user alone', async () => {
    await inWorld(
      async ({ pty, config }) => {
        // Readable by others, as it may have been before there was a key in it.
        writeFileSync(join(config, 'settings.json'), '{}', { mode: 0o644 })
        await pty.see('Choose a model: Kedge found no API key')
        await pty.rest()
        pty.type('2')
        await pty.see('Your key')
        await pty.rest()
        pty.type('sk-ant-secret')
        await pty.see('•••••')
        pty.type(ENTER)
        await pty.see('Keep it for the next time?')
        await pty.rest()
        pty.type('2')
        await pty.see('Kept in')
        const file = join(config, 'settings.json')
        assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { env: { ANTHROPIC_API_KEY: 'sk-ant-secret' } })
        assert.equal(statSync(file).mode & 0o777, 0o600)
        assert.ok(!pty.raw().includes('sk-ant-secret'))
        pty.type(`say hello${ENTER}`)
        await pty.see('I say hello.')
      },
      { env: { ANTHROPIC_API_KEY: '' } },
    )
  })

  test('--serve puts it on a page, another terminal attaches, and an ask answered there disappears here', async () => {
    await inWorld(
      async (world) => {
        const { pty, cwd, env } = world
        const text = (await pty.see(/kedge attach http:[\s\S]*token=\S+/)).replaceAll('\n', '')
        const [, address = ''] = /kedge attach (http:\S+#token=[\w-]+)/.exec(text.replaceAll(/ {2,}/g, '')) ?? []
        await using other = await openPty({ cwd, env, args: ['attach', address], columns: 120 })
        await other.see('Ask first')
        pty.type(`write it${ENTER}`)
        await other.see('Create note.txt?')
        await pty.see('Create note.txt?')
        await other.rest()
        other.type('1')
        await other.see('It is written.')
        const here = await pty.see('It is written.')
        assert.doesNotMatch(here, /Create note\.txt\?/)
        other.type(`say both${ENTER}`)
        await pty.see('I say both.')
        // A fork's log begins with the fork; what was said before is shown as well.
        const { origin, hash } = new URL(address)
        const headers = { authorization: `Bearer ${hash.slice('#token='.length)}`, 'content-type': 'application/json' }
        const listed = await send(origin, 'GET', '/v1/sessions', headers, '')
        const forked = await send(origin, 'POST', `/v1/sessions/${listed.json.sessions[0].id}/fork`, headers, '{}')
        await using fork = await openPty({
          cwd,
          env,
          args: ['attach', `${origin}/${forked.json.id}${hash}`],
          columns: 120,
        })
        await fork.see('I say both.')
      },
      { args: ['--serve'], columns: 200 },
    )
  })

  test('/serve in the middle of a turn; who attaches sees it, stops it, and sends a command to the background', async () => {
    await inWorld(
      async ({ pty, cwd, env }) => {
        await pty.see('Ask first')
        pty.type(`tell a long story${ENTER}`)
        await pty.see('a long story a long story')
        pty.type(`/serve${ENTER}`)
        const whole = /kedge attach (http:\S+#token=[\w-]+)/
        const [, address = ''] = whole.exec(await pty.see(whole)) ?? []
        await using other = await openPty({ cwd, env, args: ['attach', address], columns: 120 })
        await other.see('a long story a long story')
        other.type('\u001b')
        await other.see('Stopped. What should the agent do instead?')
        await pty.see('Stopped. What should the agent do instead?')
        other.type(`run long${ENTER}`)
        await other.see('⎿ begun')
        other.type('\u0002')
        await other.see('Continues in the background')
        await pty.see('It is written.')
      },
      { columns: 200 },
    )
  })
})

test('--plain: lines in, lines out, without a terminal; a permission is answered with its number', async () => {
  await using server = await startModelServer(model)
  await using options = testOptions(server)
  const { cwd, env } = options
  const child = spawn(process.execPath, [cli, '--plain'], { cwd, env, stdio: 'pipe' })
  let printed = ''
  let wake = () => {}
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
    wake()
  })
  const ended = once(child, 'close')
  const see = async (what: string) => {
    while (!printed.includes(what)) {
      const more = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([more, ended.then(() => assert.fail(`it ended before "${what}":\n${printed}`))])
    }
  }
  child.stdin.write('say hello\nwrite it\n')
  await see('(type the number of your answer)')
  assert.match(printed, /> say hello\n\nI say hello\.\n/)
  assert.match(printed, /Create note\.txt\?.*\n\s+1 \+ hello\n[\s\S]*1 Allow once/)
  // Sent along with the question: it can't be the answer.
  assert.equal(existsSync(join(cwd, 'note.txt')), false)
  await quiet(Date.now())
  child.stdin.write('1\n')
  await see('It is written.')
  assert.equal(readFileSync(join(cwd, 'note.txt'), 'utf8'), 'hello\n')
  child.stdin.end()
  assert.deepEqual(await ended, [0, null])
  assert.match(printed, /To come back: kedge --resume /)
  assert.ok(!printed.includes('\u001b'))
})

test('--plain: a signal ends it with its exit code, also while it asks for a key', async () => {
  await using server = await startModelServer(model)
  await using options = testOptions(server)
  const { ANTHROPIC_API_KEY: key, ...without } = options.env
  assert.ok(key)
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)
    for (const [env, sign] of [
      [options.env, 'I say hello.'],
      [without, 'type the number of your answer'],
    ] as const) {
      const child = spawn(process.execPath, [cli, '--plain'], { cwd: options.cwd, env, stdio: 'pipe' })
      child.stdin.on('error', () => {})
      if (env === options.env) child.stdin.write('say hello\n')
      let printed = ''
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text
        if (printed.includes(sign)) child.kill(signal)
      })
      assert.deepEqual(await once(child, 'close'), [code, null], printed)
    }
})

test('kedge update says which command updates it', async () => {
  const { stdout, code } = await kedge(['update'], { cwd: '/', env: process.env })
  assert.equal(code, 0)
  assert.match(stdout, /To update it: /)
})
