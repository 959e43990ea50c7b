import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFolder, isAgentId, isSessionId, projectKey, sessionIdOfFile } from './transcript-paths.js'

test('a folder becomes a name; a long one is cut and told apart, as the original does it', () => {
  assert.equal(projectKey('/home/me/my project.v2'), '-home-me-my-project-v2')
  const long = `/tmp/s1/obs/home4/${'d'.repeat(120)}/${'e'.repeat(120)}`
  const key = projectKey(long)
  // Observed of release 2.1.50.
  assert.deepEqual([key.length, key.slice(-8)], [207, 'e-bu9buk'])
  assert.equal(projectKey(`/${'x'.repeat(199)}`).length, 200)
  assert.notEqual(projectKey(`${long}/a`), projectKey(`${long}-a`))
})

test('only a UUID is a session id, only a short word an agent id', () => {
  const good = '11111111-2222-4333-8444-555555555555'
  const bad = ['', '..', `../${good}`, `${good}/..`, `${good}\0`, 'x'.repeat(300), `/home/other/${good}`, `${good}\n`]
  assert.deepEqual([good, ...bad].map(isSessionId), [true, ...bad.map(() => false)])
  assert.deepEqual(['a1b2', 'a/b', '..', '', 'a'.repeat(65)].map(isAgentId), [true, false, false, false, false])
  assert.deepEqual([`${good}.jsonl`, `${good}.jsonl.lock`, 'notes.jsonl'].map(sessionIdOfFile), [
    good,
    undefined,
    undefined,
  ])
})

test('the configuration folder is named by the environment, or in the home folder', () => {
  assert.equal(configFolder({ CLAUDE_CONFIG_DIR: '/a', CLAUDE: '/b' }, '/home/me'), '/a')
  assert.equal(configFolder({ CLAUDE: '/b' }, '/home/me'), '/b')
  assert.equal(configFolder({}, '/home/me'), '/home/me/.claude')
})
