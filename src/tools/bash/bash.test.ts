/** The Bash tool against a real bash: every text the model and the host get to see. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { leftovers } from '../../platform/test-leftovers.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { createBashTool } from './bash.js'
import type { BashInput } from './input.js'

const tool = createBashTool({ isReadOnlyCommand: (command) => command === 'ls' })
const contexts: TestContext[] = []
let test: TestContext
let mark: string

beforeEach(async () => {
  test = await createTestContext()
  contexts.push(test)
  mark = `test-${randomUUID()}`
})
after(async () => {
  for (const context of contexts) await context.dispose()
})

async function bash(input: string | BashInput, overrides: Partial<CallContext> = {}) {
  const context: CallContext = {
    ...test.context,
    ...overrides,
    env: { ...test.context.env, ...overrides.env, KEDGE_TASK: mark },
  }
  const outcome = await tool.execute(typeof input === 'string' ? { command: input } : input, context)
  assert.deepEqual(leftovers(mark), [])
  return outcome
}

function success(stdout: string, more: Record<string, unknown> = {}) {
  const output = { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false, ...more }
  return { ok: true, content: stdout, output }
}

describe('results', () => {
  it('joins stdout and stderr in order and cuts blank edges', async () => {
    assert.deepEqual(await bash('echo out; echo err >&2; echo more'), success('out\nerr\nmore'))
    assert.deepEqual(await bash("printf '\\n \\n  a \\n\\n\\n'"), success('  a'))
    assert.deepEqual(await bash('true'), success(''))
    assert.deepEqual(await bash('echo a; echo b > /dev/stderr; echo c'), success('a\nb\nc'))
  })

  it('knows which commands are silent', async () => {
    assert.deepEqual(await bash('mkdir -p a && touch a/b'), success('', { noOutputExpected: true }))
  })

  it('reports the exit code with the output twice', async () => {
    const error = 'Exit code 3\nout\nerr\n\nout\nerr'
    assert.deepEqual(await bash('echo out; echo err >&2; exit 3'), { ok: false, error })
    assert.deepEqual(await bash('false'), { ok: false, error: 'Exit code 1' })
    assert.deepEqual(await bash('kill -9 $$'), { ok: false, error: 'Exit code 137' })
  })

  it('lets bash speak about syntax errors and missing commands', async () => {
    const missing = '/bin/bash: line 1: no-such-command: command not found'
    assert.deepEqual(await bash('no-such-command'), { ok: false, error: `Exit code 127\n${missing}\n\n${missing}` })
    const outcome = await bash('echo "')
    assert.match(outcome.ok ? '' : outcome.error, /^Exit code 2\n\/bin\/bash: eval: line 1: unexpected EOF/)
  })

  it('takes exit code 1 of commands that answer a question for an answer', async () => {
    assert.deepEqual(await bash('echo a | grep b'), success('', { returnCodeInterpretation: 'No matches found' }))
    assert.deepEqual(await bash('grep b missing'), {
      ok: false,
      error: `Exit code 2\n${'grep: missing: No such file or directory\n\n'.repeat(2).trimEnd()}`,
    })
  })

  it('strips escapes and replaces what is not text', async () => {
    assert.deepEqual(
      await bash("printf '\\033[1;31mred\\033[0m \\033]0;title\\007\\0bell\\007 a\\xffb'"),
      success('red bell a\ufffdb'),
    )
    const colours = await bash("printf '\\033[3'; sleep 0.05; printf '1mred'")
    assert.deepEqual([colours, test.progress.join('')], [success('red'), 'red bell a\ufffdbred'])
  })

  it('shortens long output in the middle', async () => {
    const env = { BASH_MAX_OUTPUT_LENGTH: '20' }
    assert.deepEqual(
      await bash('seq 1 20', { env }),
      success('1\n2\n3\n4\n5\n\n\n[… 30 characters left out …]\n\n7\n18\n19\n20'),
    )
    const failed = await bash('seq 1 20000; exit 2')
    assert.match(failed.ok ? '' : failed.error, /^Exit code 2\n1\n2\n.*left out …\].*\n19999\n20000$/s)
  })

  it('gives no input, no aliases, no positional parameters and no start-up files', async () => {
    assert.deepEqual(
      await bash('cat; echo "[$1|$#|$0]"; shopt expand_aliases; echo "$BASH_ENV"', { env: { BASH_ENV: '/x' } }),
      {
        ...success('[|0|/bin/bash]\nexpand_aliases \toff'),
      },
    )
    assert.deepEqual(await bash('cat <<E\nhello $((1+1))\nE'), success('hello 2'))
  })

  it('keeps secrets and internals from the command', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_AUTH_TOKEN: 't',
      CLAUDE_API_KEY: 'c',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      KEDGE_INTERNAL: 'i',
      KEDGE_EXTRA_CA_CERTS: '/ca.pem',
      OTHER: 'o',
    }
    const show =
      'echo "$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN$CLAUDE_API_KEY$CLAUDE_CODE_OAUTH_TOKEN|$KEDGE_INTERNAL|$OTHER|$NODE_EXTRA_CA_CERTS"'
    assert.deepEqual(await bash(show, { env }), success('||o|/ca.pem'))
    assert.deepEqual(await bash(show, { env: { ...env, KEDGE_PASS_SECRETS: '1' } }), success('ktco||o|/ca.pem'))
  })
})

describe('refusals', () => {
  const cases: [BashInput, RegExp][] = [
    [{ command: '' }, /is empty/],
    [{ command: ' \n\t' }, /is empty/],
    [{ command: '# only\n  # comments' }, /is empty/],
    [{ command: 'echo a\0b' }, /NUL/],
    [{ command: `: ${'x'.repeat(131_072)}` }, /too long/],
    [{ command: 'true', timeout: 0 }, /positive/],
    [{ command: 'true', run_in_background: true }, /^Background commands are not supported yet/],
  ]
  for (const [input, reason] of cases) {
    it(`${JSON.stringify(input).slice(0, 60)} starts no shell`, async () => {
      const processes = { run: () => assert.fail('a process was started') }
      const platform = { ...test.context.platform, processes }
      const outcome = await tool.execute(input, { ...test.context, platform })
      assert.deepEqual({ ...outcome, error: '' }, { ok: false, error: '', refused: true })
      assert.match(outcome.ok ? '' : outcome.error, reason)
      assert.equal(await tool.check?.(input, test.context), outcome.ok ? '' : outcome.error)
    })
  }

  it('a comment before a command is no reason', async () => {
    assert.deepEqual(await bash('# first\necho hi # then'), success('hi'))
  })
})

describe('the working directory', () => {
  it('carries over, whatever ends the command', async () => {
    await bash('mkdir -p "a b/c"; cd "a b"')
    assert.equal(test.context.session.shellCwd, join(test.folder, 'a b'))
    assert.deepEqual(await bash('pwd; exec 3>&1; cd c; exit 4'), {
      ok: false,
      error: `Exit code 4\n${test.folder}/a b\n\n${test.folder}/a b`,
    })
    assert.equal(test.context.session.shellCwd, join(test.folder, 'a b/c'))
    assert.deepEqual(tool.facts({ command: 'x' }, test.context), {
      kind: 'command',
      command: 'x',
      cwd: join(test.folder, 'a b/c'),
    })
  })

  it('is reset when it ends outside the working directories', async () => {
    const remark = `Shell cwd was reset to ${test.folder}`
    const stderr = `\n${remark}`
    await bash('mkdir sub; cd sub')
    assert.deepEqual(await bash('cd / && pwd'), { ...success('/', { stderr }), content: `/\n${remark}` })
    assert.deepEqual(await bash('cd ..'), { ...success('', { stderr, noOutputExpected: true }), content: remark })
    assert.deepEqual(await bash('cd / && false'), { ok: false, error: `Exit code 1\n${remark}` })
    assert.deepEqual(await bash('pwd'), success(test.folder))
  })

  it('is reset when it is gone', async () => {
    await bash('mkdir sub; cd sub')
    await bash('rmdir "$PWD"')
    const remark = `Shell cwd was reset to ${test.folder}`
    assert.deepEqual(await bash('pwd'), {
      ...success(test.folder, { stderr: `\n${remark}` }),
      content: `${test.folder}\n${remark}`,
    })
    assert.deepEqual(await bash('pwd'), success(test.folder))
    await rm(test.folder, { recursive: true })
    assert.deepEqual(await bash('pwd'), {
      ok: false,
      error: `The working directory does not exist any more: ${test.folder}`,
    })
  })

  it('may be reached by a link', async () => {
    await mkdir(join(test.folder, 'real/sub'), { recursive: true })
    const link = join(test.folder, 'link')
    await symlink(join(test.folder, 'real'), link)
    const context = { cwd: link, directories: () => [link], session: { ...test.context.session, shellCwd: link } }
    assert.deepEqual(await bash('pwd; cd sub', context), success(link))
    assert.equal(context.session.shellCwd, join(link, 'sub'))
    assert.equal(await realpath(context.session.shellCwd), join(test.folder, 'real/sub'))
  })
})

describe('the end of a command', () => {
  it('comes at the time limit', async () => {
    assert.deepEqual(await bash({ command: 'echo begun; sleep 300', timeout: 200 }), {
      ok: false,
      error: 'Exit code 143\nCommand timed out after 0s\nbegun',
    })
    const env = { BASH_DEFAULT_TIMEOUT_MS: '100' }
    assert.deepEqual(await bash('sleep 300', { env }), {
      ok: false,
      error: 'Exit code 143\nCommand timed out after 0s',
    })
    const capped = { command: 'sleep 300', timeout: 900_000 }
    const max = { BASH_DEFAULT_TIMEOUT_MS: '50', BASH_MAX_TIMEOUT_MS: '100' }
    assert.equal((await bash(capped, { env: max })).ok, false)
  })

  it('comes with an abort', async () => {
    const interrupted = '[Request interrupted by user for tool use]'
    const silent = await bash('sleep 300', { signal: AbortSignal.timeout(100) })
    assert.deepEqual(silent, { ok: false, error: `Exit code 137\n${interrupted}` })
    const loud = await bash('echo begun; setsid sleep 300', { signal: AbortSignal.timeout(150) })
    assert.deepEqual(loud, { ok: false, error: `Exit code 137\nbegun\n${interrupted}` })
  })

  it('takes what runs in the background along', async () => {
    assert.deepEqual(await bash('sleep 300 & setsid sleep 300 & sleep 0.1; echo started'), success('started'))
    assert.deepEqual(await bash('sleep 0.1 & wait; echo waited'), success('waited'))
  })

  it('survives endless output', async () => {
    const outcome = await bash({ command: 'yes', timeout: 500 })
    assert.match(outcome.ok ? '' : outcome.error, /^Exit code 143\nCommand timed out after 0s\ny\ny\n.*left out/s)
  })
})

it('lets the runtime say what may run side by side', () => {
  assert.deepEqual([tool.isReadOnly({ command: 'ls' }), tool.isReadOnly({ command: 'rm x' })], [true, false])
})

it('serves many sessions at once, each in its own folder', async () => {
  const sessions = await Promise.all(Array.from({ length: 25 }, () => createTestContext()))
  contexts.push(...sessions)
  const outcomes = await Promise.all(
    sessions.map(async ({ context }, i) => {
      await tool.execute({ command: `mkdir s${i}; cd s${i}` }, context)
      return tool.execute({ command: 'pwd' }, context)
    }),
  )
  assert.deepEqual(
    outcomes,
    sessions.map(({ folder }, i) => success(join(folder, `s${i}`))),
  )
})
