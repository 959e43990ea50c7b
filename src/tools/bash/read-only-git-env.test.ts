/** The environment of commands that only look at a repository, by what git itself makes of it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { readOnlyGitEnvironment } from './read-only-git-env.js'

const PATH = process.env['PATH']
const settings = (env: Record<string, string>) => {
  const list = execFileSync('git', ['config', '--list'], {
    cwd: '/',
    encoding: 'utf8',
    env: { ...readOnlyGitEnvironment({ PATH, HOME: '/nowhere', ...env }) },
  })
  return Object.fromEntries(
    list
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
}

test('git sees the settings that keep it from starting anything, behind those of the user', () => {
  const own = {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'a.b',
    GIT_CONFIG_VALUE_0: 'c',
    GIT_CONFIG_KEY_1: 'core.fsmonitor',
    GIT_CONFIG_VALUE_1: 'x',
  }
  for (const [env, more] of [
    [{}, {}],
    [own, { 'a.b': 'c' }],
    [{ GIT_CONFIG_COUNT: 'many' }, {}],
  ] as const) {
    const seen = settings(env)
    for (const [key, value] of Object.entries({
      'core.fsmonitor': 'false',
      'core.hookspath': '/dev/null',
      'safe.barerepository': 'explicit',
      ...more,
    }))
      assert.equal(seen[key], value, key)
  }
})

test('the rest of the environment stays as it is', () => {
  const { GIT_OPTIONAL_LOCKS, GIT_ALLOW_PROTOCOL, HOME } = readOnlyGitEnvironment({ HOME: '/home/ada' })
  assert.deepEqual(
    { GIT_OPTIONAL_LOCKS, GIT_ALLOW_PROTOCOL, HOME },
    { GIT_OPTIONAL_LOCKS: '0', GIT_ALLOW_PROTOCOL: 'none', HOME: '/home/ada' },
  )
})
