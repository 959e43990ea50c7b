import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBrowser, openBrowser } from './open-browser.js'

test('a browser is there where its user sees a screen', () => {
  const rows: [env: Record<string, string>, platform: NodeJS.Platform, there: boolean][] = [
    [{}, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{ WSL_DISTRO_NAME: 'Debian' }, 'linux', true],
    [{ DISPLAY: ':0', SSH_CONNECTION: '1.2.3.4 1 5.6.7.8 22' }, 'linux', false],
    [{}, 'darwin', true],
    [{ SSH_TTY: '/dev/pts/1' }, 'darwin', false],
    [{}, 'win32', true],
    [{ CI: 'true' }, 'win32', false],
  ]
  for (const [env, platform, there] of rows)
    assert.equal(hasBrowser(env, platform), there, JSON.stringify([env, platform]))
})

test('nothing but the web is opened, and a machine without the program says so', async () => {
  for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://open'])
    assert.equal(await openBrowser(new URL(address)), false)
  const { PATH } = process.env
  process.env['PATH'] = '/nowhere'
  try {
    assert.equal(await openBrowser(new URL('https://login.example.com/'), 'linux'), false)
  } finally {
    process.env['PATH'] = PATH
  }
})
