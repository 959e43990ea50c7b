/** `kedge/elements` in a real browser, in pages of somebody's own with a strict policy, against a real server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { serve, write } from '../server/serving.js'
import { eventually } from '../support/eventually.js'
import { sharedBrowser, whyNoBrowser } from './browser.js'
import { countStreams, openElements, ready, say } from './elements-stage.js'
import { axeProblems, storyTeller } from './page-stage.js'

const colorOf = (locator: Locator) => locator.evaluate((node) => getComputedStyle(node).backgroundColor)

test('a server can import kedge/elements, which then does nothing', async () => {
  assert.equal('HTMLElement' in globalThis, false)
  const { createClient, ...rest } = await import('kedge/elements')
  assert.equal(typeof createClient, 'function')
  assert.deepEqual(rest, {})
})

describe('kedge/elements', { skip: whyNoBrowser !== undefined }, () => {
  test('a session in a page with a strict policy: prompts, a streamed answer, requests by mouse and by key', async () => {
    await using serving = await serve([
      // It falls silent in the middle of a sentence.
      { text: 'One two three four five.', chunk: 4, stallAfterEvents: 4 },
      write('a.txt'),
      'Written.',
      write('b.txt'),
      'Not written.',
    ])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session>`)
    const { page, heard, problems } = opened
    const element = page.locator('kedge-session')
    await say(element, 'hello')
    const streamed = element.getByRole('article', { name: 'Agent' }).and(element.locator('[aria-busy=true]'))
    await streamed.getByText('One two').waitFor()
    await element.getByRole('button', { name: 'Stop' }).click()
    await element.getByText('Stopped').first().waitFor()

    await say(element, 'write')
    await ready(element, 'y').click()
    await element.getByText('Written.').waitFor()
    await element.getByText('Allowed Write once').waitFor()

    await say(element, 'write again')
    await ready(element, 'n').waitFor()
    assert.deepEqual(await axeProblems(page), [])
    // What is typed elsewhere in the page is not for the card.
    const own = page.getByRole('textbox', { name: 'Own field' })
    await own.press('y')
    await page.locator('h1').click()
    await page.keyboard.press('y')
    await own.focus()
    // The whole element can be reached and used with the keyboard.
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? '')
    for (let presses = 0; !(await focused()).startsWith('Allow once'); presses += 1) {
      assert.ok(presses < 40, 'the card can be reached with the Tab key')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('n')
    await element.getByText('Not written.').waitFor()
    await element.getByText('Denied Write').waitFor()
    assert.deepEqual(await heard(), [
      'kedge-session kedge-request Write',
      'kedge-session kedge-answered allow',
      'kedge-session kedge-closed Write',
      'kedge-session kedge-request Write',
      'kedge-session kedge-answered deny',
      'kedge-session kedge-closed Write',
    ])
    assert.deepEqual(problems, [])
  })

  test('custom properties and the color scheme of the page change the colors, and nothing else of its style comes in', async () => {
    await using serving = await serve([write('a.txt'), 'Written.\n\n```js\nconst a = 1\n```'])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session>`)
    const { page, problems } = opened
    const element = page.locator('kedge-session')
    await say(element, 'write')
    const allow = ready(element, 'y')
    await allow.waitFor()
    // A call that waits is as wide as any other.
    const call = element.locator('.tool.waiting')
    assert.equal(await call.evaluate((node) => getComputedStyle(node).paddingLeft), '0px')
    assert.equal(await colorOf(allow), 'rgb(11, 94, 89)')
    assert.equal(await colorOf(element), 'rgb(247, 246, 243)')
    await page.evaluate(() => document.documentElement.classList.add('dark'))
    assert.equal(await colorOf(allow), 'rgb(111, 208, 197)')
    assert.equal(await colorOf(element), 'rgb(21, 24, 27)')
    assert.deepEqual(await axeProblems(page, { rules: ['color-contrast'] }), [])
    await element.evaluate((node) => node.classList.add('branded'))
    assert.equal(await colorOf(allow), 'rgb(180, 0, 90)')
    // In a narrow element it is laid out as on a phone.
    const key = allow.locator('kbd')
    assert.equal(await key.isVisible(), true)
    await element.evaluate((node) => node.style.setProperty('width', '400px'))
    await key.waitFor({ state: 'hidden' })
    await allow.click()
    await element.getByText('Written.').waitFor()
    const keyword = element.locator('.c-keyword', { hasText: 'const' })
    assert.equal(await keyword.evaluate((node) => getComputedStyle(node).color), 'rgb(227, 155, 201)')
    assert.deepEqual(problems, [])
  })

  test('after an answer by key the focus stays in the element, so the next request can be answered by key', async () => {
    await using serving = await serve([write('a.txt'), write('b.txt'), 'Both are written.'])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session>`)
    const { page, problems } = opened
    const element = page.locator('kedge-session')
    await say(element, 'write')
    await ready(element, 'y').press('y')
    await element.getByText('Allowed Write once').waitFor()
    await ready(element, 'n').waitFor()
    await page.keyboard.press('y')
    await element.getByText('Both are written.').waitFor()
    assert.deepEqual(problems, [])
  })

  test('a dialog opens in the element, and while it is open no key answers', async () => {
    await using serving = await serve(['Hello.', write('a.txt'), 'Not written.'])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session>`)
    const { page, problems } = opened
    const element = page.locator('kedge-session')
    await say(element, 'hello')
    await element.getByText('Hello.').waitFor()
    await say(element, 'write')
    await ready(element, 'y').waitFor()
    await element.getByRole('button', { name: 'Rewind to before this prompt' }).first().click()
    const dialog = element.getByRole('dialog')
    await dialog.getByText('What do you want to undo?').waitFor()
    await page.keyboard.press('y')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await ready(element, 'n').press('n')
    await element.getByText('Denied Write').waitFor()
    assert.deepEqual(problems, [])
  })

  test('a server that goes away and comes back; one that is away from the start, with a way to try again', async () => {
    await using serving = await serve(['Before.', 'After.'])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session>`)
    const { page, heard, insert } = opened
    const first = page.locator('kedge-session').first()
    await say(first, 'hello')
    await first.getByText('Before.').waitFor()
    await serving.server.close()
    await first.getByText('Connection lost. Reconnecting…').waitFor()
    await eventually('the page heard of it', async () => (await heard()).length === 1)
    assert.deepEqual(await heard(), ['kedge-session kedge-error server_unreachable'])
    await insert('kedge-inbox', {})
    const inbox = page.locator('kedge-inbox')
    await inbox.getByRole('alert').getByText("Can't reach the server").waitFor()
    await serving.restart({ port: Number(new URL(serving.url).port) })
    await first.getByText('Connection lost.').waitFor({ state: 'detached' })
    await inbox.getByText("You're all caught up.").waitFor()
    await say(first, 'again')
    await first.getByText('After.').waitFor()
  })

  test('a token that the server rejects is an error with what to do; another token begins again', async () => {
    await using serving = await serve(['Hello.'])
    const session = await serving.begin()
    await using opened = await openElements(serving, '')
    const { page, heard, insert } = opened
    await insert('kedge-session', { session, token: 'kdg_wrong' })
    const element = page.locator('kedge-session')
    await element.getByRole('alert').getByText('The token is not known').waitFor()
    assert.deepEqual(await heard(), ['kedge-session kedge-error unauthorized'])
    await element.evaluate((node, token) => Object.assign(node, { token }), serving.server.token)
    await say(element, 'hello')
    await element.getByText('Hello.').waitFor()
    assert.equal(await element.getByRole('alert').count(), 0)
  })

  test('an inbox, a request, and two sessions share streams; what is closed, changed, or removed ends its own', async () => {
    const stories = { one: [write('one.txt'), 'One is done.'], two: [write('two.txt'), 'Two is done.'] }
    await using serving = await serve(storyTeller(stories))
    const [one, two] = [await serving.begin({ title: 'First' }), await serving.begin({ title: 'Second' })]
    await serving.send(one, 'p1', 'one')
    const ask = await serving.ask(one)
    await serving.send(two, 'p2', 'two')
    await serving.ask(two)
    await using opened = await openElements(
      serving,
      `<kedge-inbox session-link="/chat/{session}#{request}"></kedge-inbox>
<kedge-request session="${one}" request="${ask.id}"></kedge-request>
<kedge-session session="${one}"></kedge-session>`,
    )
    const { page, heard, insert, problems } = opened
    const [inbox, request, shown] = [page.locator('kedge-inbox'), page.locator('kedge-request'), 'kedge-session']
    await ready(inbox, 'y').nth(1).waitFor()
    assert.equal(await inbox.getByRole('link', { name: 'First' }).getAttribute('href'), `/chat/${one}#${ask.id}`)
    await ready(request, 'y').click()
    await request.getByText('This request is closed.').waitFor()
    await page.locator(shown).getByText('One is done.').waitFor()
    await inbox.getByRole('link', { name: 'First' }).waitFor({ state: 'detached' })
    assert.deepEqual(await axeProblems(page), [])
    const events = await heard()
    assert.deepEqual(
      events.filter((event) => /answered|closed/.test(event)).sort(),
      [
        'kedge-inbox kedge-closed Write',
        'kedge-request kedge-answered allow',
        'kedge-request kedge-closed Write',
      ].concat('kedge-session kedge-closed Write'),
    )
    // The inbox and the request share one stream, and so do two elements with one session.
    await eventually('two streams', async () => (await countStreams(serving)) === 2)
    await insert('kedge-session', { session: one })
    await page.locator(shown).nth(1).getByText('One is done.').waitFor()
    assert.equal(await countStreams(serving), 2)
    const second = page.locator(shown).nth(1)
    await second.evaluate((node, session) => node.setAttribute('session', session), two)
    await ready(second, 'y').click()
    await second.getByText('Two is done.').waitFor()
    assert.equal(await countStreams(serving), 3)
    await second.evaluate((node) => node.remove())
    await eventually('its stream ends', async () => (await countStreams(serving)) === 2)
    await inbox.evaluate((node) => node.remove())
    await request.evaluate((node) => node.remove())
    await eventually('theirs too', async () => (await countStreams(serving)) === 1)
    assert.deepEqual(problems, [])
  })

  test('with a client of the page and a lesser token, an element offers what the token permits', async () => {
    await using serving = await serve([write('a.txt'), 'Written.'])
    const session = await serving.begin()
    const body = { name: 'guest', scopes: ['read', 'answer'], sessions: [session] }
    const { json } = await serving.call('POST', '/v1/tokens', { body })
    await serving.send(session, 'p1')
    await using opened = await openElements(serving, '')
    const { page, problems } = opened
    await page.evaluate(
      async ({ token, ...fields }) => {
        const { createClient } = await import('/elements.js' as string)
        const element = Object.assign(document.createElement('kedge-session'), fields)
        document.querySelector('main')?.append(Object.assign(element, { client: createClient({ token }) }))
      },
      { session, token: String(json.token) },
    )
    const element = page.locator('kedge-session')
    await ready(element, 'n').waitFor()
    await element.getByText('for this session').waitFor()
    assert.equal(await element.locator('button[aria-keyshortcuts=e]').count(), 0)
    assert.equal(await element.getByRole('textbox').count(), 0)
    await ready(element, 'y').click()
    await element.getByText('Allowed Write once by guest').waitFor()
    // Without its session, an element shows nothing and has no stream.
    await element.evaluate((node) => node.removeAttribute('session'))
    await eventually('its stream ends', async () => (await countStreams(serving)) === 0)
    assert.equal(await element.innerText(), '')
    assert.deepEqual(problems, [])
  })

  test('an element that is moved in the page stays as it is, at the end of its conversation', async () => {
    const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.`).join('\n\n')
    await using serving = await serve([long])
    const session = await serving.begin()
    await using opened = await openElements(serving, `<kedge-session session="${session}"></kedge-session><div></div>`)
    const { page } = opened
    const element = page.locator('kedge-session')
    await say(element, 'talk')
    await element.getByText('Paragraph 59.').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await element.getByRole('textbox', { name: 'Prompt', exact: true }).fill('half a sentence')
    await element.evaluate((node) => document.querySelector('main > div')?.append(node))
    const moved = page.locator('main > div > kedge-session')
    await moved.getByRole('article', { name: 'Prompt' }).waitFor({ state: 'attached' })
    const distance = () =>
      moved
        .getByRole('region', { name: 'Conversation' })
        .evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)
    await eventually('its end is in sight', async () => (await distance()) < 2)
    assert.equal(await moved.getByRole('textbox', { name: 'Prompt', exact: true }).inputValue(), 'half a sentence')
    assert.deepEqual(asked, [])
  })

  test('a page of another origin that the server allows, and the module a second time', async () => {
    let html = ''
    // A real one: browsers let no page of another kind of address call this machine.
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // it listens on a port
    await using serving = await serve(['From afar.'], { allowOrigins: [origin] })
    const session = await serving.begin()
    html = `<!doctype html><html lang="en"><title>Elsewhere</title>
<script type="module" src="${serving.url}/elements.js"></script>
<kedge-session server="${serving.url}" session="${session}"></kedge-session>
<script>document.querySelector('kedge-session').token = () => '${serving.server.token}'</script></html>`
    const context = await (await sharedBrowser()).newContext()
    const page = await context.newPage()
    await page.goto(`${origin}/`)
    // Its token was set before the element was defined.
    const element = page.locator('kedge-session')
    await say(element, 'hello')
    await element.getByText('From afar.').waitFor()
    const names = await page.evaluate(async (url) => Object.keys(await import(`${url}/elements.js?again`)), serving.url)
    assert.deepEqual(names, ['createClient'])
    await context.close()
    site.close()
  })

  test('is served with a tag, and not again to those that have it', async () => {
    await using serving = await serve([])
    const first = await serving.call('GET', '/elements.js', { token: null })
    assert.equal(first.headers['content-type'], 'text/javascript; charset=utf-8')
    const { etag = '' } = first.headers
    const again = await serving.call('GET', '/elements.js', { token: null, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const colors = await serving.call('GET', '/elements/colors.js', { token: null })
    assert.equal(colors.status, 200)
  })
})
