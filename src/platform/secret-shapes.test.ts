import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { withoutSecrets } from './secret-shapes.js'

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789'
const some = (length: number) => letters.repeat(3).slice(0, length)
const hex = (length: number) => '0123456789abcdef'.repeat(4).slice(0, length)
const caps = (length: number) => 'ABCDEFGHIJKLMNOP0123'.repeat(4).slice(0, length)

/** Put together here, so that nobody's scanner finds a credential in this file. */
const TOKENS: Record<string, string> = {
  Anthropic: `sk-ant-${'api03-'}${some(40)}`,
  OpenAI: `sk-${some(48)}`,
  'an OpenAI project': `sk-${'proj-'}${some(60)}`,
  OpenRouter: `sk-${'or-v1-'}${hex(64)}`,
  'Google API': `AIza${some(35)}`,
  'Google access': `ya29.${some(60)}`,
  'Google client': `GOCSPX-${some(28)}`,
  'Hugging Face': `hf_${some(34)}`,
  Groq: `gsk_${some(40)}`,
  Perplexity: `pplx-${some(40)}`,
  'GitHub personal': `ghp_${some(36)}`,
  'GitHub OAuth': `gho_${some(36)}`,
  'GitHub server': `ghs_${some(36)}`,
  'GitHub fine-grained': `github_pat_${some(22)}_${some(40)}`,
  GitLab: `glpat-${some(20)}`,
  Bitbucket: `ATBB${some(32)}`,
  Atlassian: `ATATT${some(60)}`,
  npm: `npm_${some(36)}`,
  PyPI: `pypi-${some(80)}`,
  RubyGems: `rubygems_${hex(48)}`,
  'crates.io': `cio${some(32)}`,
  'Docker Hub': `dckr_pat_${some(27)}`,
  'AWS key id': `AKIA${caps(16)}`,
  'AWS session': `ASIA${caps(16)}`,
  'Azure storage': `AccountKey=${some(80)}==`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Vault: `hvs.${some(24)}`,
  Doppler: `dp.pt.${some(40)}`,
  Terraform: `${some(14)}.atlasv1.${some(60)}`,
  'Slack bot': `xoxb-${'123456789012-'}${some(24)}`,
  'Slack user': `xoxp-${some(24)}`,
  'a Slack hook': `hooks.slack.com/services/T00000000/B00000000/${some(24)}`,
  Stripe: `sk_live_${some(24)}`,
  'a Stripe webhook': `whsec_${some(32)}`,
  Twilio: `SK${hex(32)}`,
  SendGrid: `SG.${some(22)}.${some(43)}`,
  Sentry: `sntrys_${some(40)}`,
  Linear: `lin_api_${some(40)}`,
  Telegram: `123456789:AA${some(33)}`,
  Square: `sq0atp-${some(22)}`,
  'a JSON web token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${some(43)}`,
  'an age key': `AGE-SECRET-KEY-1${caps(58)}`,
  'a private key': `-----BEGIN ${'RSA PRIVATE'} KEY-----\n${some(64)}\n${some(64)}\n-----END ${'RSA PRIVATE'} KEY-----`,
  'a private key in JSON': `-----BEGIN ${'PRIVATE'} KEY-----\\n${some(64)}\\n-----END ${'PRIVATE'} KEY-----\\n`.slice(
    0,
    -2,
  ),
  'a PGP key': `-----BEGIN ${'PGP PRIVATE'} KEY BLOCK-----\n\n${some(64)}\n-----END ${'PGP PRIVATE'} KEY BLOCK-----`,
}

describe('what looks like a credential', () => {
  for (const [name, token] of Object.entries(TOKENS)) {
    test(name, () => {
      for (const around of [
        '%',
        'key=%',
        '"%"',
        'the %, and',
        '{"a":"%"}',
        '\n%\n',
        '(%)',
        'https://x.example/?t=%&b=c',
      ]) {
        assert.equal(
          withoutSecrets(
            around.replace('%', () => token),
            '#',
          ),
          around.replace('%', '#'),
          around,
        )
      }
      assert.equal(withoutSecrets(`${token} ${token}`, '#'), '# #')
    })
  }
})

test('what stands before it stays', () => {
  const rows: [string, string][] = [
    [`authorization: Bearer ${some(30)}==`, 'authorization: Bearer #'],
    [`AUTHORIZATION: bearer ${some(30)}`, 'AUTHORIZATION: bearer #'],
    [`Authorization: Basic ${some(30)}==`, 'Authorization: Basic #'],
    [`aws_secret_access_key = ${some(40)}`, 'aws_secret_access_key = #'],
    [`"AWS_SECRET_ACCESS_KEY": "${some(40)}"`, '"AWS_SECRET_ACCESS_KEY": "#"'],
    ['git clone https://ada:hunter2@git.example/x', 'git clone https://ada:#@git.example/x'],
    ['postgres://:hunter2@localhost/db', 'postgres://:#@localhost/db'],
    ['//registry.example/:_authToken=abcdefgh12', '//registry.example/:_authToken=abcdefgh12'],
    [' _authToken=abcdefgh12', ' _authToken=#'],
    ['_auth = "abcdefgh12"', '_auth = "#"'],
  ]
  for (const [text, expected] of rows) assert.equal(withoutSecrets(text, '#'), expected)
})

test('a private key that is cut off: all there is of it goes, and no more than its text', () => {
  const cut = `{"a":"-----BEGIN ${'PRIVATE'} KEY-----\\n${some(30)}","b":"c"}`
  assert.equal(withoutSecrets(cut, '#'), '{"a":"#","b":"c"}')
})

test('ordinary texts stay as they are', () => {
  const texts = [
    'sk-learn and sk-1 are no keys; ask-me-anything-about-this-very-long-name is a branch',
    'Basic understanding of Bearer tokens',
    'https://user@host.example:8080/path?x=1 and mailto:ada@example.com and http://a.example/b:c',
    'npm_config_registry npm_lifecycle_event hf_hub secret_santa github_pat_ glpat- AKIA',
    'class Basic extends BearerOfNews { eyJ = 1 }',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'Skills SKILL.md sq0 SG.1 12:34:56 hvs. dp.pt. /usr/lib/x.so.6 a1b2c3d4-0000-4000-8000-000000000000',
    'x = y_auth(z); password = read_password()',
  ]
  for (const text of texts) assert.equal(withoutSecrets(text, '#'), text)
})

test('among any texts every one of them goes, and a second look finds nothing more', () => {
  const tokens = fc.constantFrom(...Object.values(TOKENS))
  const texts = fc.array(fc.tuple(fc.string({ maxLength: 5 }), tokens), { maxLength: 6 })
  fc.assert(
    fc.property(texts, (list) => {
      const once = withoutSecrets(list.flat().join(' '), '#')
      for (const [, token] of list) assert.equal(once.includes(token), false)
      assert.equal(withoutSecrets(once, '#'), once)
    }),
  )
})

test('glued to another word a key of the API is found all the same', () => {
  assert.equal(withoutSecrets(`KEYsk-ant-${some(20)}`, '#'), 'KEY#')
})
