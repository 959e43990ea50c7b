/**
 * The three tasks of the README, followed to the letter: files are saved as it says, commands are typed as they stand, and what it
 * says is printed must be. The package is a copy of what is packed, in a folder beside, where the README expects a clone.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe } from 'node:test'
import { sampledTest as test } from '../support/tier.js'

type Step =
  | { kind: 'save'; file: string; code: string }
  | { kind: 'type'; code: string }
  | { kind: 'printed'; code: string }

const readme = readFileSync('README.md', 'utf8')
const place = mkdtempSync(join(tmpdir(), 'kedge-readme-'))
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

describe('the tasks of the README', () => {
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

  test('a first query in a project of one’s own', () => {
    const steps = stepsOf('A first query in a project of yours')
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['type', 'save', 'type', 'printed'],
    )
    let printed = ''
    for (const step of steps) {
      if (step.kind === 'save') save(step.file, step.code)
      else if (step.kind === 'type') printed = type(step.code)
      else assert.equal(printed.trim(), step.code.trim())
    }
  })

  test('an approval in a page of one’s own: nothing runs before the yes, and then it does', async () => {
    const steps = stepsOf('An approval in a web page of yours')
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['save', 'type'],
    )
    const [page, start] = steps
    assert.ok(page?.kind === 'save' && start?.code === 'node server.mjs')
    save(page.file, page.code)
    const server = spawn('bash', ['-c', `exec ${start.code}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [address] = await once(server.stdout.setEncoding('utf8'), 'data')
      const url = address.trim()
      assert.match(await (await fetch(url)).text(), /<button>Ask<\/button>/)
      assert.deepEqual(await ask(url, false), { asked: ['Bash'], made: false, ended: 'success' })
      assert.deepEqual(await ask(url, true), { asked: ['Bash'], made: true, ended: 'success' })
    } finally {
      server.kill('SIGKILL')
    }
  })

  test('a tested agent in CI', () => {
    const passes = /^(?:#|ℹ) pass 1$/m
    for (const step of stepsOf('A tested agent in CI')) {
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

  /** As the page does it: a prompt, a card, an answer. */
  async function ask(url: string, allow: boolean) {
    const folder = join(cwd, 'approved')
    const asked: string[] = []
    let ended = ''
    const { body } = await post(`${url}/ask`, { prompt: 'run `mkdir approved`' })
    let rest = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map((each) => JSON.parse(each))) {
        if (line.type === 'result') ended = line.subtype
        if (!line.permission) continue
        assert.equal(existsSync(folder), false)
        asked.push(line.permission.tool)
        await post(`${url}/decide`, { id: line.permission.id, allow })
      }
    }
    return { asked, made: existsSync(folder), ended }
  }
})

function post(url: string, data: object): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(data) })
}

/** Blocks below a heading: a file where the text before says "save this as", else commands, or what they print. */
function stepsOf(heading: string): Step[] {
  const start = readme.indexOf(`### ${heading}\n`)
  assert.ok(start > 0, heading)
  const end = readme.slice(start + 4).search(/^##/m) + start + 4
  const section = readme.slice(start, end)
  let from = 0
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 0: whole, 1: lang, 2: code = '', index }) => {
    const words = section.slice(from, index)
    from = index + whole.length
    if (lang === 'sh') return { kind: 'type', code: code.trim() }
    if (lang === 'text') return { kind: 'printed', code }
    const file = /this as\s+`([^`]+)`/.exec(words)?.[1]
    assert.ok(file, `a block of ${heading} has no name`)
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
