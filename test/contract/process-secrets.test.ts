/** The environment of a process holds what it was started with, keys included: no command reads one, or tells it, unasked. */
import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { explainPermission } from 'kedge'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-secrets-')))
after(() => rmSync(cwd, { recursive: true, force: true }))
symlinkSync('/proc/1', join(cwd, 'folder'))
symlinkSync('/proc/self/environ', join(cwd, 'file'))
writeFileSync(join(cwd, 'plain'), '')

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk'] as const

async function allowing(command: string): Promise<string[]> {
  const answers = MODES.map(async (mode) => {
    const { behavior } = await explainPermission({ tool: 'Bash', input: { command }, cwd, mode })
    return behavior === 'allow' ? [mode] : []
  })
  return (await Promise.all(answers)).flat()
}

const COMMANDS: Record<string, string[]> = {
  'by their path': [
    ...['cat /proc/1/environ', 'cat /proc/self/environ', 'cat /proc/thread-self/environ', 'cat /proc/1/task/1/environ'],
    ...['head -c 100 /proc/1/environ', 'grep -a KEY /proc/1/environ', 'strings /proc/1/environ', 'xxd /proc/1/environ'],
    ...['diff /proc/1/environ plain', 'sort /proc/1/environ', 'sed -n p /proc/1/environ', 'awk 1 /proc/1/environ'],
    ...[
      'tr "\\0" "\\n" < /proc/1/environ',
      'jq . /proc/1/environ',
      'rg x /proc',
      'find /proc -name environ',
      'od -c /proc/1/mem',
    ],
  ],
  'by another way there': [
    ...['cat folder/environ', 'cat file', 'cat < file', 'cat /dev/fd/../environ', 'cat /dev/../proc/1/environ'],
    ...[
      'cat /proc/1/root/proc/1/environ',
      'cat /proc/self/cwd/file',
      'cd /proc/1 && cat environ',
      'cd /proc; cat 1/environ',
    ],
    ...['cd folder && cat environ', 'pushd /proc/1; cat environ', '(cd /proc/1; head environ)'],
  ],
  'by what the shell makes of words': [
    ...['strings /proc/*/environ', 'cat /pro?/1/environ', 'cat /{proc,x}/1/environ', 'cat /proc/$PPID/environ'],
    ...[
      'x=/proc/1/environ; cat $x',
      'cat /proc/[0-9]*/environ',
      "cat /'proc'/1/environ",
      'cat f?le',
      'cat fold*/environ',
    ],
    ...[
      'for p in /proc/*/environ; do cat $p; done',
      'cat $(echo /proc/1/environ)',
      'while read -r l; do echo $l; done < file',
    ],
  ],
  'by a program that tells them': [
    ...[
      'ps e',
      'ps eww',
      'ps auxe',
      'ps axe',
      'ps ue',
      'ps f e',
      'ps -E',
      'ps axo environ',
      'ps e -p 1',
      'env',
      'printenv',
    ],
    ...['set', 'export -p', 'declare -p', 'declare -x', 'typeset -p', 'compgen -v -X x', 'echo $ANTHROPIC_API_KEY'],
    ...['printf %s "$GITHUB_TOKEN"', 'x=$NPM_TOKEN; echo $x'],
  ],
  'by a log of npm elsewhere': [
    'npm ls --logs-dir=logs',
    'npm ls --logs-dir logs',
    'npm view x --logs-dir=/srv',
    'npm -v --logs-dir=logs',
  ],
}

describe('secrets of processes are not told unasked', { skip: process.platform !== 'linux' }, () => {
  for (const [way, commands] of Object.entries(COMMANDS)) {
    test(way, async () => {
      const allowed = await Promise.all(commands.map(async (command) => [command, await allowing(command)] as const))
      assert.deepEqual(
        allowed.filter(([, modes]) => modes.length > 0),
        [],
      )
    })
  }

  test('what reads a file that holds none is allowed, so the rest is not asked about by mistake', async () => {
    assert.deepEqual(await allowing('cat plain'), [...MODES])
    assert.deepEqual(await allowing('head -c 100 plain && grep -a KEY plain'), [...MODES])
  })
})
