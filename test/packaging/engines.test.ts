/** What installing says on the oldest Node that is supported. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Locked = { version: string; optional?: boolean; engines?: { node?: string } }
const OLDEST = 20

/**
 * npm warns of what the lock file says. The generator of our schemas and the AI SDK, which only tests need, ask for Node 22 in
 * their own package.json and run on Node 20, where CI runs them every day; so the lock file does not repeat that, and this is
 * what notices when it comes back.
 */
test('npm ci has nothing to warn of on Node 20', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> } // npm's own
  const tooNew = Object.entries(packages).filter(
    ([, { optional, engines }]) => !optional && engines?.node !== undefined && !runsOn(OLDEST, engines.node),
  )
  assert.deepEqual(
    tooNew.map(([path, { version, engines }]) => `${path} ${version} wants ${engines?.node}`),
    [],
  )
  assert.deepEqual([runsOn(20, '^22.18.0 || >=24.11.0'), runsOn(20, '>=22.0.0')], [false, false])
  assert.deepEqual([runsOn(20, '^18 || ^20.9.0'), runsOn(20, '20 || >=22'), runsOn(20, '>= 14.16')], [true, true, true])
})

function runsOn(major: number, range: string): boolean {
  return range.split('||').some((part) => {
    const [, sign = '', from = '0'] = /^\s*([<>=^~]*)\s*v?(\d+|\*)/.exec(part) ?? []
    if (from === '*') return true
    return sign.startsWith('>') ? Number(from) <= major : Number(from) === major
  })
}
