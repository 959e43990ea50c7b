import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import fc from '../../../../test/fast-check.js'
import { byTier } from '../../../../test/support/tier.js'
import { KedgeError } from '../../../errors.js'
import { formatManifest, parseManifest } from './archive-manifest.js'

const RUNS = byTier({ quick: 375, all: 1500, long: 20_000 })

const file = (path: string) => ({ path, mode: 0o644, size: 1, sha256: 'a'.repeat(64), epoch: 1 })
const manifest = (files: string[], links: [string, string][] = [], folders: string[] = []) =>
  JSON.stringify({
    format: 1,
    files: files.map(file),
    folders,
    links: links.map(([path, target]) => ({ path, target })),
  })

it('what is written is what is read, and the same files are the same text', () => {
  const given = {
    files: [file('b/c'), file('a')],
    links: [{ path: 'd/e', target: '../a' }],
    folders: ['f/g'],
  }
  const text = formatManifest(given)
  assert.deepEqual(parseManifest(text), { ...given, files: [file('a'), file('b/c')] })
  assert.equal(formatManifest({ ...given, files: [...given.files].reverse() }), text)
})

const refused: [string, string][] = [
  ...['/etc/passwd', '../x', 'a/../../x', 'a//b', './a', 'a/.', '', 'a\\b', 'a\0b', `${'x'.repeat(300)}`].map(
    (path): [string, string] => [`a path ${JSON.stringify(path.slice(0, 20))}`, manifest([path])],
  ),
  ['a file twice', manifest(['a', 'a'])],
  ['a file below a file', manifest(['a', 'a/b'])],
  ['a file below a link', manifest(['a/b'], [['a', 'c']])],
  ['a folder that is a link', manifest([], [['a', 'c']], ['a'])],
  ['a folder below a link', manifest([], [['a', 'c']], ['a/b'])],
  ...['/etc', '..', '../../x', 'x/../../..', 'b/c/../x', ''].map((target): [string, string] => [
    `a link to ${JSON.stringify(target)}`,
    manifest([], [['l', target]]),
  ]),
  ['no JSON', '{'],
  ['another version', '{"format":2}'],
  ['a size that is none', manifest(['a']).replace('"size":1', '"size":-1')],
  ['a hash that is a path', manifest(['a']).replace('a'.repeat(64), '../../x')],
]

it('a list that would lead out of its folder is refused', () => {
  for (const [what, text] of refused)
    assert.throws(() => parseManifest(text), { code: 'workspace_lost' }, `${what} was taken`)
})

it('whatever a list says, everything that is written is below its folder', () => {
  const outside = mkdtempSync(join(tmpdir(), 'kedge-manifest-'))
  const root = join(outside, 'deep/root')
  const part = fc.constantFrom(...'abcdefgh', ...'abcdefgh', '..', '.', '')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const target = fc.oneof(
    path,
    path.map((one) => `../${one}`),
    path.map((one) => `../../${one}`),
    path.map((one) => `/${one}`),
  )
  const list = { files: fc.array(path, { maxLength: 3 }), links: fc.array(fc.tuple(path, target), { maxLength: 4 }) }
  let taken = 0
  fc.assert(
    fc.property(fc.record({ ...list, folders: fc.array(path, { maxLength: 2 }) }), ({ files, links, folders }) => {
      let read: ReturnType<typeof parseManifest>
      try {
        read = parseManifest(manifest(files, links, folders))
      } catch (error) {
        assert.ok(KedgeError.isInstance(error) && error.code === 'workspace_lost')
        return
      }
      taken += 1
      rmSync(root, { recursive: true, force: true })
      mkdirSync(root, { recursive: true })
      const all = [...read.files, ...read.links]
      for (const one of [...all.map((each) => dirname(each.path)), ...read.folders])
        mkdirSync(join(root, one), { recursive: true })
      for (const one of read.files) writeFileSync(join(root, one.path), '', { flag: 'wx' })
      for (const one of read.links) symlinkSync(one.target, join(root, one.path))
      assert.deepEqual([readdirSync(outside), readdirSync(join(outside, 'deep'))], [['deep'], ['root']])
      // A link may lead nowhere, or to itself; where it leads somewhere, that is inside.
      for (const one of read.links) {
        let real = root
        try {
          real = realpathSync(join(root, one.path))
        } catch {}
        assert.ok(real === root || real.startsWith(`${root}/`), `${one.path} -> ${one.target} leads to ${real}`)
      }
    }),
    { numRuns: RUNS },
  )
  assert.ok(taken > RUNS / 15, `only ${taken} lists were taken`)
  rmSync(outside, { recursive: true })
})
