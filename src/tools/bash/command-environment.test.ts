/** What commands find in their environment, and what they must not. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { commandEnvironment } from './command-environment.js'

const ours = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', CLAUDECODE: '1', PWD: '/w' }
const of = (env: Record<string, string | undefined>) => commandEnvironment({ PATH: '/bin', ...env }, '/w')
const isKept = (name: string, env: Record<string, string> = {}) => of({ [name]: 'x', ...env })[name] === 'x'

describe('the environment of a command', () => {
  it('is that of the session, with answers for those who would ask', () => {
    assert.deepEqual(of({ HOME: '/h', LANG: 'C', EMPTY: '' }), {
      HOME: '/h',
      LANG: 'C',
      EMPTY: '',
      PATH: '/bin',
      ...ours,
    })
    assert.deepEqual(of({ GIT_EDITOR: 'vi', PWD: '/elsewhere', GIT_TERMINAL_PROMPT: '1' }), { PATH: '/bin', ...ours })
  })

  it('has no keys of the agent, unless the user says so', () => {
    const secrets = [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_FOUNDRY_API_KEY',
      'ANTHROPIC_CUSTOM_HEADERS',
      'CLAUDE_API_KEY',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'AWS_BEARER_TOKEN_BEDROCK',
    ]
    for (const name of secrets) {
      assert.equal(isKept(name), false, name)
      assert.equal(isKept(name, { KEDGE_PASS_SECRETS: 'yes' }), true, name)
      assert.equal(isKept(name, { KEDGE_PASS_SECRETS: '0' }), false, name)
      assert.equal(isKept(name, { KEDGE_PASS_SECRETS: 'perhaps' }), false, name)
    }
  })

  it("has the keys of other programs, which are the user's to give", () => {
    for (const name of [
      'AWS_SECRET_ACCESS_KEY',
      'GITHUB_TOKEN',
      'ANTHROPIC_MODEL',
      'ANTHROPIC_BASE_URL',
      'MY_ANTHROPIC_API_KEY',
      'ANTHROPIC_API_KEY_FILE',
      'CLAUDE_CONFIG_DIR',
    ]) {
      assert.equal(isKept(name), true, name)
    }
  })

  it('has nothing that makes bash read the command otherwise than it was judged, whatever else is passed', () => {
    for (const name of ['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'CDPATH', 'GLOBIGNORE', 'POSIXLY_CORRECT']) {
      assert.equal(isKept(name, { KEDGE_PASS_SECRETS: '1' }), false, name)
    }
  })

  it('has none of our own variables but the mark by which processes are found again', () => {
    assert.equal(isKept('KEDGE_TASK'), true)
    for (const name of ['KEDGE_PASS_SECRETS', 'KEDGE_MAX_PROCESSES', 'KEDGE_EXTRA_CA_CERTS', 'KEDGE_']) {
      assert.equal(isKept(name), false, name)
    }
  })

  it('has the certificates where programs look for them, if there are any', () => {
    assert.equal(of({ KEDGE_EXTRA_CA_CERTS: '/ca.pem', NODE_EXTRA_CA_CERTS: '/old' })['NODE_EXTRA_CA_CERTS'], '/ca.pem')
    assert.equal(of({ KEDGE_EXTRA_CA_CERTS: '', NODE_EXTRA_CA_CERTS: '/old' })['NODE_EXTRA_CA_CERTS'], '/old')
    assert.equal('NODE_EXTRA_CA_CERTS' in of({}), false)
  })

  it('looks for programs in absolute folders only, and always somewhere', () => {
    const path = (value: string | undefined) => commandEnvironment({ PATH: value }, '/w')['PATH']
    assert.equal(path('.:/usr/bin::bin:/opt/x'), '/usr/bin:/opt/x')
    for (const nothing of [undefined, '', '.', ':', 'bin']) {
      const usual = path(nothing) ?? ''
      assert.ok(
        usual.split(':').every((folder) => folder.startsWith('/')),
        JSON.stringify(nothing),
      )
    }
  })

  it('never lets a key of ours through under any name of its family', () => {
    const part = fc.string({ unit: fc.constantFrom('A', 'Z', '_', '1'), maxLength: 8 })
    fc.assert(
      fc.property(part, fc.constantFrom('KEY', 'TOKEN', 'CUSTOM_HEADERS'), (middle, end) => {
        assert.equal(isKept(`ANTHROPIC_${middle === '' ? '' : `${middle}_`}${end}`), false)
      }),
    )
  })
})
