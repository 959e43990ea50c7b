import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { AccessTokens, type Caller, hasScope, TOKEN_SCOPES } from './access-tokens.js'

function withFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-tokens-'))
  try {
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('tokens', () => {
  it('the main one is made once, readable by its owner only', () =>
    withFolder((folder) => {
      const first = new AccessTokens({ folder, now: Date.now })
      assert.ok(first.token.length > 40)
      assert.equal(statSync(first.file).mode & 0o777, 0o600)
      // Somebody opened it to others.
      chmodSync(first.file, 0o644)
      const second = new AccessTokens({ folder, now: Date.now })
      assert.equal(second.token, first.token)
      assert.equal(statSync(first.file).mode & 0o777, 0o600)
      assert.equal(second.find(first.token)?.id, 'main')
      assert.equal(second.find(`${first.token} `), undefined)
    }))

  it('a link in place of the file is refused, and a token that is too short is replaced', () =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'token'), 'short\n', { mode: 0o600 })
      assert.ok(new AccessTokens({ folder, now: Date.now }).token.length > 40)
      rmSync(join(folder, 'token'))
      symlinkSync('/etc/hostname', join(folder, 'token'))
      assert.throws(() => new AccessTokens({ folder, now: Date.now }), /is not a file/)
    }))

  it('lesser ones are kept without themselves, end in time, and can be revoked with their cookies', () =>
    withFolder((folder) => {
      let now = Date.parse('2026-01-01')
      const tokens = new AccessTokens({ folder, now: () => now })
      const ada = tokens.make({ name: 'Ada', scopes: ['read'], expires: '2026-01-02T00:00:00.000Z' })
      const bob = tokens.make({ name: 'Bob', scopes: ['answer'], sessions: ['s'] })
      assert.ok(ada && bob)
      assert.equal(readFileSync(join(folder, 'tokens.json'), 'utf8').includes(bob.token), false)
      assert.equal(statSync(join(folder, 'tokens.json')).mode & 0o777, 0o600)
      const again = new AccessTokens({ folder, now: () => now })
      assert.deepEqual(again.find(bob.token), { id: bob.id, name: 'Bob', scopes: ['answer'], sessions: ['s'] })
      const cookie = again.makeCookie({ id: bob.id, name: 'Bob', scopes: ['answer'] }, 'key')
      assert.equal(again.findCookie(cookie.value, 'key')?.name, 'Bob')
      assert.equal(again.findCookie(cookie.value, 'another key'), undefined)
      assert.equal(again.findCookie(bob.token, 'key'), undefined)
      assert.equal(again.find(ada.token)?.name, 'Ada')
      now = Date.parse('2026-01-03')
      assert.equal(again.find(ada.token), undefined)
      assert.equal(again.revoke(bob.id), true)
      assert.deepEqual([again.find(bob.token), again.findCookie(cookie.value, 'key')], [undefined, undefined])
      assert.equal(again.revoke(bob.id), false)
    }))

  it('a cookie for the main token ends with it, and after its days', () =>
    withFolder((folder) => {
      let now = Date.parse('2026-01-01')
      const main: Caller = { id: 'main', name: 'main', scopes: ['admin'] }
      const tokens = new AccessTokens({ folder, now: () => now, token: 'the-first-token-of-all' })
      const { value, seconds } = tokens.makeCookie(main, 'key')
      assert.deepEqual(tokens.findCookie(value, 'key'), main)
      const other = new AccessTokens({ folder, now: () => now, token: 'another-token-since-then' })
      assert.equal(other.findCookie(value, 'key'), undefined)
      now += seconds * 1000
      assert.equal(tokens.findCookie(value, 'key'), undefined)
    }))

  it('scopes: admin may all; who may answer or send sees what it is about', () => {
    const may = (...scopes: Caller['scopes']) =>
      TOKEN_SCOPES.filter((scope) => hasScope({ id: '', name: '', scopes }, scope))
    assert.deepEqual(may('admin'), ['read', 'answer', 'prompt', 'admin'])
    assert.deepEqual(may('read'), ['read'])
    assert.deepEqual(may('answer'), ['read', 'answer'])
    assert.deepEqual(may('prompt'), ['read', 'prompt'])
    assert.deepEqual(may(), [])
  })
})
