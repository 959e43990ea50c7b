/** The documentation site in a real browser: search from the disk, light and dark, on a phone. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { sharedBrowser, whyNoBrowser } from './browser.js'
import { axeProblems } from './page-stage.js'

/** A start page, guides (one has a table with an empty corner), and one page of each generated kind, with tables, colored code, output and members. */
const KINDS = ['index', 'mcp', 'permissions', 'durable-sessions', 'reference-cli', 'api-functions', 'http-sessions']
const WIDTHS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

describe('the documentation site in a real browser', { skip: whyNoBrowser !== undefined }, () => {
  const place = mkdtempSync(join(tmpdir(), 'kedge-browser-'))
  const addressOf = (name: string) => pathToFileURL(join(place, 'site', `${name}.html`)).href
  let browser: Browser
  before(async () => {
    const { buildSite } = await import(pathToFileURL(join(process.cwd(), 'scripts', 'docs', 'build-site.mjs')).href)
    await buildSite(process.cwd(), join(place, 'site'))
    browser = await sharedBrowser()
  })
  after(() => rmSync(place, { recursive: true, force: true }))

  test('search finds a name, and leads to it, without a server and without another host', async () => {
    const context = await browser.newContext({ colorScheme: 'light' })
    const asked: string[] = []
    const problems: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
    await page.goto(addressOf('index'))
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
    await page.goto(addressOf('quickstart'))
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
      await page.goto(addressOf(name))
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

  test('search takes any characters, with each key that is pressed', async () => {
    const context = await browser.newContext()
    const problems: string[] = []
    context.on('weberror', (error) => problems.push(error.error().message))
    const page = await context.newPage()
    await page.goto(addressOf('index'))
    for (const query of ['h', '--model', 'claude-agent-sdk', 'kedge -p']) {
      await page.fill('#search', '')
      await page.locator('#search').pressSequentially(query)
      await page.locator('#found a mark').first().waitFor()
    }
    await page.fill('#search', 'aproval')
    await page.locator('#found a').filter({ hasText: 'Approve tool calls' }).first().waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('each kind of page, wide and narrow, light and dark: nothing that axe would mend', async () => {
    const found: string[] = []
    for (const viewport of WIDTHS) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        const page = await context.newPage()
        for (const name of KINDS) {
          await page.goto(addressOf(name))
          const problems = await axeProblems(page)
          found.push(...problems.map((problem) => `${name}, ${viewport.width}, ${colorScheme}: ${problem}`))
        }
        await context.close()
      }
    }
    assert.deepEqual(found, [])
  })

  test('the first code on the page about MCP fits beside both menus', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await page.goto(addressOf('mcp'))
    const tooWide = await page
      .locator('pre')
      .first()
      .evaluate((code) => code.scrollWidth - code.clientWidth)
    assert.equal(tooWide, 0)
    await context.close()
  })
})
