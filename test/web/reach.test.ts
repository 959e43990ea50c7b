/** Reloads, two browsers, a killed server, a cut network, a sleep: nothing is lost, and nothing comes twice. */
import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newHome, startProgram } from '../server/program.js'
import { isEndOf } from '../server/serving.js'
import { eventually } from '../support/eventually.js'
import { signIn, watch, whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'
import { type Relay, startRelay } from './relay.js'

describe('reach', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let line: Relay
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
  const say = async (page: Page, text: string) => {
    await composer(page).fill(text)
    await composer(page).press('Enter')
  }
  const said = async (page: Page) =>
    (await page.getByRole('article', { name: /^(Prompt|Agent)/ }).allInnerTexts()).map((text) => text.split('\n')[0])

  before(async () => {
    line = await startRelay()
    stage = await startPageStage({}, { allowHosts: [line.host] })
    line.leadTo(stage.serving.url)
  })
  after(async () => {
    await stage[Symbol.asyncDispose]()
    await line[Symbol.asyncDispose]()
    assert.deepEqual(stage.problems, [])
  })

  test('two browsers see the same, and a card that one answers is gone from the other', async () => {
    const { serving } = stage
    const ask = { tools: [{ name: 'Bash', input: { command: 'rm -f x.txt' } }] }
    stage.stories['both'] = [ask, 'Both saw it.']
    const session = await serving.begin({ title: 'Both' })
    const [one, two] = await Promise.all([
      stage.open(`#/s/${session}`),
      stage.open(`#/s/${session}`, { size: 'phone' }),
    ])
    await say(one, 'both')
    const card = (page: Page) => page.getByRole('article', { name: 'Permission request: Run this command?' })
    await Promise.all([card(one).waitFor(), card(two).waitFor()])
    await two.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await Promise.all([one, two].map((page) => page.getByText('Both saw it.').waitFor()))
    assert.deepEqual(await Promise.all([card(one).count(), card(two).count()]), [0, 0])
    assert.deepEqual(await said(one), ['both', 'Both saw it.'])
    assert.deepEqual(await said(two), await said(one))
    await Promise.all([one.context().close(), two.context().close()])
  })

  test('a notice in another session leads to its card', async () => {
    const { serving } = stage
    stage.stories['elsewhere'] = [{ tools: [{ name: 'Bash', input: { command: 'rm -f y.txt' } }] }, 'Ok.']
    const here = await serving.begin({ title: 'Here' })
    const page = await stage.open(`#/s/${here}`)
    await page.getByRole('heading', { name: 'Here' }).waitFor()
    const session = await stage.begin('elsewhere')
    await page
      .getByRole('region', { name: 'Notices' })
      .getByRole('link', { name: 'elsewhere needs you: Run this command?' })
      .click()
    await page.locator('button[aria-keyshortcuts=y]:focus').waitFor()
    assert.equal(await page.title(), '(1) elsewhere · Kedge')
    await page.reload()
    await page.locator('button[aria-keyshortcuts=n]:not([aria-disabled=true])').click()
    await serving.ended(session, 'first')
    await page.context().close()
  })

  test('Web Push: the browser subscribes with the key of the server, which keeps it; a push becomes a notification that leads to its card', async () => {
    const { serving } = stage
    const page = await stage.open('#/new')
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
    const data = JSON.stringify({ session: 's1', title: 'Harbor', text: 'Bash waits for you', ask: { id: 'a1' } })
    await own.send('ServiceWorker.deliverPushMessage', { origin: `${serving.url}/`, registrationId, data })
    await other.goto(`${serving.url}/#/new`)
    const shown = await other.waitForFunction(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications()
      return all.length > 0 && all.map(({ title, body, data }) => ({ title, body, data }))
    })
    const notification = { title: 'Harbor', body: 'Bash waits for you', data: { href: '#/s/s1?ask=a1' } }
    assert.deepEqual(await shown.jsonValue(), [notification])
    // No hand is there to click on it: the worker gets the event that a click is.
    const [worker] = context.serviceWorkers()
    assert.ok(worker)
    await worker.evaluate(async () => {
      type Scope = { registration: ServiceWorkerRegistration; NotificationEvent: new (t: string, o: object) => Event }
      const scope = globalThis as unknown as Scope & EventTarget // it is a service worker
      const [clicked] = await scope.registration.getNotifications()
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: clicked }))
    })
    await other.waitForURL(`${serving.url}/#/s/s1?ask=a1`)
    assert.deepEqual(await other.evaluate(async () => (await navigator.serviceWorker.ready).getNotifications()), [])
    await context.close()
  })

  test('a network that falls silent, then is cut: what was written meanwhile arrives once, what happened meanwhile is there', async () => {
    const { serving } = stage
    const session = await serving.begin({ title: 'Cut' })
    const page = await stage.open(`#/s/${session}`, { at: `http://${line.host}` })
    await composer(page).waitFor()
    await say(page, 'before')
    await page.getByText('Done.', { exact: true }).waitFor()
    // First nothing gets through and nobody is told, then nobody answers.
    line.silence()
    await say(page, 'written while it is cut')
    await page.getByText('sending').waitFor()
    await serving.send(session, 'elsewhere', 'sent from elsewhere')
    await serving.ended(session, 'elsewhere')
    await eventually('the prompt was lost on the way', () => line.lost() > 0)
    line.cut()
    await page.getByText('Connection lost.').waitFor()
    const tries = line.lost()
    await eventually('it tries again and again', () => line.lost() > tries + 1)
    line.mend()
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    let done = 0
    const log = await serving.log(session, ({ kind, data }) => {
      if (kind === 'prompt' && data.change === 'done') done += 1
      return done === 3
    })
    const queued = log.filter(({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'queued')
    assert.equal(queued.length, 3)
    await page.waitForFunction(() => document.querySelectorAll('article').length === 6)
    const texts = ['before', 'sent from elsewhere', 'written while it is cut'].flatMap((text) => [text, 'Done.'])
    assert.deepEqual(await said(page), texts)
    await page.context().close()
  })

  test('a server that is killed and comes again: the same page goes on with its open card, and nothing comes twice', async () => {
    using home = newHome()
    const write = { tools: [{ name: 'Write', input: { file_path: join(home.project, 'z.txt'), content: 'once\n' } }] }
    Object.assign(stage.stories, { outlast: [write], 'and more': ['More.', write, 'It went on.'] })
    Object.assign(home.env, { ANTHROPIC_BASE_URL: stage.serving.model.url, ANTHROPIC_API_KEY: 'key' })
    await using killed = await startProgram(home, '--model', 'claude-sonnet-4-5-20250929')
    const { url, token } = killed
    const session = (await killed.call('POST', '/v1/sessions', { cwd: home.project })).json.id
    const context = await stage.browser.newContext()
    await signIn(context, url, token)
    watch(context, url, stage.problems)
    const page = await context.newPage()
    await page.goto(`${url}/#/s/${session}`)
    await say(page, 'outlast')
    const card = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
    await card.waitFor()
    assert.equal(await killed.end('SIGKILL'), null)
    await page.getByText('Connection lost.').waitFor()
    await say(page, 'and more')
    await page.getByText('sending').waitFor()
    await using _again = await startProgram(home, '--model', 'claude-sonnet-4-5-20250929', '--port', new URL(url).port)
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    assert.equal(await card.count(), 1)
    await page.getByText('More.').waitFor()
    // The agent that asked is gone: the next one is told of the answer, which counts for the same call.
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await page.getByText('It went on.').waitFor()
    assert.equal(readFileSync(join(home.project, 'z.txt'), 'utf8'), 'once\n')
    await page.reload()
    await page.getByText('It went on.').waitFor()
    assert.deepEqual(
      (await said(page)).filter((text) => text === 'outlast' || text === 'and more'),
      ['outlast', 'and more'],
    )
    await context.close()
  })

  test('a laptop that sleeps: a connection that died unnoticed is found dead when it wakes', async () => {
    const { serving } = stage
    const session = await serving.begin({ title: 'Sleep' })
    const page = await stage.open(`#/s/${session}`)
    await page.addInitScript(() => {
      // Sockets that say nothing any more, as after a sleep; the next ones work.
      const Real = WebSocket
      const deaf: { isDeaf: boolean }[] = []
      class Socket extends Real {
        isDeaf = false
        constructor(url: string | URL, protocols?: string[]) {
          super(url, protocols)
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
