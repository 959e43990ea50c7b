import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPermissions } from '../../permissions/permission-engine.js'
import { nodeFiles } from '../../platform/files/files.js'
import { findSandboxGuardedFiles } from './guarded-files.js'

const home = '/home/ada'

function guard({
  deny = [] as string[],
  env = {},
  directories = ['/home/ada/project'],
  configDir = `${home}/.claude`,
} = {}) {
  const permissions = createPermissions({
    files: nodeFiles,
    cwd: '/home/ada/project',
    home,
    mode: 'default',
    allowBypass: false,
    foldCase: false,
    directories: [],
    searchSkipsDenied: true,
    layers: [{ source: 'userSettings', root: `${home}/.claude`, allow: [], ask: [], deny }],
  })
  return findSandboxGuardedFiles(
    { home, configDir, env: { PATH: '', ...env } } as never,
    directories,
    permissions.deniedFiles,
  )
}

describe('what commands in the sandbox may not see', () => {
  test('keys and logins in the home folder, and our own', async () => {
    const { hiddenPaths = [] } = await guard()
    for (const name of ['.ssh', '.aws', '.netrc', '.config/gh', '.claude.json', '.claude/.credentials.json']) {
      assert.ok(hiddenPaths.includes(`${home}/${name}`), name)
    }
    assert.equal(new Set(hiddenPaths).size, hiddenPaths.length)
  })

  test('tokens of package managers, clouds, browsers and other agents, keyrings, and those of the machine', async () => {
    const { hiddenPaths = [] } = await guard()
    const names = `.npmrc .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json
      .m2/settings.xml .gradle/gradle.properties .docker/config.json .kube .azure .config/gcloud .oci .fly .vercel .netlify
      .terraform.d/credentials.tfrc.json .config/doctl .config/hub .gnupg .local/share/keyrings .password-store .config/op
      .mozilla .config/google-chrome .config/chromium .codex/auth.json .gemini/oauth_creds.json .config/github-copilot
      Library/Keychains .bash_history .erlang.cookie .Xauthority .pgpass .my.cnf .vault-token .databrickscfg .snowflake
      .s3cfg .boto .git-credentials .age .terraformrc`.split(/\s+/)
    const files = [
      '/etc/shadow',
      '/etc/gshadow',
      '/etc/sudoers',
      '/etc/sudoers.d',
      '/root/.ssh',
      '/var/lib/rabbitmq/.erlang.cookie',
    ]
    assert.deepEqual(
      [...names.map((name) => `${home}/${name}`), ...files].filter((path) => !hiddenPaths.includes(path)),
      [],
    )
    const passing = (await guard({ env: { KEDGE_PASS_SECRETS: '1' } })).hiddenPaths ?? []
    assert.ok(!passing.includes('/etc/shadow'))
  })

  test('each once, also for the superuser', async () => {
    const permissions = { deniedFiles: async () => [] }
    const place = { home: '/root', configDir: '/root/.claude', env: { PATH: '' } }
    const { hiddenPaths = [] } = await findSandboxGuardedFiles(place as never, ['/srv/x'], permissions.deniedFiles)
    assert.equal(hiddenPaths.filter((path) => path === '/root/.ssh').length, 1)
  })

  test('also where the settings are elsewhere', async () => {
    const { hiddenPaths = [], protectedPaths = [] } = await guard({ configDir: '/srv/config' })
    assert.ok(hiddenPaths.includes('/srv/config/.credentials.json'))
    assert.ok(hiddenPaths.includes(`${home}/.claude/.credentials.json`))
    assert.ok(protectedPaths.includes('/srv/config'))
  })

  test('who works in such a folder sees it; the others stay hidden', async () => {
    const { hiddenPaths = [] } = await guard({ directories: [`${home}/.aws`, `${home}/.config/gh/sub`] })
    assert.ok(!hiddenPaths.includes(`${home}/.aws`))
    assert.ok(!hiddenPaths.includes(`${home}/.config/gh`))
    assert.ok(hiddenPaths.includes(`${home}/.ssh`))
  })

  test('a folder above them opens none of them', async () => {
    assert.ok((await guard({ directories: [home] })).hiddenPaths?.includes(`${home}/.ssh`))
  })

  test('not those of the user, if that is wanted; our own in any case', async () => {
    const { hiddenPaths = [] } = await guard({ env: { KEDGE_PASS_SECRETS: '1' } })
    assert.ok(!hiddenPaths.includes(`${home}/.ssh`))
    assert.ok(hiddenPaths.includes(`${home}/.claude/.credentials.json`))
  })
})

describe('what they may not change', () => {
  test('our settings, and code that is run without a further look', async () => {
    assert.deepEqual((await guard()).protectedPaths?.slice(0, 2), [`${home}/.claude`, `${home}/.cache/kedge`])
    const { protectedPaths } = await guard({ env: { XDG_CACHE_HOME: '/var/cache/ada' } })
    assert.equal(protectedPaths?.[1], '/var/cache/ada/kedge')
  })
})

describe('rules that deny files', () => {
  test('to read hides, to edit protects', async () => {
    const { hiddenPatterns = [], protectedPatterns = [] } = await guard({
      deny: ['Read(//srv/secret/**)', 'Edit(//srv/fixed)'],
    })
    const [hidden] = hiddenPatterns
    assert.deepEqual([hidden?.start, hidden?.all], ['/srv/secret', true])
    assert.equal(hidden?.matches('/srv/secret/a/b'), true)
    assert.equal(hidden?.matches('/srv/other'), false)
    const fixed = protectedPatterns.find(({ start }) => start === '/srv/fixed')
    assert.equal(fixed?.all, true)
    assert.equal(fixed?.matches('/srv/fixed'), true)
  })

  test('a pattern for some of what is below a place is not one for all of it', async () => {
    const { hiddenPatterns = [] } = await guard({ deny: ['Read(//srv/**/*.key)'] })
    const [some] = hiddenPatterns
    assert.deepEqual([some?.start, some?.all], ['/srv', false])
    assert.equal(some?.matches('/srv/a/b.key'), true)
    assert.equal(some?.matches('/srv/a/b.pub'), false)
  })
})
