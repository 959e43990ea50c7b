import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bashCall,
  createTestPermissions,
  decisionOnBash,
  decisionsOnBash,
  sameDecisionForEach,
} from '../../../test-engine.js'

test('what is installed is told without a question', async () => {
  const commands = [
    'npm ls',
    'npm ls --depth=0',
    'npm list --depth 1 --json react',
    'npm ls -g',
    'npm root',
    'npm prefix -g',
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), commands), sameDecisionForEach(commands, 'allow'))
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ present: ['/home/u/.npmrc'] }), commands),
    sameDecisionForEach(commands, 'allow'),
  )
})

test('not where a file of the project says how npm works', async () => {
  for (const file of ['/repo/.npmrc', '/.npmrc/x']) {
    const expected = file.startsWith('/repo') ? 'ask' : 'allow'
    assert.equal(await decisionOnBash(createTestPermissions({ present: [file] }), 'npm ls'), expected, file)
  }
  assert.equal(
    await decisionOnBash(createTestPermissions({ present: ['/repo/src/.npmrc'] }), 'cd src && npm ls'),
    'ask',
  )
  assert.equal(
    await decisionOnBash(
      createTestPermissions({ present: ['/srv/.npmrc', '/srv/repo'], links: { '/repo': '/srv/repo' } }),
      'npm ls',
    ),
    'ask',
  )
  assert.equal(await decisionOnBash(createTestPermissions({ present: ['/repo/.npmrc'] }), 'npm --version'), 'allow')
  // The one at home is the user's.
  const atHome = (...present: string[]) =>
    createTestPermissions({ cwd: '/home/u/repo', present: ['/home/u/repo', ...present] }).decide(
      ...bashCall('npm ls', '/home/u/repo'),
    )
  assert.equal((await atHome('/home/u/.npmrc')).behavior, 'allow')
  assert.equal((await atHome('/home/u/repo/.npmrc')).behavior, 'ask')
})

test('everything else of npm asks', async () => {
  const commands = [
    ...[
      'npm outdated',
      'npm view react',
      'npm config get registry',
      'npm config list',
      'npm test',
      'npm',
      'npm install',
    ],
    ...['npm ls --prefix=/etc', 'npm ls --logs-dir=x', 'npm ls --userconfig x', 'npm ls $x', 'npm ls *', 'npm root x'],
    ...[
      'npm ls -C x',
      'npm ls --registry=http://x',
      'npm --depth=0 ls',
      'npm ls --script-shell=x',
      'npm bin',
      'npm exec x',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), commands), sameDecisionForEach(commands, 'ask'))
})

test('a variable that nobody obeys stands before what only looks, and before nothing else', async () => {
  const looking = [
    ...[
      'DEBUG=1 ls src',
      'export FOO=1 && ls',
      'export LOG_LEVEL=debug; cat a.txt | wc -l',
      'FOO=1; ls',
      'VERBOSE=1 ls | wc',
    ],
    ...['export NODE_ENV=test && node --version', 'FOO="a b" ls'],
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), looking), sameDecisionForEach(looking, 'allow'))
  const asks = [
    ...[
      'PATH=. ls',
      'LD_PRELOAD=./x.so ls',
      'export PATH=. && ls',
      'GIT_DIR=x git status',
      'FOO=$TOKEN ls',
      'IFS=x ls',
    ],
    ...[
      'export DEBUG=$(id) && node x',
      'BASH_ENV=x ls',
      'RIPGREP_CONFIG_PATH=x rg y',
      'export FOO=1 BASH_ENV=x; ls',
      'TMPDIR=/ sort a',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), asks), sameDecisionForEach(asks, 'ask'))
  // A program that a rule allows may obey them.
  const rules = createTestPermissions({ allow: ['Bash(npm test:*)'] })
  const ruled = ['DEBUG=1 npm test', 'export DEBUG=1 && npm test', 'FOO=1; npm test']
  assert.deepEqual(await decisionsOnBash(rules, ruled), sameDecisionForEach(ruled, 'ask'))
  assert.equal(await decisionOnBash(rules, 'NODE_ENV=test npm test'), 'allow')
})
