/** Reloads, two browsers, a killed server, a cut network, a sleep: nothing is lost, and nothing comes twice. */
import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isEndOf } from '../server/serving.js'
import { type Desk, startDesk, whyNoBrowser } from './desk.js'

describe('reach', { skip: whyNoBrowser !== undefined }, () => {
  let desk: Desk
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
  const say = async (page: Page, text: string) => {
    await composer(page).fill(text)
    await composer(page).press('Enter')
  }
  const said = async (page: Page) =>
    (await page.getByRole('article', { name: /^(Prompt|Agent)/ }).allInnerTexts()).map((text) => text.split('\n')[0])

  before(async () => {
    desk = await startDesk({})
  })
  after(async () => {
    await desk[Symbol.asyncDispose]()
    assert.deepEqual(desk.problems, [])
  })

  test('two browsers see the same, and a card that one answers is gone from the other', async () => {
    const { serving } = desk
    const ask = { tools: [{ name: 'Bash', input: { command: 'rm -f x.txt' } }] }
    desk.stories['both'] = [ask, 'Both saw it.']
    const session = await serving.begin({ title: 'Both' })
    const [one, two] = await Promise.all([desk.open(`#/s/${session}`), desk.open(`#/s/${session}`, { size: 'phone' })])
    await say(one, 'both')
    const card = (page: Page) => page.getByRole('article', { name: 'Permission: Bash' })
    await Promise.all([card(one).waitFor(), card(two).waitFor()])
    await two.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await Promise.all([one, two].map((page) => page.getByText('Both saw it.').waitFor()))
    assert.deepEqual(await Promise.all([card(one).count(), card(two).count()]), [0, 0])
    assert.deepEqual(await said(one), ['both', 'Both saw it.'])
    assert.deepEqual(await said(two), await said(one))
    await Promise.all([one.context().close(), two.context().close()])
  })

  test('a notice in another session leads to its card', async () => {
    const { serving } = desk
    desk.stories['elsewhere'] = [{ tools: [{ name: 'Bash', input: { command: 'rm -f y.txt' } }] }, 'Ok.']
    const here = await serving.begin({ title: 'Here' })
    const page = await desk.open(`#/s/${here}`)
    await page.getByRole('heading', { name: 'Here' }).waitFor()
    const session = await desk.begin('elsewhere')
    await page.getByRole('region', { name: 'Notices' }).getByRole('link', { name: 'elsewhere needs you: Bash' }).click()
    await page.locator('button[aria-keyshortcuts=y]:focus').waitFor()
    assert.equal(await page.title(), '(1) Kedge')
    await page.reload()
    await page.locator('button[aria-keyshortcuts=n]:not([aria-disabled=true])').click()
    await serving.ended(session, 'first')
    await page.context().close()
  })

  test('Web Push: the browser subscribes with the key of the server, which keeps it; a push becomes a notification that leads to its card', async () => {
    const { serving } = desk
    const page = await desk.open('#/new')
    const context = page.context()
    await context.grantPermissions(['notifications'], { origin: serving.url })
    // A browser without a screen has no push service: what it would be asked, and answer, is all that is made up here.
    const p256dh = createECDH('prime256v1').generateKeys('base64url')
    await context.addInitScript((p256dh) => {
      const keys = { p256dh, auth: 'A'.repeat(22) }
      const answer = { endpoint: 'https://push.example.com/subscription/1', expirationTime: null, keys }
      PushManager.prototype.subscribe = async (options) => {
        Object.assign(globalThis, { asked: options })
        return { toJSON: () => answer } as unknown as PushSubscription // what the page uses of it
      }
      // Not asked yet.
      let permission: NotificationPermission = 'default'
      Object.defineProperty(Notification, 'permission', { get: () => permission })
      Notification.requestPermission = async () => {
        permission = 'granted'
        return permission
      }
    }, p256dh)
    await page.goto(`${serving.url}/#/inbox`)
    await page.reload()
    const posted = page.waitForResponse((response) => response.url().endsWith('/v1/push'))
    await page.getByRole('button', { name: 'Notify me' }).click()
    assert.equal((await posted).status(), 201)
    const [{ id, endpoint, kinds }] = (await serving.call('GET', '/v1/push')).json.subscriptions
    // Nobody is there to be told.
    await serving.call('DELETE', `/v1/push/${id}`)
    assert.deepEqual([endpoint, kinds], ['https://push.example.com/subscription/1', ['needs_you', 'done', 'failed']])
    const asked = await page.evaluate(() => (globalThis as unknown as { asked: object }).asked)
    const { publicKey } = (await serving.call('GET', '/v1/push/key')).json
    assert.deepEqual(asked, { userVisibleOnly: true, applicationServerKey: publicKey })
    // No page is open when the push comes.
    const other = await context.newPage()
    const own = await context.newCDPSession(other)
    const registered = new Promise<string>((resolve) =>
      own.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId)
      }),
    )
    await own.send('ServiceWorker.enable')
    const registrationId = await registered
    await page.close()
    const data = JSON.stringify({ session: 's1', title: 'Harbour', text: 'Bash waits for you', ask: { id: 'a1' } })
    await own.send('ServiceWorker.deliverPushMessage', { origin: `${serving.url}/`, registrationId, data })
    await other.goto(`${serving.url}/#/new`)
    const shown = await other.waitForFunction(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications()
      return all.length > 0 && all.map(({ title, body, data }) => ({ title, body, data }))
    })
    const notification = { title: 'Harbour', body: 'Bash waits for you', data: { href: '#/s/s1?ask=a1' } }
    assert.deepEqual(await shown.jsonValue(), [notification])
    await context.close()
  })

  test('a cut network: what was written meanwhile arrives once, what happened meanwhile is there', async () => {
    const { serving } = desk
    const session = await serving.begin({ title: 'Cut' })
    const page = await desk.open(`#/s/${session}`)
    await composer(page).waitFor()
    await page.context().setOffline(true)
    await page.getByText('The connection is lost.').waitFor()
    await say(page, 'written offline')
    await page.getByText('sending').waitFor()
    await serving.send(session, 'elsewhere', 'sent from elsewhere')
    await serving.ended(session, 'elsewhere')
    // Also a reload keeps what was not sent yet; it needs the network, as every page does.
    await page.context().setOffline(false)
    await page.getByText('written offline').waitFor()
    const log = await serving.log(
      session,
      (entry) => entry.kind === 'prompt' && entry.data.change === 'done' && entry.data.id !== 'elsewhere',
    )
    assert.equal(
      log.filter(({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'queued').length,
      2,
    )
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelectorAll('article').length === 4)
    assert.deepEqual(await said(page), ['sent from elsewhere', 'Done.', 'written offline', 'Done.'])
    await page.context().close()
  })

  test('a server that ends and comes again: the same page goes on, with its open card', async () => {
    const { serving } = desk
    desk.stories['outlast'] = [{ tools: [{ name: 'Bash', input: { command: 'rm -f z.txt' } }] }, 'It went on.']
    const session = await desk.begin('outlast')
    const page = await desk.open(`#/s/${session}`)
    await page.getByRole('article', { name: 'Permission: Bash' }).waitFor()
    const { port } = new URL(serving.url)
    await serving.server.close()
    await page.getByText('The connection is lost.').waitFor()
    await serving.restart({ port: Number(port) })
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('article', { name: 'Permission: Bash' }).count(), 1)
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await page.getByText('It went on.').waitFor()
    const prompts = await page.getByRole('article', { name: /^Prompt/ }).count()
    assert.equal(prompts >= 1, true)
    await page.context().close()
  })

  test('a laptop that sleeps: a connection that died unnoticed is found dead when it wakes', async () => {
    const { serving } = desk
    const session = await serving.begin({ title: 'Sleep' })
    const page = await desk.open(`#/s/${session}`)
    await page.addInitScript(() => {
      // Sockets that say nothing any more, as after a sleep; the next ones work.
      const Real = WebSocket
      const deaf: { isDeaf: boolean }[] = []
      class Socket extends Real {
        isDeaf = false
        constructor(url: string | URL) {
          super(url)
          deaf.push(this)
          this.addEventListener('message', (event) => this.isDeaf && event.stopImmediatePropagation(), true)
        }
      }
      Object.assign(globalThis, {
        WebSocket: Socket,
        sleep() {
          for (const one of deaf) one.isDeaf = true
          const later = Date.now() + 3_600_000
          const before = Date.now
          Date.now = () => Math.max(later, before() + 3_600_000)
          document.dispatchEvent(new Event('visibilitychange'))
        },
      })
    })
    await page.reload()
    await composer(page).waitFor()
    await say(page, 'before the sleep')
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.evaluate(() => (globalThis as unknown as { sleep(): void }).sleep())
    await serving.send(session, 'asleep', 'while it slept')
    await serving.log(session, isEndOf('asleep'))
    await page.getByText('while it slept').waitFor()
    await page.waitForFunction(() => document.querySelectorAll('article').length === 4)
    assert.deepEqual(await said(page), ['before the sleep', 'Done.', 'while it slept', 'Done.'])
    await page.context().close()
  })
})
