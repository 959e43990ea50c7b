import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { KedgeError } from '../../errors.js'
import { parseWorkspaceSpec } from './parse-workspace.js'

const GIT = { kind: 'git', remote: 'https://git.example/ada/project.git' }
const KEYS = { accessKeyId: 'KEDGE_SECRET_ID', secretAccessKey: 'KEDGE_SECRET_KEY' }
const ARCHIVE = {
  kind: 'archive',
  endpoint: 'https://s3.example',
  bucket: 'sessions',
  region: 'eu-central-1',
  credentials: KEYS,
}

it('what a row says is taken as it is, and nothing is no files', () => {
  const whole = [
    { kind: 'none' },
    { kind: 'folder', path: '/home/ada/project', shared: true },
    { kind: 'folder', path: '/home/ada/project', shared: false, machine: 'one' },
    GIT,
    {
      kind: 'git',
      remote: GIT.remote,
      ref: 'feature/x@2',
      setup: ['npm', 'ci', ''],
      credentials: { user: 'ada', password: 'KEDGE_SECRET_GIT' },
    },
    { kind: 'git', remote: 'git@git.example:ada/project.git' },
    { kind: 'git', remote: 'ssh://git@git.example/ada/project.git' },
    { kind: 'git', remote: '/srv/project.git' },
    ARCHIVE,
    { ...ARCHIVE, prefix: 'a/b', setup: ['make'], leaveOut: ['*.iso'] },
  ]
  for (const one of whole) assert.deepEqual(parseWorkspaceSpec(one), one)
  for (const nothing of [null, undefined]) assert.deepEqual(parseWorkspaceSpec(nothing), { kind: 'none' })
})

const wrong: [unknown, string][] = [
  ['git', 'workspace must'],
  [{ kind: 'cloud' }, 'workspace.kind'],
  [{ kind: 'none', path: '/' }, 'workspace.path is not known'],
  [{ kind: 'folder', path: 'a/b', shared: true }, 'workspace.path'],
  [{ kind: 'folder', path: '/a' }, 'workspace.shared'],
  [{ kind: 'folder', path: '/a', shared: false }, 'workspace.machine'],
  [{ kind: 'folder', path: '/a', shared: true, machine: 'one' }, 'workspace.machine'],
  ...['ext::sh -c x', '--upload-pack=x', 'https://ada:hidden@git.example/x', 'https://hidden@git.example/x', 'x'].map(
    (remote): [unknown, string] => [{ kind: 'git', remote }, 'workspace.remote'],
  ),
  ...['--x', 'a..b', 'a b', 'x.lock', 'HEAD@{1}', 'a:b'].map((ref): [unknown, string] => [
    { ...GIT, ref },
    'workspace.ref',
  ]),
  [{ ...GIT, setup: 'npm ci' }, 'workspace.setup'],
  [{ ...GIT, setup: [] }, 'workspace.setup'],
  [{ ...GIT, setup: ['a', 1] }, 'workspace.setup[1]'],
  [{ ...GIT, credentials: { password: 'hidden' } }, 'workspace.credentials.password'],
  [{ ...GIT, remote: '/srv/a.git', credentials: { password: 'KEDGE_SECRET_A' } }, 'workspace.credentials are'],
  [{ ...ARCHIVE, endpoint: 'ftp://s3.example' }, 'workspace.endpoint'],
  [{ ...ARCHIVE, endpoint: 'https://ada:hidden@s3.example' }, 'workspace.endpoint'],
  [{ ...ARCHIVE, bucket: 'A/b' }, 'workspace.bucket'],
  [{ ...ARCHIVE, region: '' }, 'workspace.region'],
  [{ ...ARCHIVE, prefix: '../x' }, 'workspace.prefix'],
  [{ ...ARCHIVE, leaveOut: ['a/b'] }, 'workspace.leaveOut'],
  [{ ...ARCHIVE, credentials: { ...KEYS, secretAccessKey: 'hidden' } }, 'workspace.credentials.secretAccessKey'],
  [{ ...ARCHIVE, credentials: { ...KEYS, more: 'hidden' } }, 'workspace.credentials.more'],
]

it('an error names the field, and shows no secret', () => {
  for (const [json, field] of wrong) {
    assert.throws(
      () => parseWorkspaceSpec(json),
      (error: KedgeError) => {
        assert.ok(error.message.startsWith(field), `${error.message} is not about ${field}`)
        assert.doesNotMatch(error.message, /hidden/)
        return error.code === 'workspace_invalid'
      },
    )
  }
})

it('whatever a row holds is an answer or that error', () => {
  const kinds = fc.constantFrom('none', 'folder', 'git', 'archive')
  const odd = fc.record(
    { kind: kinds, remote: fc.string(), path: fc.string(), ref: fc.jsonValue() },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), odd), (json) => {
      try {
        assert.ok(parseWorkspaceSpec(json).kind)
      } catch (error) {
        assert.ok(KedgeError.isInstance(error) && error.code === 'workspace_invalid')
      }
    }),
  )
})
