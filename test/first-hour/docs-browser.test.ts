/** The documentation site in a real browser: search from the disk, light and dark, on a phone. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const why = existsSync(executablePath) ? undefined : `no ${executablePath}`
const skip = why ?? (process.env['KEDGE_LONG'] ? false : 'only in npm run test:long')

describe('in a real browser', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'kedge-browser-'))
  let browser: Browser
  before(async () => {
    const { buildSite } = await import(pathToFileURL(join(process.cwd(), 'scripts', 'docs', 'build-site.mjs')).href)
    await buildSite(process.cwd(), join(place, 'site'))
    browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  })
  after(async () => {
    await browser?.close()
    rmSync(place, { recursive: true, force: true })
  })

  test('search finds a name, and leads to it, without a server and without another host', async () => {
    const context = await browser.newContext({ colorScheme: 'light' })
    const asked: string[] = []
    const problems: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
    await page.goto(pathToFileURL(join(place, 'site', 'index.html')).href)
    await page.keyboard.press('/')
    await page.keyboard.type('canUseTool')
    await page.locator('#found a').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/api-permissions.*#canusetool/)
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.click('#theme')
    assert.notEqual(await paper(), light)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
      [],
    )
    await context.close()
  })

  test('code can be copied, output has no button, and a search without a hit says so', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(place, 'site', 'quickstart.html')).href)
    const buttons = page.getByRole('button', { name: 'Copy' })
    const blocks = await page.locator('pre').count()
    assert.ok((await buttons.count()) > 2 && (await buttons.count()) < blocks, `${blocks} blocks`)
    await buttons.first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.fill('#search', 'qqqqqqq')
    await page.getByRole('status').filter({ hasText: 'No results for' }).waitFor()
    await page.fill('#search', 'streming')
    await page.locator('#found mark').first().waitFor()
    await context.close()
  })

  test('on a phone the menu opens where the reader is, and no page is wider than the screen', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    for (const name of ['index', 'permissions', 'models', 'compatibility-options', 'api-options', 'http-sessions']) {
      await page.goto(pathToFileURL(join(place, 'site', `${name}.html`)).href)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
    }
    await page.evaluate('scrollTo(0, 1500)')
    await page.click('#menu')
    const box = await page.getByText('Get started').first().boundingBox()
    assert.ok(box && box.y > 0 && box.y < 800, JSON.stringify(box))
    await page.keyboard.press('Escape')
    await page.getByText('Get started').first().waitFor({ state: 'hidden' })
    await context.close()
  })
})
