/**
 * The tutorials and the sample of the README, followed to the letter: files are saved as the page says, commands are typed as they
 * stand, and the output is what the page prints. The package is a copy of what is packed, in a folder beside, where the tutorials
 * expect a clone.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe } from 'node:test'
import { sampledTest as test } from '../support/tier.js'

type Step =
  | { kind: 'save'; file: string; code: string }
  | { kind: 'type'; code: string }
  | { kind: 'printed'; code: string }

const SHOWN_FOLDER = '/home/ada/my-agent'
const place = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-tutorials-')))
const home = join(place, 'home')
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TMPDIR: tmpdir(),
  PORT: '0',
  // Nothing is fetched and nothing built: the package is there, and whole.
  npm_config_offline: 'true',
  npm_config_omit: 'optional',
  npm_config_ignore_scripts: 'true',
}
let cwd = place

describe('the tutorials', () => {
  before(() => {
    mkdirSync(home)
    // What npm would pack, without the packing.
    const { files, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const name of ['package.json', ...files.filter((each: string) => !/^!|^docs$/.test(each))])
      cpSync(name, join(place, 'kedge', name), { recursive: true })
    // A lock file needs the registry for these.
    const { optionalDependencies, devDependencies, ...rest } = manifest
    assert.ok(optionalDependencies && devDependencies)
    writeFileSync(join(place, 'kedge', 'package.json'), JSON.stringify({ ...rest, files }))
  })
  after(() => rmSync(place, { recursive: true, force: true }))

  test('a first agent: it works, then it is denied, each with the output of the page', () => {
    const steps = stepsOf('docs/first-agent.md', '## 4.')
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['type', 'save', 'type', 'printed', 'type', 'printed'],
    )
    follow(steps)
  })

  test('the sample of the README prints what it says', () => {
    rmSync(join(cwd, 'notes.txt'), { force: true })
    const readme = readFileSync('README.md', 'utf8')
    const [sample, printed, ...others] = stepsIn(readme.slice(readme.indexOf('## Ten lines'), readme.indexOf('## Why')))
    assert.ok(sample?.kind === 'save' && printed?.kind === 'printed' && others.length === 0)
    follow([sample, { kind: 'type', code: `node ${sample.file}` }, printed])
  })

  test('a tested agent in CI', () => {
    const passes = /^(?:#|ℹ) pass 1$/m
    for (const step of stepsOf('docs/test-in-ci.md')) {
      if (step.kind === 'save') save(step.file, step.code)
      else assert.match(type(step.code), passes)
    }
    const workflow = readFileSync(join(cwd, '.github/workflows/test.yml'), 'utf8')
    const runs = [...workflow.matchAll(/- run: (.*)$/gm)].map(([, command = '']) => command)
    assert.deepEqual(runs, ['npm ci', 'npm test'])
    // What the workflow does on another machine, which has only what was committed.
    const checkout = join(place, 'elsewhere', 'checkout')
    cpSync(cwd, checkout, { recursive: true, filter: (path) => !/[\\/]node_modules$/.test(path) })
    const { stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', runs.join('\n')], {
      cwd: checkout,
      env,
      encoding: 'utf8',
    })
    assert.match(stdout, passes, stderr)
    // A wrong agent fails it.
    writeFileSync(join(cwd, 'summary.mjs'), "export const summary = async () => 'I did not look.'\n")
    assert.notEqual(spawnSync(process.execPath, ['--test'], { cwd, env }).status, 0)
  })
})

/** Saves, types and compares, step by step. */
function follow(steps: Step[]): void {
  let printed = ''
  for (const step of steps) {
    if (step.kind === 'save') save(step.file, step.code)
    else if (step.kind === 'type') printed = type(step.code)
    else assert.equal(printed.replaceAll(cwd, SHOWN_FOLDER).trim(), step.code.trim())
  }
}

/** The steps of a page, up to a heading. */
function stepsOf(page: string, end?: string): Step[] {
  const text = readFileSync(page, 'utf8')
  return stepsIn(end === undefined ? text : text.slice(0, text.indexOf(`\n${end}`)))
}

/** Blocks of a text: a file where the words before say "save this as", else commands, or what they print. */
function stepsIn(text: string): Step[] {
  let from = 0
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 0: whole, 1: lang, 2: code = '', index }) => {
    const words = text.slice(from, index)
    from = index + whole.length
    if (lang === 'sh') return { kind: 'type', code: code.trim() }
    if (lang === 'text') return { kind: 'printed', code }
    const file = /this as\s+`([^`]+)`/i.exec(words)?.[1]
    assert.ok(file, `a block has no name: ${code.slice(0, 60)}`)
    return { kind: 'save', file, code }
  })
}

function save(file: string, code: string): void {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), code)
}

/** Where a `cd` leads, the next commands are typed. */
function type(commands: string): string {
  const where = join(place, 'where')
  const line = `${commands}\npwd > '${where}'`
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', line], { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${commands}\n${stdout}\n${stderr}`)
  cwd = readFileSync(where, 'utf8').trim()
  return stdout
}
