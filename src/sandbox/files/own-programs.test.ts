/** What of an installation a command in the sandbox must not touch, by where it is installed. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { findProtectedProgramPaths } from './own-programs.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-own-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function install(place: string, name: string, more: object = {}): string {
  mkdirSync(join(root, place, 'dist'), { recursive: true })
  writeFileSync(join(root, place, 'package.json'), JSON.stringify({ name, ...more }))
  return join(root, place, 'dist/agent.cjs')
}
/** Those in the test's folder. */
const inside = (file: string) =>
  findProtectedProgramPaths(file)
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length + 1))
    .filter((path) => !path.includes('dist/node_modules'))
    .sort()

it('as a dependency: the package, and every place where it would look for others', () => {
  const file = install('app/node_modules/kedge', 'kedge')
  const names = ['sharp', '@vscode/ripgrep', '@anthropic-ai/sandbox-runtime']
  assert.deepEqual(
    inside(file).filter((path) => !path.startsWith('app/node_modules/kedge/node_modules')),
    [
      'app/node_modules/kedge',
      ...['app/node_modules/node_modules', 'app/node_modules', 'node_modules'].flatMap((folder) =>
        names.map((name) => join(folder, name)),
      ),
    ].sort(),
  )
  assert.ok(findProtectedProgramPaths(file).includes(process.execPath))
})

it('packages that are there: where they really are, and what they need', () => {
  const file = install('app/node_modules/kedge', 'kedge')
  install('store/sharp', 'sharp', {
    dependencies: { helper: '1' },
    optionalDependencies: { '@img/here': '1', absent: '1' },
  })
  symlinkSync(join(root, 'store/sharp'), join(root, 'app/node_modules/sharp'))
  install('store/node_modules/helper', 'helper', { dependencies: { helper: '1', '@img/here': '1' } })
  install('node_modules/@img/here', '@img/here')
  const found = inside(file)
  for (const path of ['app/node_modules/sharp', 'store/sharp', 'store/node_modules/helper', 'node_modules/@img/here']) {
    assert.ok(found.includes(path), path)
  }
  // It was found before.
  assert.ok(!found.includes('node_modules/sharp') && !found.some((path) => path.includes('absent')))
})

it('a checkout of ours: what was built; in a bundle of somebody else: that file', () => {
  const built = inside(install('checkout', 'kedge'))
  assert.deepEqual([built.includes('checkout/dist'), built.includes('checkout')], [true, false])
  const bundled = inside(install('service', 'their-service'))
  assert.deepEqual([bundled.includes('service/dist/agent.cjs'), bundled.includes('service/dist')], [true, false])
})

it('of this very installation', () => {
  assert.ok(findProtectedProgramPaths().some((path) => path.endsWith('/dist') || path.endsWith('/kedge')))
})
