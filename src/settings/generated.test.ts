/** The generated family of the rows F: every known key, wrong in every way, in every file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInPart } from '../../test/support/tier.js'
import type { FileStat } from '../platform/files/files.js'
import { settingsShape } from './keys/known-keys.js'
import type { ObjectShape, Shape } from './keys/shape.js'
import type { SettingsFileAccess } from './read-file-text.js'
import type { SettingsSource } from './setting-problems.js'
import { createTestSettings } from './test-settings.js'

type PathPart = string | number | { beside: object }
type Key = { path: PathPart[]; name: string; shape: Shape; strict: boolean; managedOnly: boolean }

/** Every place of a value, with one element for each list and map. */
function keys(shape: Shape, from: Omit<Key, 'shape'>): Key[] {
  const strict = from.strict || shape.strict === true
  const here = { ...from, strict, managedOnly: from.managedOnly || shape.managedOnly === true, shape }
  const deeper = (part: string | number) => ({
    ...here,
    path: [...from.path, part],
    name: typeof part === 'number' ? `${from.name}[${part}]` : from.name === '' ? part : `${from.name}.${part}`,
  })
  if (shape.kind === 'list') return [here, ...keys(shape.of, deeper(0))]
  if (shape.kind === 'map') return [here, ...keys(shape.of, deeper('SOME_NAME'))]
  if (shape.kind === 'variant') {
    const variantOf = (kind: string, { needs = [] }: ObjectShape): Omit<Key, 'shape'> => {
      const beside = { [shape.by]: kind, ...Object.fromEntries(needs.map((key) => [key, 'https://x'])) }
      return { ...here, path: [...from.path, { beside }] }
    }
    const parts = Object.entries(shape.of).flatMap(([kind, of]) => keys(of, variantOf(kind, of)).slice(1))
    return [here, ...parts]
  }
  if (shape.kind !== 'object') return [here]
  return [here, ...Object.entries(shape.keys).flatMap(([key, child]) => keys(child, deeper(key)))]
}

const VARIANTS = ['null', 'wrong type', 'empty', 'huge', 'unknown'] as const
type Variant = (typeof VARIANTS)[number]
/** `value` undefined: there is no such case. `right`: it is a value like others. */
type Case = { value: unknown; right?: boolean } | undefined

const HUGE = 'SECRET'.repeat(30_000)

function makeCase(shape: Shape, variant: Variant, asText: boolean): Case {
  if (variant === 'null') return { value: null }
  switch (shape.kind) {
    case 'text':
      return {
        'wrong type': { value: asText ? ['SECRET'] : 4711 },
        empty: { value: '', right: shape.mayBeEmpty },
        huge: { value: HUGE },
        unknown: shape.rule && { value: 'SECRET(' },
      }[variant]
    case 'number':
      return { 'wrong type': { value: '5' }, empty: { value: '' }, huge: { value: 1e300 }, unknown: { value: -1 } }[
        variant
      ]
    case 'switch':
      return { 'wrong type': { value: 1 }, empty: { value: '' }, huge: { value: HUGE }, unknown: { value: 'SECRET' } }[
        variant
      ]
    case 'choice':
      return {
        'wrong type': { value: true },
        empty: { value: '' },
        huge: { value: HUGE },
        unknown: { value: 'SECRET' },
      }[variant]
    case 'list':
      return {
        'wrong type': { value: { 0: 'SECRET' } },
        empty: { value: [], right: true },
        huge: { value: Array(20_000).fill(null) },
        unknown: { value: 'SECRET' },
      }[variant]
    case 'map':
      return {
        'wrong type': { value: ['SECRET'] },
        empty: { value: {}, right: true },
        huge: { value: HUGE },
        unknown: { value: 5 },
      }[variant]
    case 'json':
      return { 'wrong type': { value: ['SECRET'] }, empty: { value: {}, right: true }, huge: { value: HUGE } }[
        variant as 'huge'
      ]
    case 'variant':
      return { 'wrong type': { value: ['SECRET'] }, empty: { value: {} }, huge: { value: HUGE } }[variant as 'huge']
    case 'object':
      return {
        'wrong type': { value: ['SECRET'] },
        empty: { value: {}, right: !shape.needs },
        huge: { value: HUGE },
        unknown: { value: 'SECRET' },
      }[variant]
  }
}

