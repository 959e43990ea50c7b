/** Which engine, and what the permission engine reads from the settings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SandboxNetworkConfig } from '../protocol/options.js'
import { chooseSandboxEngine, isExcludedFromSandbox, sandboxPolicy } from './choose-engine.js'

describe('engineFor', () => {
  const choose = (network: SandboxNetworkConfig, os = 'linux', hasRuntime = true) => {
    const choice = chooseSandboxEngine({ enabled: true, network }, { os, hasRuntime })
    return choice.ok ? choice.engine : choice.error
  }

  it('takes bubblewrap on Linux unless the network needs more', () => {
    const enough: SandboxNetworkConfig[] = [
      {},
      { allowedDomains: [] },
      { allowLocalBinding: true, allowUnixSockets: ['/x'], allowAllUnixSockets: true },
    ]
    for (const network of enough) assert.equal(choose(network), 'bubblewrap')
    const more: SandboxNetworkConfig[] = [
      { allowedDomains: ['a.example'] },
      { httpProxyPort: 1 },
      { socksProxyPort: 0 },
    ]
    for (const network of more) assert.equal(choose(network), 'sandbox-runtime')
    assert.equal(choose({}, 'darwin'), 'sandbox-runtime')
  })

  it('names the package that is missing, and the system without any', () => {
    const missing = choose({ allowedDomains: ['a.example'] }, 'linux', false)
    assert.match(missing, /allowedDomains.* npm install @anthropic-ai\/sandbox-runtime, or remove that setting/)
    assert.match(
      choose({}, 'darwin', false),
      /The sandbox on macOS needs .* npm install @anthropic-ai\/sandbox-runtime\.$/,
    )
    assert.match(choose({}, 'win32'), /no sandbox for win32/)
  })
})

it('the policy has the documented defaults', () => {
  assert.deepEqual(sandboxPolicy(undefined), { enabled: false, autoAllow: true, allowUnsandboxed: true })
  const settings = { enabled: true, autoAllowBashIfSandboxed: false, allowUnsandboxedCommands: false }
  assert.deepEqual(sandboxPolicy(settings), { enabled: true, autoAllow: false, allowUnsandboxed: false })
})

describe('isExcluded', () => {
  const excluded = (commands: string[][] | undefined, ...excludedCommands: string[]) =>
    isExcludedFromSandbox(commands, { excludedCommands })

  it('compares whole words from the beginning', () => {
    assert.equal(excluded([['docker', 'ps']], 'docker'), true)
    assert.equal(excluded([['docker', 'ps', '-a']], 'docker ps:*'), true)
    assert.equal(excluded([['docker', 'ps']], 'docker *'), true)
    assert.equal(excluded([['docker']], 'docker *'), true)
    assert.equal(excluded([['docker-compose']], 'docker'), false)
    assert.equal(excluded([['docker', 'run']], 'docker ps'), false)
    assert.equal(excluded([['/tmp/docker']], 'docker'), false)
  })

  it('needs every command of the line, and to understand it', () => {
    assert.equal(
      excluded(
        [
          ['docker', 'ps'],
          ['git', 'log'],
        ],
        'docker',
        'git log',
      ),
      true,
    )
    assert.equal(
      excluded(
        [
          ['docker', 'ps'],
          ['curl', 'x'],
        ],
        'docker',
      ),
      false,
    )
    assert.equal(excluded(undefined, 'docker'), false)
    assert.equal(excluded([], 'docker'), false)
    assert.equal(excluded([['docker']], '', ' ', '*'), false)
    assert.equal(isExcludedFromSandbox([['docker']], undefined), false)
  })
})
