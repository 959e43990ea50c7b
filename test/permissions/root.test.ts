/**
 * C13: root and containers.
 * https://github.com/anthropics/claude-code/issues/2951 · https://github.com/anthropics/claude-code/issues/3490
 * https://github.com/rivet-dev/sandbox-agent/issues/164 · https://github.com/rynfar/meridian/issues/273
 * https://github.com/chaitin/agent-compose/issues/8 · https://github.com/RichardAtCT/claude-code-openai-wrapper/issues/47
 *
 * T: bypass as root is refused with a result that has the code `root_refused`, never by an exit without output, and a documented switch
 * lifts it (DECISIONS A11: `IS_SANDBOX=1`, the variable the original has); a read-only file system and a random user without a home work.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bash, command, kedge, lines, root, runProgram, withModel } from '../support/stage.js'

const isRoot = process.getuid?.() === 0
const flags = ['-p', 'Go.', '--output-format', 'stream-json', '--verbose']

test('C13 bypass as root: a result with the code root_refused, and exit code 1', { skip: !isRoot }, async () => {
  await withModel([], {}, async ({ options }) => {
    const { code, stdout } = await kedge([...flags, '--dangerously-skip-permissions'], options)
    const result = lines(stdout).at(-1)
    assert.ok(result?.type === 'result' && result.is_error)
    assert.deepEqual([code, result.terminal_reason, result.error_code], [1, 'root_refused', 'root_refused'])
    assert.doesNotMatch(stdout, /interrupted by user/)
  })
})

test('C13 IS_SANDBOX=1 lifts it, and is documented', { skip: !isRoot }, async () => {
  await withModel([bash(': > ran'), 'Done.'], { env: { IS_SANDBOX: '1' } }, async ({ options }) => {
    const { code } = await kedge([...flags, '--dangerously-skip-permissions'], options)
    assert.equal(code, 0)
    assert.equal(existsSync(join(options.cwd, 'ran')), true)
  })
  assert.match(readFileSync(join(root, 'docs/settings.md'), 'utf8'), /IS_SANDBOX.*root/)
})

/** A release of Node in the home of root can't be started by anybody else. */
const mayStart = isRoot && spawnSync(process.execPath, ['--version'], { uid: 1_234_567, gid: 0 }).status === 0

test('C13 a random user without a name and without a home that can be written', { skip: !mayStart }, async () => {
  await withModel([bash('id -u; cat own.txt'), 'Done.'], { allowedTools: ['Bash'] }, async ({ options }) => {
    // The folders of the test belong to root; the user may look into them, and no more.
    for (const folder of [join(options.cwd, '..'), options.cwd]) chmodSync(folder, 0o755)
    const env = { ...options.env, HOME: '/nonexistent', CLAUDE_CONFIG_DIR: undefined, TMPDIR: '/tmp' }
    const ended = await runProgram(process.execPath, [command, ...flags, '--allowedTools', 'Bash'], {
      cwd: options.cwd,
      env,
      uid: 1_234_567,
      gid: 0,
    })
    const messages = lines(ended.stdout)
    assert.equal(ended.code, 0, ended.stderr)
    assert.match(JSON.stringify(messages), /1234567/)
    assert.equal(messages.filter(({ type }) => type === 'result').length, 1)
  })
})
