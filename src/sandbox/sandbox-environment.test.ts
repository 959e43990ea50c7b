/** What a sandboxed command gets of the environment, and by which way. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitSandboxEnvironment } from './sandbox-environment.js'

const plain = {
  temporary: '/t',
  keepSecrets: false,
  unixSockets: false,
  isWritable: (folder: string) => folder.startsWith('/project'),
}

describe('splitEnvironment', () => {
  it('leaves out secrets, by their names and by what they look like', () => {
    const kept = {
      PATH: '/bin',
      GIT_AUTHOR_NAME: 'a',
      MAX_TOKENS: '10',
      KEYBOARD: 'de',
      PWD: '/',
      PATIENCE: '1',
      URL: 'http://h/a:b@c',
    }
    const secret = {
      ANTHROPIC_API_KEY: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      AWS_ACCESS_KEY_ID: 'x',
      GITHUB_TOKEN: 'x',
      npm_config__authToken: 'x',
      DB_PASSWORD: 'x',
      gh_pat: 'x',
      DATABASE: 'postgres://u:p@host/db',
      REDIS: 'redis://:p@host',
      DEPLOY: '-----BEGIN OPENSSH PRIVATE KEY-----',
      OTHER: 'ghp_0123456789',
    }
    assert.deepEqual(splitSandboxEnvironment({ ...kept, ...secret, GONE: undefined }, plain), {
      outer: kept,
      inner: { TMPDIR: '/t' },
    })
    const all = splitSandboxEnvironment(secret, { ...plain, keepSecrets: true })
    assert.deepEqual(all.outer, secret)
  })

  it('keeps from the programs outside what they would obey', () => {
    const obeyed = {
      LD_PRELOAD: 'a',
      LD_LIBRARY_PATH: 'b',
      BASH_ENV: 'c',
      ENV: 'd',
      'BASH_FUNC_x%%': '() { :; }',
      PS4: 'e',
    }
    assert.deepEqual(splitSandboxEnvironment({ ...obeyed, TMPDIR: '/elsewhere' }, plain), {
      outer: {},
      inner: { ...obeyed, TMPDIR: '/t' },
    })
  })

  it('lets nobody outside start programs a command could have made', () => {
    const PATH = '/project/bin:/usr/bin::./x:/project:/bin'
    assert.deepEqual(splitSandboxEnvironment({ PATH }, plain), {
      outer: { PATH: '/usr/bin:/bin' },
      inner: { TMPDIR: '/t', PATH },
    })
  })

  it('names sockets only when there are any to reach', () => {
    const sockets = { SSH_AUTH_SOCK: '/s', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/s', DISPLAY: ':0' }
    assert.deepEqual(splitSandboxEnvironment(sockets, plain).outer, {})
    assert.deepEqual(splitSandboxEnvironment(sockets, { ...plain, unixSockets: true }).outer, sockets)
  })
})
