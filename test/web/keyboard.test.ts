/** The keyboard, the clipboard, and dropped files, as a person with a browser uses them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.js'
import { whyNoBrowser } from './browser.js'
import { axeProblems, type PageStage, startPageStage } from './page-stage.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const TABLE = '| File | Lines |\n|---|---:|\n| a/rather/long/path.ts | 1,204 |'
const CODE = '```ts\nconst snake_case = 1\n```'

describe('keyboard', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
  before(async () => {
    stage = await startPageStage({
      'show code': [`${CODE}\n\n${TABLE}`],
      'say more': ['More.'],
      wait: [{ text: 'word '.repeat(2000), chunk: 5, gapMs: 100 }],
    })
  })
  after(async () => {
    const { problems } = stage
    await stage[Symbol.asyncDispose]()
    assert.deepEqual(problems, [])
  })

  test('code has its language and a button that copies it; words of a table are whole, numbers on the right', async () => {
    const session = await stage.begin('show code')
    await stage.serving.ended(session, 'first')
    const page = await stage.open(`#/s/${session}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const block = page.locator('.code-block')
    await block.getByText('ts', { exact: true }).waitFor()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'const snake_case = 1')
    const head = page.getByRole('columnheader', { name: 'Lines' })
    assert.equal(await head.evaluate((cell) => getComputedStyle(cell).textAlign), 'right')
    const { height = 0 } = (await head.boundingBox()) ?? {}
    assert.ok(height < 40, `the head of the table is ${height} px high: its word is broken`)
    assert.deepEqual(await axeProblems(page), [])
    await page.context().close()
  })

  test('the palette finds sessions and commands, the sheet lists the keys, the color scheme stays chosen', async () => {
    const one = await stage.serving.begin({ title: 'Ship the release' })
    const page = await stage.open('#/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Commands' })
    await palette.getByRole('option', { name: 'New session' }).waitFor()
    assert.deepEqual(await axeProblems(page), [])
    await page.keyboard.type('release ship')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ship the release' }).waitFor()
    assert.match(page.url(), new RegExp(`#/s/${one}$`))
    await eventually('the tab names the session', async () => (await page.title()) === 'Ship the release · Kedge')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('scheme dark')
    await page.keyboard.press('Enter')
    const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await eventually('the page is dark', async () => (await paper()) === 'rgb(21, 24, 27)')
    await page.reload()
    await page.getByRole('heading', { name: 'Ship the release' }).waitFor()
    assert.equal(await paper(), 'rgb(21, 24, 27)')

    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Stop the running turn').waitFor()
    assert.deepEqual(await axeProblems(page), [])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    // In a field it is a question mark.
    await composer(page).fill('really')
    await composer(page).press('?')
    assert.equal(await composer(page).inputValue(), 'really?')
    await page.context().close()
  })

  test('the arrow recalls earlier prompts; Escape stops the turn, and closes suggestions first', async () => {
    const session = await stage.begin('show code')
    await stage.serving.ended(session, 'first')
    await stage.serving.send(session, 'second', 'say more')
    await stage.serving.ended(session, 'second')
    const page = await stage.open(`#/s/${session}`)
    const field = composer(page)
    await field.focus()
    const recalled: string[] = []
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
      await field.press(key)
      recalled.push(await field.inputValue())
    }
    assert.deepEqual(recalled, ['say more', 'show code', 'show code', 'say more', ''])
    // What a user wrote is not replaced.
    await field.fill('my own')
    await field.press('ArrowUp')
    assert.equal(await field.inputValue(), 'my own')

    await field.fill('wait')
    await field.press('Enter')
    await page.getByText('word word').first().waitFor()
    await field.fill('/')
    await page.getByRole('listbox', { name: 'Completions' }).waitFor()
    await field.press('Escape')
    await page.getByRole('listbox', { name: 'Completions' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Stop', exact: true }).count(), 1)
    await field.press('Escape')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
    await page.getByText(/^Stopped/).waitFor()
    await page.context().close()
  })

  test('words are found in the whole session, also in what is folded; Home and End go to its ends', async () => {
    const session = await stage.serving.begin({ title: 'Long' })
    const command = 'printf "needle\\nhay\\n"'
    stage.stories['tall'] = [
      { text: 'line\n\n'.repeat(300), tools: [{ name: 'Bash', input: { command } }] },
      'The end.',
    ]
    stage.stories['again'] = ['One more Needle here.']
    for (const id of ['tall', 'again']) {
      await stage.serving.send(session, id, id)
      await stage.serving.ended(session, id)
    }
    const page = await stage.open(`#/s/${session}`)
    await page.getByText('One more Needle here.').waitFor()
    const scroller = page.getByRole('region', { name: /^Conversation/ })
    const top = () => scroller.evaluate((node) => node.scrollTop)
    await scroller.press('Home')
    await eventually('the beginning is shown', async () => (await top()) === 0)
    await scroller.press('End')
    await eventually('the end is shown', () =>
      scroller.evaluate((node) => node.scrollHeight - node.clientHeight - node.scrollTop < 2),
    )
    await page.keyboard.press('Control+f')
    const field = page.getByRole('searchbox', { name: 'Find in this session' })
    await field.fill('needle')
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.locator('.item.marked').getByText('One more Needle here.').waitFor()
    const marked = () => page.evaluate<number>("CSS.highlights.get('kedge-found')?.size ?? 0")
    await eventually('the word is marked', async () => (await marked()) > 0)
    assert.deepEqual(await axeProblems(page), [])
    await field.press('Enter')
    await page.getByText('1 of 2', { exact: true }).waitFor()
    // The tool was folded.
    await page.locator('.item.marked').getByRole('group', { name: 'Command and output' }).waitFor()
    await field.fill('no such word')
    await page.getByRole('search').getByText('No results.').waitFor()
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await eventually('nothing is marked', async () => (await marked()) === 0)
    await page.context().close()
  })

  test('a file that is dropped anywhere in a session is attached, an image with a thumbnail; elsewhere nothing opens it', async () => {
    const session = await stage.serving.begin({ title: 'Drop' })
    const page = await stage.open(`#/s/${session}`)
    await composer(page).waitFor()
    const drop = (selector: string) =>
      page.evaluate(
        ([where = '', data = '']) => {
          const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([bytes], 'pixel.png', { type: 'image/png' }))
          const given = { bubbles: true, composed: true, cancelable: true, dataTransfer }
          const target = document.querySelector(where)
          const over = target?.dispatchEvent(new DragEvent('dragover', given))
          return [over, target?.dispatchEvent(new DragEvent('drop', given))]
        },
        [selector, PIXEL],
      )
    assert.deepEqual(await drop('nav'), [false, false])
    const files = page.getByRole('list', { name: 'Attachments' })
    await files.getByText('pixel.png').waitFor()
    const image = files.locator('img')
    await eventually('the thumbnail is drawn', () =>
      image.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth === 1),
    )
    assert.deepEqual(await axeProblems(page), [])
    await page.goto(`${stage.serving.url}/#/inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    assert.deepEqual(await drop('main'), [false, false])
    await page.context().close()
  })
})