/** What an object needs beside one of its keys to be right. */
const BESIDE: Record<string, object> = {
  matcher: { hooks: [] },
  padding: { type: 'command', command: 'x' },
  args: { command: 'x' },
}

function around(path: readonly PathPart[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => {
    if (typeof part === 'object') return { ...part.beside, ...Object(inner) }
    return typeof part === 'number' ? [inner] : { ...BESIDE[part], [part]: inner }
  }, value)
}

/** Thousands of real files would take their time; how those are read is tested elsewhere. */
function inMemory(disk: ReadonlyMap<string, string>): SettingsFileAccess {
  const stat: FileStat = { kind: 'file', size: 0, mtimeMs: 0, mode: 0o600, dev: 1, ino: 1, uid: 0, links: 1 }
  return {
    lstat: async () => undefined,
    realpath: async (path) => {
      if (disk.has(path)) return path
      throw Object.assign(new Error(path), { code: 'ENOENT' })
    },
    snapshot: async (path) => ({ stat, content: new TextEncoder().encode(disk.get(path)) }),
  }
}

const SCOPES: SettingsSource[] = ['userSettings', 'projectSettings', 'localSettings', 'managedSettings']

test('every known key, wrong in every way, in every file: one file’s error is its own, and nothing gets wider', async () => {
  const start = { path: [], name: '', strict: false, managedOnly: false }
  // Of the events one with the strict hooks and one with the usual ones is enough.
  const all = keys(settingsShape, start)
    .filter(({ path }) => path.length > 0)
    .filter(({ path }) => path[0] !== 'hooks' || path.length === 1 || path[1] === 'PreToolUse' || path[1] === 'Stop')
  let count = 0
  for (const scope of SCOPES) {
    using at = createTestSettings()
    const disk = new Map<string, string>()
    const write = (source: SettingsSource, content: object) => disk.set(at.path(source), JSON.stringify(content))
    write(scope === 'managedSettings' ? 'userSettings' : 'managedSettings', {
      permissions: { deny: ['Bash(rm *)'] },
      outputStyle: 'kept',
    })
    for (const { path, name, shape, strict, managedOnly } of all) {
      for (const variant of VARIANTS) {
        const made = makeCase(shape, variant, path[0] === 'env')
        // These cases take nearly all of the time.
        if (!made || (variant === 'huge' && !isInPart(`${scope} ${name}`))) continue
        count += 1
        const label = `${scope} ${name} ${variant}`
        write(scope, { $schema: 'x', includeCoAuthoredBy: true, ...Object(around(path, made.value)) })
        const { merged, problems } = await at.load({ trusted: true, files: inMemory(disk) })
        // Every wrong value is reported, under its own name, and refuses the start where leaving it out would widen.
        const isFirm = shape.firm === true && variant !== 'empty'
        const isUsed = !(managedOnly && scope !== 'managedSettings')
        const about = problems.filter(({ key = '' }) => key.startsWith(name) || name.startsWith(key))
        const held = problems.some(({ withheld }) => withheld)
        assert.deepEqual(about, problems, label)
        if (made.right)
          assert.deepEqual(
            problems.filter(({ severity, withheld }) => severity === 'refuse' && !withheld),
            [],
            label,
          )
        else {
          assert.ok(problems.length > 0, label)
          assert.equal(
            problems.some(({ severity }) => severity === 'refuse'),
            (strict || isFirm) && !held && isUsed,
            label,
          )
        }
        for (const { source, message } of problems) {
          assert.equal(source, scope, label)
          assert.ok(message.length < 1000, label)
          assert.ok(shape.kind === 'text' && shape.rule ? true : !message.includes('SECRET'), label)
        }
        // The rest of the file, and the other file, hold; nothing was allowed.
        const wide = { ...merged.permissions, deny: undefined, ask: undefined }
        assert.deepEqual(
          Object.values(wide)
            .flat()
            .filter((value) => value !== undefined),
          [],
          label,
        )
        assert.ok(merged.permissions?.deny?.includes('Bash(rm *)'), label)
        assert.equal(merged.outputStyle, 'kept', label)
        if (name !== 'includeCoAuthoredBy') assert.equal(merged.includeCoAuthoredBy, true, label)
      }
    }
  }
  assert.ok(count >= 1000, `${count} cases`)
})
