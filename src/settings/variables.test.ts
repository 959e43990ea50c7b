import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { variableNameProblem, whyVariableIsWithheld } from './variables.js'

describe('names of variables', () => {
  test('anything that a program could be given', () => {
    for (const name of ['A', 'a_b', 'npm_config_x', 'FOO.BAR', 'A-B', '1X', 'x'.repeat(256)]) {
      assert.equal(variableNameProblem(name), undefined, name)
    }
  })

  test('nothing else', () => {
    for (const name of ['', 'A B', 'A=B', 'A\n', 'A\0', 'É', '\t', 'a\u200bb']) {
      assert.equal(variableNameProblem(name), 'is not the name of an environment variable', JSON.stringify(name))
    }
    assert.equal(variableNameProblem('x'.repeat(257)), 'is too long for the name of a variable')
  })
})

describe('what a repository may never set', () => {
  const words = (text: string) => text.trim().split(/\s+/)
  const rows: [why: RegExp, names: string][] = [
    [
      /where requests go/,
      `ANTHROPIC_BASE_URL CLAUDE_CONFIG_DIR KEDGE_PASS_SECRETS AWS_PROFILE OPENAI_BASE_URL MY_API_BASE UV_INDEX_URL
       NPM_CONFIG_REGISTRY SOME_MIRROR KUBECONFIG IS_SANDBOX DOCKER_HOST OTEL_EXPORTER_OTLP_ENDPOINT`,
    ],
    [/a key or a password/, 'OPENAI_API_KEY MY_TOKEN DB_PASSWORD STRIPE_SECRET FOO_CREDENTIALS PGPASSFILE NETRC'],
    [/through a proxy/, 'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY GOPROXY'],
    [
      /encrypted connections believe/,
      'SSL_CERT_FILE NODE_TLS_REJECT_UNAUTHORIZED CURL_HOME REQUESTS_CA_BUNDLE GOINSECURE',
    ],
    [
      /load or run other code/,
      `PATH HOME SHELL LD_PRELOAD DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH PYTHONPATH PERL5LIB RUBYOPT BASH_ENV ENV
       GIT_SSH_COMMAND GIT_PAGER EDITOR VISUAL MANPAGER JAVA_HOME MAVEN_OPTS PROMPT_COMMAND IFS TMPDIR XDG_CONFIG_HOME
       SSH_ASKPASS CMAKE_PREFIX_PATH RUSTC_WRAPPER`,
    ],
  ]
  for (const [why, names] of rows) {
    test(String(why), () => {
      for (const name of words(names)) assert.match(whyVariableIsWithheld(name) ?? 'it may', why, name)
    })
  }

  test('names have no case here', () => {
    for (const name of ['path', 'Path', 'https_proxy', 'npm_config_registry', 'anthropic_base_url', 'Ld_Preload']) {
      assert.notEqual(whyVariableIsWithheld(name), undefined, name)
    }
  })

  test('what does no harm it may set, though others of its family do', () => {
    const harmless = `ANTHROPIC_MODEL CLAUDE_CODE_MAX_OUTPUT_TOKENS NODE_ENV PYTHONUNBUFFERED GIT_AUTHOR_NAME CARGO_TERM_COLOR
      DEBUG CI PORT FOO DATABASE_URL LOG_LEVEL MY_PATH TOKENS APIKEY_NAME PROXY_X REGISTRY node_env`
    for (const name of words(harmless)) assert.equal(whyVariableIsWithheld(name), undefined, name)
  })

  test('whatever a name is, asking twice or in another case says the same', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z_]{1,12}$/), (name) => {
        const why = whyVariableIsWithheld(name)
        assert.equal(whyVariableIsWithheld(name.toLowerCase()), why)
        assert.equal(whyVariableIsWithheld(name.toUpperCase()), why)
        assert.notEqual(whyVariableIsWithheld(`LD_${name}`), undefined)
        assert.notEqual(whyVariableIsWithheld(`X${name}_TOKEN`), undefined)
      }),
    )
  })
})
