/** Where a command runs by the settings of the sandbox, on a machine that has none. */

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { nodePlatform } from '../../platform/node-platform.js'
import type { SandboxSettings } from '../../protocol/options.js'
import type { Configuration } from '../configuration.js'
import { createLiveSettings } from '../live-settings.js'
import { createSessionSandbox, temporaryFolder } from './session-sandbox.js'

let base: string
const platform = nodePlatform()
beforeEach(() => {
  // Not in /tmp, which the sandbox keeps out of.
  base = mkdtempSync('/var/tmp/kedge-place-')
  for (const name of ['project', 'home', 'tmp']) mkdirSync(join(base, name))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const settingsFor = (sandbox: SandboxSettings | undefined, env: Record<string, string> = {}) => {
  const folders = { cwd: join(base, 'project'), home: join(base, 'home'), configDir: join(base, 'home/.claude') }
  // Of the settings of a session the sandbox reads these.
  return { ...folders, sandbox, env: { PATH: join(base, 'nowhere'), ...env } } as unknown as Configuration
}
const permissions = () => ({ directories: () => [join(base, 'project')], deniedFiles: async () => [] })
const create = (sandbox: SandboxSettings | undefined, env?: Record<string, string>) => {
  const settings = settingsFor(sandbox, env)
  const ports = { permissions, readable: () => [], stderr: () => {} }
  return createSessionSandbox(settings, createLiveSettings(settings), platform, ports)
}

it('is there only when it is turned on', () => {
  assert.deepEqual([create(undefined), create({}), create({ enabled: false })], [undefined, undefined, undefined])
})

it('knows nothing before it was tried, and then that it is broken: asked, excluded, refused', async () => {
  const sandbox = create({ enabled: true, excludedCommands: ['docker:*', 'git push'] })
  assert.ok(sandbox)
  const where = (command: string, dangerouslyDisableSandbox?: boolean) => {
    const { where: place, ...why } = sandbox.bash.placeOf({
      command,
      ...(dangerouslyDisableSandbox && { dangerouslyDisableSandbox }),
    })
    return [place, ...Object.values(why)]
  }
  assert.equal(where('ls')[0], 'nowhere')
  assert.deepEqual([sandbox.state().available, sandbox.state().problem], [false, undefined])
  await Promise.all([sandbox.bash.prepare(), sandbox.bash.prepare()])
  assert.deepEqual(where('ls'), ['outside', 'broken'])
  assert.deepEqual(where('ls', true), ['outside', 'asked'])
  for (const line of ['docker ps', 'docker', 'git push -f; docker ps', 'git push | docker load']) {
    assert.deepEqual(where(line, true), ['outside', 'excluded'], line)
  }
  for (const line of [
    ...[
      'git pull',
      'docker ps; ls',
      'docker $(ls)',
      'x=docker; $x ps',
      'timeout 9 docker ps',
      './docker ps',
      'dockerd',
    ],
    ...['docker ps "', 'docker() { ls; }; docker', 'git "pu"sh2', '', '# docker'],
  ]) {
    assert.deepEqual(where(line), ['outside', 'broken'], line)
  }
  const { enabled, autoAllow, available, problem } = sandbox.state()
  assert.deepEqual([enabled, autoAllow, available], [true, true, false])
  assert.match(problem ?? '', /is not in PATH\. Install/)
  await sandbox.close()
})

it('refuses outright where nothing may run outside', async () => {
  const sandbox = create({ enabled: true, allowUnsandboxedCommands: false, autoAllowBashIfSandboxed: false })
  await sandbox?.bash.prepare()
  const place = sandbox?.bash.placeOf({ command: 'ls', dangerouslyDisableSandbox: true })
  assert.match(place?.where === 'nowhere' ? place.error : '', /Install/)
  assert.deepEqual([sandbox?.state().autoAllow, sandbox?.bash.rules.mayLeave], [false, false])
  const start = { command: 'true', args: [], cwd: join(base, 'project'), env: {}, line: 'true' }
  assert.equal((await sandbox?.bash.wrap(start))?.ok, false)
  await sandbox?.close()
})

it('its own folder is made where temporary files go, and is gone in the end', async () => {
  const sandbox = create({ enabled: true }, { TMPDIR: join(base, 'tmp') })
  await sandbox?.bash.prepare()
  assert.deepEqual(
    readdirSync(join(base, 'tmp')).map((name) => /^kedge-sandbox-p(\d+)\./.exec(name)?.[1]),
    [`${process.pid}`],
  )
  await sandbox?.close()
  assert.deepEqual(readdirSync(join(base, 'tmp')), [])
})

it('temporary files keep out of the /tmp that commands do not see', () => {
  const folder = (sandbox: SandboxSettings, TMPDIR?: string, hasOther = true) =>
    temporaryFolder(settingsFor(sandbox, TMPDIR === undefined ? {} : { TMPDIR }), {
      files: { ...platform.files, existsSync: () => hasOther },
    })
  assert.deepEqual(
    [
      folder({}),
      folder({}, '/tmp/mine'),
      folder({}, 'relative'),
      folder({ enabled: true }),
      folder({ enabled: true }, '/tmp/mine'),
      folder({ enabled: true }, '/home/me/tmp'),
      folder({ enabled: true }, undefined, false),
    ],
    ['/tmp', '/tmp/mine', '/tmp', '/var/tmp', '/var/tmp', '/home/me/tmp', '/tmp'],
  )
})
