/** A conversation, steering it, and the overview, as a person with a browser meets them. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test as alwaysTest, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { sampledTest as test } from '../support/tier.js'
import { whyNoBrowser } from './browser.js'
import { axeProblems, type PageStage, startPageStage } from './page-stage.js'

const MARKDOWN =
  '# Result\n\n- **one**\n- *two*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst x = 1\n```\n\n[docs](https://example.com/page)'

describe('working', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let cwd = ''
  const file = (name: string) => join(cwd, name)
  const story = (name: string, steps: PageStage['stories'][string]) => {
    stage.stories[name] = steps
    return name
  }
  const tool = (page: Page, name: RegExp) => page.getByRole('button', { name, expanded: false })
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
  const menu = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }

  before(async () => {
    stage = await startPageStage({})
    cwd = stage.serving.options.cwd
  })
  after(async () => {
    const problems = stage.problems
    await stage[Symbol.asyncDispose]()
    assert.deepEqual(problems, [])
  })

  alwaysTest(
    'a conversation: Markdown, thoughts folded, a card for each kind of tool, the cost of the turn',
    async () => {
      writeFileSync(file('read.txt'), 'first line\nsecond line\n')
      const session = await stage.begin(
        story('show all', [
          {
            thinking: 'Hm, let me see.',
            text: MARKDOWN,
            tools: [
              { name: 'Read', input: { file_path: file('read.txt') } },
              { name: 'Glob', input: { pattern: '*.txt' } },
              {
                name: 'TodoWrite',
                input: { todos: [{ content: 'Look', status: 'completed', activeForm: 'Looking' }] },
              },
              { name: 'Bash', input: { command: "printf '\\033[31mred\\033[0m line'" } },
              {
                name: 'Edit',
                input: { file_path: file('read.txt'), old_string: 'second line', new_string: 'another line' },
              },
              { name: 'Task', input: { subagent_type: 'Explore', description: 'Look around', prompt: 'look around' } },
            ],
          },
          'The end.',
        ]),
        { mode: 'acceptEdits' },
      )
      story('look around', [{ text: 'I looked.' }])
      await stage.serving.ended(session, 'first')
      const page = await stage.open(`#/s/${session}`)
      await page.getByRole('heading', { name: 'Result' }).waitFor()
      assert.equal(await page.getByRole('cell', { name: '1' }).count(), 1)
      const link = page.getByRole('link', { name: 'docs (example.com)' })
      assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
      assert.equal(await page.getByText('let me see').count(), 0)
      await tool(page, /^Thought/).click()
      await page.getByText('Hm, let me see.').waitFor()
      await tool(page, /^Read read\.txt \d lines/).click()
      await page.getByText('first line').first().waitFor()
      await page.getByRole('button', { name: /^Find \*\.txt 1 result/ }).waitFor()
      await page.getByRole('button', { name: /^Todo list 1 of 1 item done/ }).waitFor()
      await tool(page, /^Bash printf/).click()
      const output = page.getByRole('group', { name: 'Command and output' })
      assert.match(await output.innerText(), /red line$/)
      const diff = page.getByRole('group', { name: /Changes to .*read\.txt/ })
      assert.match(await diff.innerText(), /second line[\s\S]*another line/)
      await tool(page, /^Agent Explore Look around/).click()
      await page.getByText('I looked.').first().waitFor()
      await page.getByText(/tokens in, .* out · \$/).waitFor()
      assert.deepEqual(await axeProblems(page), [])
      await page.context().close()
    },
  )

  test('words and output come as they are made', async () => {
    const long = 'word '.repeat(200)
    const session = await stage.serving.begin({ title: 'Streaming' })
    const page = await stage.open(`#/s/${session}`)
    await composer(page).waitFor()
    await stage.serving.send(
      session,
      'first',
      story('stream', [{ text: `**Begin** ${long}END`, chunk: 40, gapMs: 60 }]),
    )
    const words = page.getByRole('article', { name: 'Agent' })
    await words.getByText('Begin').waitFor()
    assert.deepEqual(
      [await words.getAttribute('aria-busy'), (await words.innerText()).includes('END')],
      ['true', false],
    )
    await words.getByText(/word END/).waitFor()
    await words.and(page.locator('[aria-busy=false]')).waitFor()
    const slow = await stage.begin(
      story('print', [
        {
          tools: [
            {
              name: 'Bash',
              input: {
                command: "printf '\\033[32mbefore\\033[0m\\n'; while [ ! -e go ]; do sleep 0.05; done; echo after",
              },
            },
          ],
        },
        'Ok.',
      ]),
      { mode: 'default' },
    )
    await page.goto(`${stage.serving.url}/#/s/${slow}`)
    const output = page.getByRole('group', { name: 'Command and output' })
    const printed = output.getByText('before', { exact: true })
    await printed.waitFor()
    writeFileSync(file('go'), '')
    await page.getByText('Ok.', { exact: true }).waitFor()
    await page.context().close()
  })

  test('while it works: queue, steer, reorder, edit, remove; stop keeps the session', async () => {
    const session = await stage.begin(story('wait', [{ noAnswer: 'hang' }]))
    const page = await stage.open(`#/s/${session}`)
    const waiting = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem')
    for (const text of ['first one', 'second one', 'third one']) {
      await composer(page).fill(text)
      await page.getByRole('button', { name: 'Queue' }).click()
      await waiting.filter({ hasText: text }).filter({ hasText: 'queued' }).waitFor()
    }
    await waiting.filter({ hasText: 'third one' }).getByRole('button', { name: 'Move up' }).click()
    await waiting.nth(1).filter({ hasText: 'third one' }).waitFor()
    await waiting.filter({ hasText: 'second one' }).getByRole('button', { name: 'Remove' }).click()
    await waiting.filter({ hasText: 'second one' }).waitFor({ state: 'detached' })
    await waiting.filter({ hasText: 'first one' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Prompt').fill('edited one')
    await page.getByRole('button', { name: 'Save' }).click()
    await waiting.nth(0).filter({ hasText: 'edited one' }).waitFor()
    story('edited one', ['The edited one is done.'])
    story('third one', ['The third one is done.'])
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('Stopped.').waitFor()
    await page.getByText('The third one is done.').waitFor()
    const said = await page.getByRole('article', { name: /^(Prompt|Agent)/ }).allInnerTexts()
    assert.deepEqual(
      said.map((text) => text.split('\n')[0]),
      ['wait', 'edited one', 'The edited one is done.', 'third one', 'The third one is done.'],
    )
    await page.context().close()
  })

  test('commands and files are completed; what was sent with pictures shows them', async () => {
    writeFileSync(file('notes-of-ada.md'), 'x')
    const session = await stage.serving.begin({ title: 'Completing' })
    const page = await stage.open(`#/s/${session}`)
    await composer(page).pressSequentially('/comp')
    await page.getByRole('option', { name: /\/compact/, selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await composer(page).fill('')
    await composer(page).pressSequentially('read @ada')
    await page.getByRole('option', { name: '@notes-of-ada.md' }).click()
    assert.equal(await composer(page).inputValue(), 'read @notes-of-ada.md ')
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await page
      .getByLabel('Attach files')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.getByRole('list', { name: 'Attachments' }).getByText('dot.png').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'Image in the conversation' }).waitFor()
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.context().close()
  })

  test('mode and effort are switched; rename, fork, archive, delete; export', async () => {
    const session = await stage.begin(story('short', ['A short answer.']))
    await stage.serving.ended(session, 'first')
    const page = await stage.open(`#/s/${session}`)
    await page.getByText('A short answer.').waitFor()
    await page.getByLabel('Permission mode').selectOption('Plan only')
    await page.getByLabel('Effort').selectOption('High')
    await menu(page, 'Rename')
    await page.getByLabel('New title').fill('A better name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'A better name' }).waitFor()
    const changed = (await stage.serving.call('GET', `/v1/sessions/${session}`)).json
    assert.deepEqual([changed.mode, changed.effort, changed.title], ['plan', 'high', 'A better name'])
    const exported = page.waitForEvent('download')
    await menu(page, 'Export')
    assert.match((await exported).suggestedFilename(), /\.ndjson$/)
    await menu(page, 'Fork')
    await page.waitForFunction((id) => location.hash.startsWith('#/s/') && !location.hash.includes(id), session)
    const copy = page.url().split('/').at(-1) ?? ''
    await menu(page, 'Archive')
    const listed = page.getByRole('navigation', { name: 'Sessions' }).locator(`a[href="#/s/${copy}"]`)
    await listed.waitFor({ state: 'detached' })
    await menu(page, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'New session' }).waitFor()
    assert.equal((await stage.serving.call('GET', `/v1/sessions/${copy}`)).status, 404)
    await page.context().close()
  })

  test('a fork shows what was said before it, and goes back into it', async () => {
    const look = { tools: [{ name: 'Bash', input: { command: 'echo looked' } }] }
    const session = await stage.begin(story('told first', ['First answer.']))
    await stage.serving.ended(session, 'first')
    await stage.serving.send(session, 'second', story('told second', [look, 'Second answer.']))
    await stage.serving.ended(session, 'second')
    const copy = (await stage.serving.call('POST', `/v1/sessions/${session}/fork`, { body: {} })).json.id
    await stage.serving.send(copy, 'third', story('told third', ['Third answer.']))
    await stage.serving.ended(copy, 'third')
    const page = await stage.open(`#/s/${copy}`)
    const said = () => page.getByRole('article', { name: /^(Prompt|Agent)/ }).allInnerTexts()
    const firsts = async () => (await said()).map((text) => text.split('\n')[0])
    await page.getByText('This was said before this session was opened here').waitFor()
    await page.getByText('Third answer.').waitFor()
    const before = ['told first', 'First answer.', 'told second', 'Second answer.']
    assert.deepEqual(await firsts(), [...before, 'told third', 'Third answer.'])
    await tool(page, /^Bash echo looked/).waitFor()
    // At its start a replay has just that.
    await page.goto(`${stage.serving.url}/#/s/${copy}/replay`)
    await page.getByText('Third answer.').waitFor()
    await page.getByRole('slider', { name: 'Point in the session' }).fill('1')
    await page.getByText('Third answer.').waitFor({ state: 'detached' })
    assert.deepEqual(await firsts(), before)
    await page.goto(`${stage.serving.url}/#/s/${copy}`)
    const prompt = page.getByRole('article', { name: /^Prompt/ }).filter({ hasText: 'told second' })
    await prompt.getByRole('button', { name: 'Rewind to before this prompt' }).click()
    // What files were like then was kept for the other session.
    await page.getByRole('radio', { name: 'Conversation only' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Rewind to before this prompt' }).click()
    await prompt.waitFor({ state: 'detached' })
    assert.deepEqual(await firsts(), ['told first', 'First answer.'])
    await page.context().close()
  })

  test('going back shows what would be undone, then undoes it', async () => {
    const write = { tools: [{ name: 'Write', input: { file_path: file('undo.txt'), content: 'x\n' } }] }
    const session = await stage.begin(story('before', ['Said before.']), { mode: 'acceptEdits' })
    await stage.serving.ended(session, 'first')
    await stage.serving.send(session, 'second', story('write undo', [write, 'Wrote it.']))
    await stage.serving.ended(session, 'second')
    const page = await stage.open(`#/s/${session}`)
    const prompt = page.getByRole('article', { name: /^Prompt/ }).filter({ hasText: 'write undo' })
    await prompt.getByRole('button', { name: 'Rewind to before this prompt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/This undoes \d+ messages and changes in 1 file/).waitFor()
    await dialog.getByText(/undo\.txt/).waitFor()
    assert.equal(existsSync(file('undo.txt')), true)
    await dialog.getByRole('button', { name: 'Rewind to before this prompt' }).click()
    await prompt.waitFor({ state: 'detached' })
    await page.getByText('Said before.').waitFor()
    assert.equal(existsSync(file('undo.txt')), false)
    await page.context().close()
  })

  test('the overview: states, a task with its output and a stop, the context, replay at any point', async () => {
    const session = await stage.begin(
      story('background', [
        {
          tools: [
            {
              name: 'Bash',
              input: {
                command: "printf '\\033[32mticking\\033[0m\\n' | tee tick.log; sleep 600",
                run_in_background: true,
                description: 'Ticks',
              },
            },
          ],
        },
        'It runs.',
      ]),
    )
    const page = await stage.open(`#/s/${session}`)
    const row = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: /background/ })
    await row.filter({ hasText: 'Needs you' }).waitFor()
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await page.getByText('It runs.').waitFor()
    await page.getByRole('button', { name: 'Details' }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByText('running').waitFor()
    await panel.getByRole('button', { name: 'Output' }).click()
    await panel
      .getByText(/ticking/)
      .first()
      .waitFor()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('stopped').first().waitFor()
    await panel.getByRole('tab', { name: 'Context' }).click()
    await panel.getByText(/tokens of context used/).waitFor()
    for (const [tab, words] of [
      ['Changes', 'No changed files.'],
      ['Team', 'This session has no team.'],
      ['Activity', 'No MCP servers.'],
    ] as const) {
      await panel.getByRole('tab', { name: tab }).click()
      await panel.getByText(words).waitFor()
    }
    await page.goto(`${stage.serving.url}/#/s/${session}/replay`)
    const point = page.getByRole('slider', { name: 'Point in the session' })
    await page.getByText('It runs.').waitFor()
    await point.fill('2')
    await page.getByText('It runs.').waitFor({ state: 'detached' })
    for (let n = 0; n < 4; n += 1) await page.getByRole('button', { name: 'Next entry' }).click()
    await page.getByRole('article', { name: /^Prompt/ }).waitFor()
    await page.context().close()
  })

  test('search in titles and in conversations leads to the line', async () => {
    const session = await stage.begin(story('find me here', ['An answer with a needle in it.']))
    await stage.serving.ended(session, 'first')
    const page = await stage.open('#/search?text=find+me')
    await page.getByRole('region', { name: 'In titles' }).getByRole('link', { name: 'find me here' }).waitFor()
    await page.getByLabel('Search all sessions').fill('needle')
    await page.keyboard.press('Enter')
    const found = page.getByRole('region', { name: 'In conversations' })
    await found.getByText('An answer with a needle in it.').waitFor()
    assert.equal(await found.locator('mark').first().textContent(), 'needle')
    await found.getByRole('link').click()
    await page.getByText('An answer with a needle in it.').waitFor()
    await page.context().close()
  })

  test('on a phone: the list, then a session with the composer beneath and fields that do not zoom; in the dark', async () => {
    const session = await stage.begin(
      story('on a phone', [{ tools: [{ name: 'Bash', input: { command: 'rm -rf x && echo done' } }] }, 'Ok.']),
    )
    await stage.serving.ask(session)
    const page = await stage.open('#/', { size: 'phone', scheme: 'dark' })
    const listed = page.getByRole('link', { name: /on a phone/ })
    await listed.waitFor()
    await listed.click()
    await page.getByRole('article', { name: 'Permission request: Run this command?' }).waitFor()
    const [box, size] = [await composer(page).boundingBox(), page.viewportSize()]
    assert.ok(box && size && box.y + box.height > size.height - 120 && box.x + box.width <= size.width)
    assert.equal(await composer(page).evaluate((node) => getComputedStyle(node).fontSize), '16px')
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').waitFor()
    await page.getByRole('link', { name: 'All sessions' }).click()
    await page.getByRole('link', { name: /on a phone/ }).waitFor()
    await page.context().close()
  })

  test('who is not signed in is asked for the token; the link of the server signs in and leaves no token behind', async () => {
    const context = await stage.browser.newContext()
    const page = await context.newPage()
    await page.goto(stage.serving.url)
    await page.getByLabel('Token').fill('wrong-token-wrong-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    assert.deepEqual(await axeProblems(page), [])
    // As a new page: to a page that is open already, only the part behind # would change.
    await page.goto('about:blank')
    await page.goto(`${stage.serving.url}/#token=${stage.serving.server.token}`)
    await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
    assert.equal(page.url().includes('token'), false)
    await context.close()
  })

  test('it can be installed', () => {
    const manifest = JSON.parse(readFileSync('dist/web/manifest.webmanifest', 'utf8'))
    assert.deepEqual([manifest.display, manifest.start_url], ['standalone', '/'])
  })

  alwaysTest('/btw is answered beside the conversation and leaves no trace; /reload says what changed', async () => {
    const session = await stage.begin(story('tell me a story', ['Once upon a time.']))
    story('what about the dragon?', ['It sleeps.'])
    await stage.serving.ended(session, 'first')
    const page = await stage.open(`#/s/${session}`)
    await page.getByText('Once upon a time.').waitFor()
    await composer(page).fill('/btw what about the dragon?')
    await composer(page).press('Enter')
    const aside = page.getByRole('region', { name: 'On the side' })
    await aside.getByText('It sleeps.').waitFor()
    assert.equal(await page.getByRole('log').getByText('It sleeps.').count(), 0)
    assert.deepEqual(await axeProblems(page), [])
    await aside.getByRole('button', { name: 'Dismiss' }).click()
    await aside.waitFor({ state: 'detached' })
    await composer(page).fill('/reload')
    await composer(page).press('Enter')
    await aside.getByText('Nothing has changed.').waitFor()
    await page.close()
  })
})
