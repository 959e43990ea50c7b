/** Every variable of the original, by name: it works, stops the start, or is listed as without effect and shown by the doctor. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startModelServer, testOptions } from 'kedge/testing'
import { INEFFECTIVE_VARIABLES } from '../../src/cli/doctor/set-variables.js'
import { REFUSED_VARIABLES } from '../../src/model/messages-api/refused-variables.js'
import { kedge } from '../first-hour/kedge.js'
import { sampledTest } from '../support/tier.js'

// This file runs from .build/test/contract.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { names }: { names: string[] } = JSON.parse(read('test/contract/original-variables.json'))
const listed = INEFFECTIVE_VARIABLES.map(({ name }) => name)

test('each name of the original is in exactly one list', () => {
  const part = read('docs/compatibility-environment.md')
  const rows = [...part.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name = '', state = '']) => ({ name, state }))
  const refused = Object.keys(REFUSED_VARIABLES)
  assert.deepEqual(new Set(listed).size, listed.length)
  for (const name of names) {
    const places = [rows.some((row) => row.name === name), listed.includes(name)]
    assert.equal(places.filter(Boolean).length, 1, `${name}: ${places.join(', ')}`)
  }
  for (const name of [...listed, ...refused]) assert.ok(names.includes(name), name)
  assert.deepEqual(
    rows.filter(({ state }) => state === 'refused').map(({ name }) => name),
    refused,
  )
})

test('what is listed as without effect is read nowhere, and docs/environment.md says the same', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    // Lists of what folders may set and of what commands don't see; the test kit turns off what others send.
    .filter((path) => !/doctor\/set-variables|settings\/variables|command-environment|testing\//.test(path))
    .map((path) => [path, read(`src/${path}`)] as const)
  for (const name of listed) {
    const readBy = sources.filter(([, text]) => new RegExp(`\\b${name}\\b`).test(text)).map(([path]) => path)
    assert.deepEqual(readBy, [], name)
  }
  const rows = [...read('docs/environment.md').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, name, why]) => [
    name,
    why,
  ])
  assert.deepEqual(
    rows,
    INEFFECTIVE_VARIABLES.map(({ name, why }) => [name, why]),
  )
})

sampledTest('a variable that is refused stops the start, wherever it is set', async () => {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server)
  const inSettings = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json')
  const ask = (env: Record<string, string>, ...flags: string[]) =>
    kedge(['-p', 'Hi', ...flags], { ...options, env: { ...options.env, ...env } })
  assert.deepEqual(Object.keys(REFUSED_VARIABLES), ['CLAUDE_CODE_SHELL_PREFIX'])
  for (const name of Object.keys(REFUSED_VARIABLES)) {
    const text = new RegExp(`^Error: ${name} is set, which Kedge does not support yet: `)
    const asVariable = await ask({ [name]: '1' })
    assert.deepEqual([asVariable.code, asVariable.stdout], [1, ''])
    assert.match(asVariable.stderr, text)
    writeFileSync(inSettings, JSON.stringify({ env: { [name]: 'true' } }))
    const asSetting = await ask({})
    assert.deepEqual([asSetting.code, text.test(asSetting.stderr)], [1, true])
    writeFileSync(inSettings, '{}')
  }
  const models = await kedge(['models'], { ...options, env: { ...options.env, CLAUDE_CODE_SHELL_PREFIX: 'x' } })
  assert.deepEqual([models.code, models.stderr.includes('CLAUDE_CODE_SHELL_PREFIX is set')], [1, true])
  assert.ok(!models.stderr.includes('    at '), models.stderr)
  assert.deepEqual(server.requests, [])
  const off = Object.fromEntries(Object.keys(REFUSED_VARIABLES).map((name) => [name, '0']))
  assert.equal((await ask(off)).code, 0)
})

sampledTest('the doctor shows those that are set', async () => {
  await using server = await startModelServer([])
  const set = Object.fromEntries(listed.map((name) => [name, '1']))
  await using options = testOptions(server)
  const place = { ...options, env: { ...options.env, ...set, CLAUDE_CODE_USE_VERTEX: 'maybe' } }
  const { code, stdout } = await kedge(['doctor', '--json', '--offline'], place)
  const checks: { check: string; state: string; text: string }[] = JSON.parse(stdout).checks
  const found = checks.filter(({ check }) => check === 'variables' || check === 'environment')
  const saying = (name: string) =>
    found.filter(({ text }) => text.split(/\W+/).includes(name)).map(({ state }) => state)
  assert.equal(code, 1)
  assert.deepEqual(saying('CLAUDE_CODE_USE_VERTEX'), ['fail'])
  for (const { name, harmless } of INEFFECTIVE_VARIABLES)
    assert.deepEqual(saying(name), [harmless ? 'ok' : 'warn'], name)
  const { stdout: plain } = await kedge(['doctor', '--json', '--offline'], options)
  assert.deepEqual(
    JSON.parse(plain).checks.filter(({ check }: { check: string }) => check === 'variables'),
    [
      // What the test kit sets.
      {
        check: 'variables',
        state: 'ok',
        text: 'set, but not needed in Kedge: DISABLE_TELEMETRY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
      },
    ],
  )
})
