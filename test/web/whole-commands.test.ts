/** What a card shows of a command is what runs: nothing hides in it, and its end is in sight however long it is. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampledTest } from '../support/tier.js'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

describe('a command on a card', { skip: whyNoBrowser !== undefined, timeout: 180_000 }, () => {
  let stage: PageStage
  before(async () => {
    stage = await startPageStage({})
  })
  after(() => stage[Symbol.asyncDispose]())

  const shown = async (name: string, command: string, size: 'desktop' | 'phone') => {
    stage.stories[name] = [{ tools: [{ name: 'Bash', input: { command } }] }, 'Done.']
    const session = await stage.begin(name)
    const page = await stage.open(`#/s/${session}`, { size })
    const card = page.getByRole('article', { name: 'Permission request: Run this command?' })
    await card.waitFor()
    return { page, pre: card.locator('.preview.command pre') }
  }

  const LONG: Record<string, string> = {
    'a word of 6,000 letters': `mkfifo ${'a'.repeat(6000)}; mkfifo the-end-of-it`,
    '6,000 letters in words': `mkfifo ${'ab cd '.repeat(1000)}; mkfifo the-end-of-it`,
    '400 lines': `mkfifo a${'\n'.repeat(400)}mkfifo the-end-of-it`,
  }
  for (const size of ['desktop', 'phone'] as const)
    for (const [name, command] of Object.entries(LONG))
      sampledTest(`${name}: its beginning and end are in sight, and the rest on demand (${size})`, async () => {
        const { page, pre } = await shown(`${name} ${size}`, command, size)
        const text = (await pre.textContent()) ?? ''
        assert.match(text, /^mkfifo a[\s\S]*Show [\d,]+ more characters[\s\S]*mkfifo the-end-of-it$/)
        // Without scrolling inside of it.
        assert.equal(await pre.evaluate((node) => node.scrollHeight - node.clientHeight), 0)
        await pre.getByRole('button').click()
        await page.waitForFunction(
          (length) => document.querySelector('.preview.command pre')?.textContent?.length === length,
          command.length,
        )
        await page.context().close()
      })

  test('every character that can not be seen has its number there, and nothing is left out', async () => {
    const codes = [0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x1d173, 0x1d17a, 0x115f, 0x3164, 0x180b, 0x2028, 0x200b, 0x2060]
    codes.push(...[0xe0041, 0x202e, 0x34f, 0x17b4, 0xad, 0xfeff, 0xfff9, 0xa0, 0x1b, 0x200d, 0x7])
    const words = codes.map((code) => `x${String.fromCodePoint(code)}`).join('')
    const { page, pre } = await shown('unseen', `mkfifo ${words} \u001b]0;hidden in a title\u0007 ❤️`, 'desktop')
    const marks = codes.map((code) => `x[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`).join('')
    assert.equal(await pre.textContent(), `mkfifo ${marks} [U+001B]]0;hidden in a title[U+0007] ❤️`)
    await page.context().close()
  })
})
