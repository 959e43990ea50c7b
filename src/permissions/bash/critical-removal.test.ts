// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionOnBash, decisionsOnBash, sameDecisionForEach } from '../test-engine.js'

const critical = [
  ...[
    'rm -rf /',
    'rm -rf //',
    'rm -rf /./',
    'rm -rf "/"',
    'rm / -rf',
    'rm -r -f -- /',
    'rm -rf / --help me',
    'rm -rf /*',
    'rm -rf /etc',
    'rm -rf /u*',
    'rmdir /data',
  ],
  ...[
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf ~/*',
    'rm -rf ~root',
    'rm -rf $HOME',
    'rm -rf "${HOME}"/',
    'rm -rf /home/u/',
    'rm -rf /home',
    '\\rm -rf ~/',
  ],
  ...[
    'rm -rf .',
    'rm -rf ./',
    'rm -rf *',
    'rm -rf ./*',
    'rm -rf ..',
    'rm -rf ../*',
    'rm -rf /repo',
    'rm -rf /repo/src/..',
    'rm -rf $PWD',
    'rm -rf "$(pwd)"',
  ],
  ...[
    'rm -rf $X/',
    'rm -rf "$X"/*',
    'rm -rf ${X}/*',
    'rm -rf ${X:?}/*',
    'rm -rf $X*',
    'rm -rf "$X/."',
    'rm -rf /{bin,etc}',
    'cd / && rm -rf *',
    'cd "$X" && rm -rf *',
  ],
  ...[
    'sudo rm -rf /',
    "bash -c 'rm -rf /'",
    'echo $(rm -rf /)',
    "eval 'rm -rf /'",
    'timeout 5 rm -rf /',
    '/bin/rm -rf /',
    'find / -delete',
    'cd ..; rm -rf repo',
  ],
]

test('removals that only a person may approve, whatever rules and mode say', async () => {
  for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
    assert.deepEqual(
      await decisionsOnBash(createTestPermissions({ allow: ['Bash'], mode }), critical),
      sameDecisionForEach(critical, 'ask'),
      mode,
    )
  }
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ allow: ['Bash'], mode: 'dontAsk' }), critical),
    sameDecisionForEach(critical, 'deny'),
  )
  assert.equal(
    await decisionOnBash(createTestPermissions({ deny: ['Bash(rm *)'], mode: 'bypassPermissions' }), 'rm -rf ~'),
    'deny',
  )
})

test('a hook does not approve them either', async () => {
  const command = 'rm -rf ~'
  const call = { id: 't', name: 'Bash', input: { command } }
  const decision = await createTestPermissions().decide(
    call,
    { kind: 'command', command, cwd: '/repo' },
    { approvedByHook: true },
  )
  assert.deepEqual(decision, {
    behavior: 'ask',
    message:
      '"rm ~" removes something that the system, the home folder or this project depends on, so a person must approve it.',
    reasonType: 'user_interaction',
    decisionReason:
      '"rm ~" removes something that the system, the home folder or this project depends on, so a person must approve it.',
    // Nor does one that is asked in the user's place.
    onlyAPerson: true,
  })
})

test('ordinary removals are left to rules and mode', async () => {
  const ordinary = [
    ...[
      'rm -rf build',
      'rm -rf ./build',
      'rm -rf build/*',
      'rm -rf /tmp/x/y',
      'rm -rf $X',
      'rm -f *.log',
      'rm $(cat list)',
      'rm -rf "$X/sub"',
      'rm -rf ~/x/y',
    ],
    ...["find . -name '*.pyc' -delete", 'rm -rf src/*.js', 'rmdir a/b'],
  ]
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ allow: ['Bash'] }), ordinary),
    sameDecisionForEach(ordinary, 'allow'),
  )
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ mode: 'bypassPermissions' }), ordinary),
    sameDecisionForEach(ordinary, 'allow'),
  )
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash(rm *)'] }), 'rm -rf build'), 'allow')
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash(rm *)'] }), 'rm -rf /opt/x/y'), 'ask')
})

test('additional directories and what holds them', async () => {
  const permissions = createTestPermissions({ allow: ['Bash'], directories: ['/shared/lib'] })
  const commands = ['rm -rf /shared/lib', 'rm -rf /shared/lib/*', 'rm -rf /shared/*', 'rm -rf /shared']
  assert.deepEqual(await decisionsOnBash(permissions, commands), sameDecisionForEach(commands, 'ask'))
  assert.equal(await decisionOnBash(permissions, 'rm -rf /shared/lib/x'), 'allow')
})

test('a link is judged by where it leads', async () => {
  const permissions = createTestPermissions({ allow: ['Bash'], links: { '/repo/h': '/home/u' } })
  assert.deepEqual(
    await decisionsOnBash(permissions, ['rm -rf h/*', 'rm -rf h/']),
    sameDecisionForEach(['rm -rf h/*', 'rm -rf h/'], 'ask'),
  )
})

test('a variable that stands for another, however far, and round in a circle', async () => {
  const permissions = createTestPermissions({ mode: 'bypassPermissions' })
  assert.equal(await decisionOnBash(permissions, 'a=$b; b=$a; rm -rf $a'), 'allow')
  assert.equal(await decisionOnBash(permissions, 'a=$b; b=$c; c=$d; d=$e; e=$f; f=/; rm -rf $a'), 'ask')
  assert.equal(await decisionOnBash(permissions, 'a=$b; b=${a:-/}; rm -rf $a'), 'ask')
})
