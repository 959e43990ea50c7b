/** Where the compiled code of the agent is kept, and that nothing but time is lost without it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './installed.js'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const PROGRAM = `
import { KedgeError, query } from './dist/index.js'
const options = { model: 'practice', persistSession: false, ...JSON.parse(process.argv[2] ?? '{}') }
try {
  for await (const message of query({ prompt: 'Say hello.', options }))
    if (message.type === 'result') console.log(message.subtype)
} catch (error) {
  console.log(error instanceof KedgeError, error.constructor.name, error.code)
}
`

describe('the code cache', () => {
  let folder: string
  let dist: string
  let home: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kedge-cache-'))
    dist = join(folder, 'dist')
    home = join(folder, 'home')
    mkdirSync(dist)
    mkdirSync(home)
    for (const name of ['agent.cjs', 'kedge.cjs', 'index.js', 'chunks', 'lazy'])
      cpSync(join(root, 'dist', name), join(dist, name), { recursive: true })
    for (const file of ['package.json']) cpSync(join(root, file), join(folder, file))
    writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const start = async (args: string[], flags: string[] = []) => {
    const env = { PATH: process.env['PATH'], HOME: home, DISABLE_TELEMETRY: '1' }
    const started = run(process.execPath, [...flags, ...args], { cwd: folder, env })
    started.child.stdin?.end()
    const { stdout, stderr } = await started
    assert.equal(stderr, '')
    return stdout.trim()
  }
  const library = (options = {}, flags: string[] = []) => start(['program.mjs', JSON.stringify(options)], flags)
  const command = () => start([join(dist, 'kedge.cjs'), '-p', '--model', 'practice', 'Say hello.'])
  const cached = (what = 'agent', place = join(dist, 'cache')) => {
    try {
      return readdirSync(place).filter((name) => name.endsWith('.cache') && name.includes(`-${what}-v`))
    } catch {
      return []
    }
  }
  const inHome = () => cached('agent', join(home, '.cache/kedge'))

  test('a build makes that of the agent, and that of what a command needs', () => {
    const { outputs } = JSON.parse(readFileSync(join(root, 'dist', '.built'), 'utf8')) as { outputs: object }
    const made = Object.keys(outputs).filter((path) => path.startsWith('/cache/'))
    const names = made.map((path) => /[0-9a-f]{16}-([\w-]+)-v\d/.exec(path)?.[1])
    assert.deepEqual(names.sort(), ['agent', 'permissions-shell'])
  })

  test('a first query in the process leaves one beside the package, and nothing in the home', async () => {
    assert.equal(await library(), 'success')
    assert.equal(cached().length, 1)
    assert.deepEqual(inHome(), [])
  })

  test('command and library share it; asking for the version makes none, since it needs a tenth of the code', async () => {
    const [made = ''] = cached()
    const before = readFileSync(join(dist, 'cache', made))
    await command()
    assert.deepEqual(cached(), [made])
    assert.ok(readFileSync(join(dist, 'cache', made)).equals(before))
    rmSync(join(dist, 'cache'), { recursive: true })
    await start([join(dist, 'kedge.cjs'), '--version'])
    assert.deepEqual([cached(), inHome()], [[], []])
    await command()
    assert.deepEqual(cached(), [made])
  })

  test('one that V8 does not take is replaced; with other flags of V8 there is a second one', async () => {
    const [made = ''] = cached()
    writeFileSync(join(dist, 'cache', made), 'not what V8 wrote')
    assert.equal(await library(), 'success')
    assert.ok(readFileSync(join(dist, 'cache', made)).length > 100_000)
    assert.equal(await library({}, ['--no-warnings']), 'success')
    assert.equal(cached().length, 1)
    assert.equal(await library({}, ['--stack-size=900']), 'success')
    assert.equal(cached().length, 2)
  })

  test('what is loaded on first use has one of its own, which is replaced like the other', async () => {
    const part = 'model-practice-practice'
    const path = join(dist, 'cache', cached(part).find((name) => name.endsWith(`${process.arch}.cache`)) ?? '')
    assert.ok(statSync(path).size > 1000)
    writeFileSync(path, 'not what V8 wrote')
    assert.equal(await library(), 'success')
    assert.ok(statSync(path).size > 1000)
    const before = statSync(path).mtimeMs
    // Not all of it is ASCII.
    assert.match(await command(), /“Say hello\.”/)
    assert.equal(statSync(path).mtimeMs, before)
  })

  test('a part of another build is not run from a cache', async () => {
    const [part, file] = ['model-practice-practice', join(dist, 'lazy', 'model-practice-practice.cjs')]
    const code = readFileSync(file, 'utf8')
    assert.match(code, /\n\/\/[0-9a-f]{16}\n$/)
    rmSync(join(dist, 'cache'), { recursive: true })
    writeFileSync(file, code.replace(/[0-9a-f]{16}\n$/, `${'0'.repeat(16)}\n`))
    assert.equal(await library(), 'success')
    assert.deepEqual([cached().length, cached(part).length], [1, 0])
    writeFileSync(file, code)
    assert.equal(await library(), 'success')
    assert.deepEqual([cached().length, cached(part).length], [1, 1])
  })

  test('errors of the agent are of the classes that the library exports', async () => {
    assert.equal(await library({ cwd: join(folder, 'nowhere') }), 'true KedgeError invalid_cwd')
  })

  test('a package that nobody may write has its cache in the home', { skip: isRoot && 'root may' }, async () => {
    rmSync(join(dist, 'cache'), { recursive: true })
    chmodSync(dist, 0o555)
    try {
      assert.equal(await library(), 'success')
      assert.equal(inHome().length, 1)
    } finally {
      chmodSync(dist, 0o755)
    }
  })

  test('a place that can not be a folder is passed over for the home', async () => {
    rmSync(join(dist, 'cache'), { recursive: true, force: true })
    writeFileSync(join(dist, 'cache'), '')
    assert.equal(await library(), 'success')
    assert.equal(inHome().length, 1)
    rmSync(join(dist, 'cache'))
  })

  test('a bundle of another build is not run: the library has the agent as modules, the command says so', async () => {
    const bundle = join(dist, 'agent.cjs')
    const code = readFileSync(bundle, 'latin1')
    writeFileSync(bundle, `throw new Error('of another build')//${'0'.repeat(16)}`)
    assert.equal(await library(), 'success')
    await assert.rejects(command(), /is not of this build: install the package again/)
    writeFileSync(bundle, code)
  })
})
