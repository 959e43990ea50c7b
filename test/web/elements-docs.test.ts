/** The tutorials with elements, followed to the letter in a real browser, and the example of a page. */
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedBrowser, watch, whyNoBrowser } from './browser.js'
import { ready, say } from './elements-stage.js'
import { axeProblems } from './page-stage.js'

const place = mkdtempSync(join(tmpdir(), 'kedge-elements-'))
after(() => rmSync(place, { recursive: true, force: true }))

/** A project that has the package, in which the files of a page are saved as it says. */
function newProject(name: string, page?: string): string {
  const folder = join(place, name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(process.cwd(), join(folder, 'node_modules', 'kedge'))
  if (page === undefined) return folder
  const saved = readFileSync(page, 'utf8').matchAll(
    /Save this as\s+`([^`]+)`[^`]*?(?:`[^`]+`[^`]*?)*```\w+\n([\s\S]*?)^```$/gm,
  )
  for (const [, file = '', code = ''] of saved) writeFileSync(join(folder, file), code)
  return folder
}

/** Everything a page says is typed: `node server.mjs`. */
const commandOf = (page: string) => /^```sh\n(.*)\n```$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? ''

type Running = Disposable & { address: string; program: ChildProcessByStdio<null, Readable, null> }

async function start(cwd: string, command: string): Promise<Running> {
  assert.match(command, /^node [\w/-]+\.mjs$/)
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), PORT: '0' }
  const program = spawn('bash', ['-c', `exec ${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(program.stdout.setEncoding('utf8'), 'data')
  const [address = ''] = /http\S+/.exec(line) ?? []
  return { address, program, [Symbol.dispose]: () => void program.kill('SIGKILL') }
}

async function open(address: string, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await (await sharedBrowser()).newContext()
  const problems: string[] = []
  watch(context, new URL(address).origin, problems)
  const page = await context.newPage()
  await page.goto(address)
  await work(page)
  assert.deepEqual(await axeProblems(page), [])
  assert.deepEqual(problems, [])
  await context.close()
}

describe('pages with elements', { skip: whyNoBrowser !== undefined }, () => {
  test('the approval page: nothing runs before a user allows it, and then it does', async () => {
    const tutorial = 'docs/approval-page.md'
    const folder = newProject('approvals', tutorial)
    assert.ok(readFileSync(join(folder, 'approvals.html'), 'utf8').trim().split('\n').length <= 10)
    for (const [key, isMade] of [
      ['n', false],
      ['y', true],
    ] as const) {
      using running = await start(folder, commandOf(tutorial))
      const { program, address } = running
      let printed = ''
      program.stdout.on('data', (text: string) => {
        printed += text
      })
      const ended = once(program, 'exit')
      await open(address, async (page) => {
        await ready(page.locator('kedge-inbox'), key).click()
        await page.getByText("You're all caught up.").waitFor()
      })
      assert.deepEqual(await ended, [0, null])
      assert.notEqual(printed, '')
      assert.equal(existsSync(join(folder, 'approved')), isMade)
    }
  })

  test('an agent in a web page: a prompt, an approval, and the folder is there', async () => {
    const tutorial = 'docs/agent-in-page.md'
    const folder = newProject('agent', tutorial)
    using running = await start(folder, commandOf(tutorial))
    const [, prompt = ''] = /send this prompt:\n\n```text\n(.*)\n/.exec(readFileSync(tutorial, 'utf8')) ?? []
    await open(running.address, async (page) => {
      const element = page.locator('kedge-session')
      await say(element, prompt)
      await ready(element, 'y').click()
      await element.getByText('Allowed Bash once').waitFor()
      await element.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    })
    assert.equal(existsSync(join(folder, 'from-page')), true)
  })

  test('the example examples/web-page: a denied call, and the page hears of it', async () => {
    const folder = newProject('example')
    cpSync('examples/web-page', join(folder, 'site'), { recursive: true })
    using running = await start(folder, 'node site/server.mjs')
    await open(running.address, async (page) => {
      const element = page.locator('kedge-session')
      await say(element, 'run `mkdir from-example`')
      await ready(element, 'n').click()
      await element.getByText('Denied Bash').waitFor()
      await page.getByText('You decided: deny Bash').waitFor()
      await element.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    })
    assert.equal(existsSync(join(folder, 'from-example')), false)
  })
})
