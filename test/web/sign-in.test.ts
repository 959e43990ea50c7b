/** Signing in with a browser: it lasts, tabs share it, and no other service of the host can use what it sees of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import WebSocket from 'ws'
import { type Reply, send } from '../server/serving.js'
import { sampledTest as test } from '../support/tier.js'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

describe('signing in', { skip: whyNoBrowser, timeout: 180_000 }, () => {
  let stage: PageStage
  before(async () => {
    stage = await startPageStage({ hello: ['Hello there.'] })
  })
  after(() => stage[Symbol.asyncDispose]())

  /** By the link that the server prints. */
  const byLink = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${stage.serving.url}/#token=${stage.serving.server.token}`)
    await isIn(page)
    return page
  }
  const isIn = (page: Page) => page.getByText('Remember me').first().waitFor()

  test('lasts over a reload and in a second tab, also when that signs in again', async () => {
    await stage.begin('Remember me')
    const context = await stage.browser.newContext()
    const page = await byLink(context)
    assert.doesNotMatch(page.url(), /token/)
    await page.reload()
    await isIn(page)
    const second = await context.newPage()
    await second.goto(stage.serving.url)
    await isIn(second)
    const third = await byLink(context)
    for (const one of [page, second, third]) {
      await one.reload()
      await isIn(one)
    }
    // News arrive, by a socket.
    const title = 'Heard of by a socket'
    await stage.serving.begin({ title })
    for (const one of [page, second, third]) await one.getByText(title).first().waitFor()
    await context.close()
  })

  test('a link pasted into the tab that asks for it signs in there', async () => {
    await stage.begin('Remember me')
    const context = await stage.browser.newContext()
    const page = await context.newPage()
    await page.goto(stage.serving.url)
    await page.getByLabel('Token').waitFor()
    // Another fragment of the same address: nothing is loaded.
    await page.goto(`${stage.serving.url}/#token=${stage.serving.server.token}`)
    await isIn(page)
    assert.doesNotMatch(page.url(), /token/)
    await context.close()
  })

  test('a service on another port of the host sees the cookie, and gets nowhere with it', async () => {
    await stage.begin('Remember me')
    const context = await stage.browser.newContext()
    const page = await byLink(context)
    const seen: IncomingHttpHeaders[] = []
    const thief = createServer(({ headers }, response) => {
      seen.push(headers)
      response.end('hello')
    })
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
    const { port } = thief.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    const [{ cookie = '' } = {}] = seen
    // Browsers send it there: this is why it must not be enough.
    assert.match(cookie, /^kedge_session_\d+=\S+$/)
    assert.ok(!JSON.stringify(seen).includes('x-kedge-key'))
    const { url } = stage.serving
    const { host } = new URL(url)
    const replay = (method: string, path: string, more = {}): Promise<Reply> =>
      send(url, method, path, { host, origin: url, cookie, ...more })
    for (const [method, path] of [
      ['GET', '/v1/me'],
      ['GET', '/v1/sessions'],
      ['GET', '/v1/events'],
      ['GET', '/metrics'],
      ['POST', '/v1/tokens'],
      ['POST', '/v1/login'],
      ['POST', '/v1/logout'],
    ] as const)
      for (const more of [{}, { 'x-kedge-key': 'k'.repeat(64) }]) {
        const { status } = await replay(method, path, more)
        assert.equal(status, 401, `${method} ${path} ${JSON.stringify(more)}`)
      }
    const opened = await new Promise<number>((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events?after=0`, { headers: { cookie } })
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
    })
    assert.equal(opened, 401)
    // The one who signed in is still in.
    await page.goto(url)
    await isIn(page)
    thief.close()
    await context.close()
  })

  test('a page that lost its key signs in again', async () => {
    await stage.begin('Remember me')
    const context = await stage.browser.newContext()
    const page = await byLink(context)
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.getByLabel('Token').fill(stage.serving.server.token)
    await page.getByRole('button', { name: /sign in/i }).click()
    await isIn(page)
    await context.close()
  })

  test('a session is downloaded, which a plain link could not do any more', async () => {
    const session = await stage.begin('Remember me')
    await stage.serving.ended(session, 'first')
    const page = await stage.open(`#/s/${session}`)
    await page.getByRole('button', { name: 'More' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /export/i }).click(),
    ])
    assert.equal(file.suggestedFilename(), `${session}.ndjson`)
    assert.match(readFileSync(await file.path(), 'utf8'), new RegExp(session))
    await page.context().close()
  })
})
