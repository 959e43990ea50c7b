/** `kedge/react` with the real React in a real browser, against a real server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { serve, write } from '../server/serving.js'
import { sharedBrowser, watch, whyNoBrowser } from './browser.js'
import { bundlePage, servePage } from './given-page.js'

const HTML = '<!doctype html><title>Own page</title><div id="root"></div><script type="module" src="page.js"></script>'

describe('kedge/react', { skip: whyNoBrowser !== undefined }, () => {
  test('a page begins a session, shows what streams, answers a request, and survives a restart of the server', async () => {
    await using serving = await serve([
      // It falls silent in the middle of a sentence.
      { text: 'One two three four five.', chunk: 4, stallAfterEvents: 4 },
      write('a.txt'),
      'Written.',
      'After the restart.',
    ])
    const context = await (await sharedBrowser()).newContext()
    const problems: string[] = []
    watch(context, serving.url, problems)
    await servePage(context, serving.url, { html: HTML, script: await bundlePage({ file: 'test/web/react-page.ts' }) })
    const page = await context.newPage()
    const { server, options, url } = serving
    await page.goto(`${url}/own/?${new URLSearchParams({ token: server.token, cwd: options.cwd })}`)
    await page.getByRole('button', { name: 'New session' }).click()
    const first = page.getByRole('main').first()
    const rows = (at: number) => page.getByRole('main').nth(at).getByRole('article').allInnerTexts()
    const say = async (text: string) => {
      await first.getByRole('textbox').fill(text)
      await first.getByRole('button', { name: 'Send' }).click()
    }
    await first.getByText('idle, live').waitFor()
    await say('hello')
    // The same memoized row is drawn again as its text grows.
    await page.locator('article[data-live=true]', { hasText: 'One two' }).first().waitFor()
    await first.getByText('running, live').waitFor()
    await first.getByRole('button', { name: 'Stop' }).click()
    await first.getByText('idle, live').waitFor()
    await page.locator('article[data-live=true]').waitFor({ state: 'detached' })

    await say('write')
    const allow = page.getByRole('complementary', { name: 'Inbox' }).getByRole('button')
    await allow.waitFor()
    await page.getByRole('button', { name: 'New: needs-you, 1' }).waitFor()
    await allow.click()
    await first.getByText('Written.').waitFor()
    await page.getByRole('button', { name: 'New: idle, 0' }).waitFor()
    assert.equal(await allow.count(), 0)

    await serving.server.close()
    await first.getByText('idle, lost').waitFor()
    await serving.restart({ port: Number(new URL(url).port) })
    await first.getByText('idle, live').waitFor()
    await say('again')
    await first.getByText('After the restart.').waitFor()
    const expected = ['> hello', 'One two', '> write', 'Write done', 'Written.', '> again']
    assert.deepEqual(await rows(0), [...expected, 'After the restart.'])
    assert.deepEqual(await rows(1), await rows(0))
    assert.deepEqual(problems, [])
    await context.close()
  })

  test('the example of docs/client.md runs as it stands', async () => {
    await using serving = await serve([write('b.txt'), 'Written.'])
    const { url, server } = serving
    const session = await serving.begin({ title: 'Shown' })
    const [, example = ''] = /```tsx\n([\s\S]*?)```/.exec(readFileSync('docs/client.md', 'utf8')) ?? []
    const program = `import { createRoot } from 'react-dom/client'
${example.replace('http://127.0.0.1:4141', url).replace('export default', 'const Example =')}
createRoot(document.querySelector('#root')!).render(<Example />)`
    const context = await (await sharedBrowser()).newContext()
    const problems: string[] = []
    watch(context, url, problems)
    await servePage(context, url, { html: HTML, script: await bundlePage({ program }) })
    await context.route(`${url}/token`, (route) => route.fulfill({ body: server.token }))
    const page = await context.newPage()
    await page.goto(`${url}/own/`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: '1 requests' }).waitFor()
    await page.getByRole('button', { name: 'Allow Write' }).click()
    await page.getByText('Written.').waitFor()
    await page.getByRole('heading', { name: '0 requests' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    assert.equal((await serving.call('GET', `/v1/sessions/${session}`)).json.status, 'idle')
    assert.deepEqual(problems, [])
    await context.close()
  })
})
