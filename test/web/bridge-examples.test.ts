/** The examples with a page, in a real browser, on a real server. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { serve as serveApp } from '@hono/node-server'
import type { Page } from 'playwright-core'
import { type Serving, serve, write } from '../server/serving.js'
import { sharedBrowser, watch, whyNoBrowser } from './browser.js'

/** Opens the page of an example, whose server works with a server of Kedge. */
async function openExample(name: string, { url, server, options }: Serving) {
  const { createApp } = await import(pathToFileURL(resolve('examples', name, 'server.mjs')).href)
  const app = await createApp({ url, token: server.token, cwd: options.cwd })
  const own = await new Promise<{ url: string; end(): Promise<void> }>((started) => {
    // Other tests of this process keep their own `Response`.
    const settings = { fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }
    const made = serveApp(settings, ({ port }: AddressInfo) =>
      started({
        url: `http://127.0.0.1:${port}`,
        end: () =>
          new Promise((ended) => {
            made.close(() => ended())
            if ('closeAllConnections' in made) made.closeAllConnections()
          }),
      }),
    )
  })
  const context = await (await sharedBrowser()).newContext()
  const problems: string[] = []
  watch(context, own.url, problems)
  const page = await context.newPage()
  await page.goto(own.url)
  return {
    page,
    problems,
    async [Symbol.asyncDispose]() {
      await context.close()
      await own.end()
    },
  }
}

async function say(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

describe('examples with a page', { skip: whyNoBrowser !== undefined }, () => {
  test('react-chat: a chat with approvals on kedge/react, through Hono', async () => {
    await using serving = await serve([write('a.txt'), 'Written.', write('b.txt'), 'Refused.'])
    await using example = await openExample('react-chat', serving)
    const { page, problems } = example
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByText('idle').waitFor()
    await say(page, 'go')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('Written.').waitFor()
    await say(page, 'again')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Refused.').waitFor()
    const files = ['a.txt', 'b.txt'].map((name) => existsSync(join(serving.options.cwd, name)))
    assert.deepEqual([files, problems], [[true, false], []])
  })

  test('use-chat: a page of the AI SDK approves, is loaded again, and continues', async () => {
    await using serving = await serve([
      { text: 'I write two.', tools: [...write('a.txt').tools, ...write('b.txt').tools] },
      'Written.',
      'Again.',
    ])
    await using example = await openExample('use-chat', serving)
    const { page, problems } = example
    await page.getByText('ready').waitFor()
    await say(page, 'go')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Write output-available').waitFor()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    // The second request survives that the page is loaded again.
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Written.').waitFor()
    await page.getByText('ready').waitFor()
    await say(page, 'more')
    await page.getByText('Again.').waitFor()
    const shown = await page.getByRole('article').allInnerTexts()
    assert.deepEqual(
      shown.map((text) => text.split(/\s*\n\s*/)),
      [['go'], ['I write two.', 'Write output-available', 'Write output-available', 'Written.'], ['more'], ['Again.']],
    )
    const files = ['a.txt', 'b.txt'].map((name) => existsSync(join(serving.options.cwd, name)))
    assert.deepEqual([files, problems], [[true, true], []])
  })
})
