/** Sign-ins that are sealed with a key in the system keyring; the keyring's program is one of the test. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { sampledTest as test } from '../../support/tier.js'
import { openSession, type Session } from '../session.js'
import { visit } from './browser.js'
import { configureServers, type Home, signInFile, startKedge } from './command.js'
import { type OidcWorld, startOidcWorld } from './oidc-world.js'

/** As `secret-tool` does it: the secret comes by stdin. What it was called with is written down. */
function keyringFor({ env, cwd }: Home) {
  const folder = join(cwd, 'keyring')
  mkdirSync(folder, { recursive: true })
  const kept = join(folder, 'kept')
  const calls = join(folder, 'calls')
  writeFileSync(
    join(folder, 'secret-tool'),
    `#!/bin/sh\necho "$@" >> '${calls}'\ncase "$1" in store) cat > '${kept}';; lookup) [ -f '${kept}' ] && cat '${kept}' || exit 1;; esac\n`,
  )
  chmodSync(join(folder, 'secret-tool'), 0o755)
  return {
    more: { PATH: `${folder}:${env['PATH']}` },
    key: () => (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : ''),
    calls: () => readFileSync(calls, 'utf8'),
    lose: () => rmSync(kept),
  }
}

function open(world: OidcWorld, env: Record<string, string | undefined> = {}): Promise<Session> {
  const tracker = { type: 'http', url: world.server.url } as const
  return openSession({ mcpServers: { tracker }, mcpSignIns: true, allowedTools: ['mcp__tracker'], env })
}

async function signIn(session: Session, args: readonly string[], more: Record<string, string>) {
  const login = startKedge(session.options, ['mcp', 'login', ...args, '--device', 'tracker'], more)
  login.end()
  await visit(await login.address())
  return login.ended
}

describe('--storage', { skip: process.platform !== 'linux' && 'the program is that of Linux' }, () => {
  test('keyring: the file has no token, the keyring has the key, and sessions use the sign-in', async () => {
    await using world = await startOidcWorld()
    await using first = await open(world)
    configureServers(first.options, { tracker: { type: 'http', url: world.server.url } })
    const keyring = keyringFor(first.options)
    const { code, stdout, stderr } = await signIn(first, ['--storage', 'keyring'], keyring.more)
    assert.deepEqual([code, stderr], [0, ''], stdout)
    const file = readFileSync(signInFile(first.options), 'utf8')
    assert.deepEqual(Object.keys(JSON.parse(file)), ['version', 'sealed'])
    assert.match(keyring.key(), /^[0-9a-f]{64}$/)
    assert.ok(!keyring.calls().includes(keyring.key()), 'the key is no argument')
    assert.ok(!file.includes(keyring.key()))

    const { HOME, CLAUDE_CONFIG_DIR } = first.options.env
    const before = process.env['PATH']
    // The session is in this process.
    process.env['PATH'] = keyring.more.PATH
    try {
      await using session = await open(world, { HOME, CLAUDE_CONFIG_DIR })
      assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
      // A new token is sealed again.
      world.server.refused.add((world.server.tokens.at(-1) ?? '').replace('Bearer ', ''))
      assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
      assert.notEqual(readFileSync(signInFile(first.options), 'utf8'), file)
      assert.ok(readFileSync(signInFile(first.options), 'utf8').includes('"sealed"'))
    } finally {
      process.env['PATH'] = before
    }

    const status = startKedge(first.options, ['mcp', 'status', '--json'], keyring.more)
    assert.equal(JSON.parse((await status.ended).stdout).servers[0].signedIn, true)
    keyring.lose()
    const lost = await startKedge(first.options, ['mcp', 'status'], keyring.more).ended
    assert.notEqual(lost.code, 0)
    assert.match(lost.stderr, /keyring doesn't have the key of .*Remove that file and sign in again/)
  })

  test('without a keyring it says why, and keeps the sign-in in the file', async () => {
    await using world = await startOidcWorld()
    await using session = await open(world)
    configureServers(session.options, { tracker: { type: 'http', url: world.server.url } })
    const { code, stderr } = await signIn(session, ['--storage', 'keyring'], { PATH: session.options.cwd })
    assert.equal(code, 0)
    assert.match(
      stderr,
      /keyring can't be used: secret-tool is not installed\. Sign-ins are kept in .*, which only you/,
    )
    assert.equal(JSON.parse(readFileSync(signInFile(session.options), 'utf8')).signIns.length, 1)
  })
})
