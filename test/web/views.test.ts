/** Real MCP servers, sub-agents and teams on the page; then every view, at two sizes, in both color schemes, by axe. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { byTier, isInPart, sampledTest } from '../support/tier.js'
import { whyNoBrowser } from './browser.js'
import { axeProblems, type PageStage, startPageStage } from './page-stage.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SERVER = fileURLToPath(new URL('form-server.js', import.meta.url))
const say = (recipient: string, content: string) => ({
  name: 'SendMessage',
  input: { type: 'message', recipient, content, summary: content.slice(0, 20) },
})
const use = (name: string, input: object = {}) => ({ tools: [{ name, input }] })

describe('views', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let cwd = ''
  const task = (prompt: string, more: object = {}) => ({
    name: 'Task',
    input: { subagent_type: 'general-purpose', description: `Job of ${prompt}`, prompt, ...more },
  })
  const ready = (page: Page) => page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])')
  /** Sessions that have something to look at, by the story they were begun with. */
  const made: Record<string, string> = {}
  const send = (page: Page) =>
    page.locator('button[type=submit]:not([aria-disabled=true])', { hasText: 'Send answers' })

  before(async () => {
    stage = await startPageStage(
      {},
      {
        options: {
          mcpServers: { harbor: { type: 'stdio', command: process.execPath, args: [SERVER] } },
          allowedTools: ['mcp__harbor__book', 'mcp__harbor__picture'],
          agentTeams: true,
        },
      },
    )
    cwd = stage.serving.options.cwd
    const file_path = join(cwd, 'by-agent.txt')
    Object.assign(stage.stories, {
      'three agents': [{ tools: [task('book one'), task('book two'), task('write it')] }, 'All three are done.'],
      'book one': [use('mcp__harbor__book'), 'One is booked.'],
      'book two': [use('mcp__harbor__book'), 'Two is booked.'],
      'write it': [use('Write', { file_path, content: 'new\n' }), 'It is written.'],
      'draw it': [use('mcp__harbor__picture'), 'Drawn.'],
      'lead a team': [
        use('TeamCreate', { team_name: 'dockers', description: 'who unload' }),
        use('TaskCreate', { subject: 'Unload the grain', description: 'all of it' }),
        use('TaskCreate', { subject: 'Sweep the deck', description: 'all of it' }),
        { tools: [task('unload', { name: 'ann' }), task('sweep', { name: 'bob' })] },
        { tools: [say('ann', 'Begin with the grain')] },
        'They work.',
      ],
      unload: [
        use('TaskUpdate', { taskId: '1', status: 'in_progress' }),
        { tools: [say('bob', 'I take the grain')] },
        use('TaskUpdate', { taskId: '1', status: 'completed' }),
        'Unloaded.',
      ],
      sweep: ['Swept.'],
    } satisfies PageStage['stories'])
  })
  after(async () => {
    const problems = stage.problems
    await stage[Symbol.asyncDispose]()
    assert.deepEqual(problems, [])
  })

  test('several cards of one session: one is open, the others wait in a row; two forms of a real server, one of a sub-agent', async () => {
    const session = await stage.begin('three agents')
    const page = await stage.open(`#/s/${session}`)
    const row = page.getByRole('list', { name: '3 requests waiting' })
    await row.waitFor()
    const cards = page.getByRole('article', { name: /^(Permission|Form)/ })
    assert.equal(await cards.count(), 1)
    await row.getByRole('button', { name: /Write/ }).click()
    const card = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
    await card.getByText('Agent: Job of write it (general-purpose)').waitFor()
    assert.equal(await cards.count(), 1)
    assert.deepEqual(await row.getByRole('button', { pressed: true }).count(), 1)
    // In the inbox none covers another, and the sub-agent's says whose it is.
    await page.goto(`${stage.serving.url}/#/inbox`)
    const listed = page.getByRole('article', { name: /^(Permission|Form)/ })
    await listed.nth(2).waitFor()
    const boxes = await Promise.all([0, 1, 2].map((at) => listed.nth(at).boundingBox()))
    assert.ok(
      boxes.every((box, at) => at === 0 || (box?.y ?? 0) >= (boxes[at - 1]?.y ?? 0) + (boxes[at - 1]?.height ?? 0)),
    )
    const mine = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
    assert.match(await mine.innerText(), /Agent: Job of write it \(general-purpose\)[\s\S]*three agents/)
    await mine.getByRole('link', { name: 'three agents' }).click()
    await ready(page).click()
    await page.getByText(/Allowed Write once/).waitFor()
    await page.getByRole('list', { name: '2 requests waiting' }).waitFor()
    await page.getByRole('textbox', { name: 'Ship' }).fill('Argo')
    await page.getByRole('spinbutton', { name: /Length/ }).fill('12')
    await page.getByRole('combobox', { name: 'Side' }).selectOption('South quay')
    await page.getByRole('checkbox', { name: 'wine' }).check()
    await page.getByRole('checkbox', { name: 'grain' }).check()
    await send(page).click()
    await page.getByRole('list', { name: '2 requests waiting' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Decline' }).and(page.locator(':not([aria-disabled=true])')).click()
    await page.getByText('All three are done.').waitFor()
    const told = stage.serving.model.requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
    const content = { ship: 'Argo', length: 12, crane: false, side: 's', goods: ['wine', 'grain'] }
    const booked = told.filter((text) => text.startsWith('{"action"')).map((text) => JSON.parse(text))
    assert.deepEqual(
      booked.find(({ action }) => action === 'accept'),
      { action: 'accept', content },
    )
    assert.ok(booked.some(({ action }) => action === 'decline'))
    await page.context().close()
  })

  test('the result of a real server with its picture', async () => {
    const session = await stage.begin('draw it')
    made['picture'] = session
    await stage.serving.ended(session, 'first')
    const page = await stage.open(`#/s/${session}`)
    await page.getByRole('button', { name: /picture/, expanded: false }).click()
    await page.getByText('The quay at noon').waitFor()
    const picture = page.getByRole('img', { name: 'Image in the conversation' })
    await picture.waitFor()
    assert.equal(await picture.evaluate((node: HTMLImageElement) => node.naturalWidth), 1)
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('harbor').first().waitFor()
    await page.context().close()
  })

  test('a team: its members, what they wrote to each other, what is to be done', async () => {
    const session = await stage.begin('lead a team')
    made['team'] = session
    await stage.serving.log(
      session,
      ({ kind, data }) => kind === 'message' && JSON.stringify(data).includes('Unloaded.'),
    )
    const page = await stage.open(`#/s/${session}`)
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('tab', { name: 'Team' }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByRole('heading', { name: 'dockers' }).waitFor()
    await panel.getByRole('heading', { name: 'Messages' }).waitFor()
    const shown = (await panel.innerText()).replace(/\s+/g, ' ')
    assert.match(shown, /dockers ann Job of unload bob Job of sweep/)
    assert.match(shown, /lead → ann Begin with the grain/)
    assert.match(shown, /ann → bob I take the grain/)
    assert.match(shown, /done: Unload the grain ☐ to do: Sweep the deck/)
    await page.context().close()
  })

  sampledTest(
    'what a log can have besides: pages and searches with links, data as a table, retries, compaction, hooks, what an agent used',
    async () => {
      const session = await stage.serving.begin({ title: 'All kinds' })
      const page = await stage.open('#/new')
      let seq = 0
      const entry = (data: object) => {
        seq += 1
        return { session, seq, at: new Date().toISOString(), kind: 'message', data }
      }
      const used = {
        input_tokens: 50_000,
        output_tokens: 10,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      }
      const call = (id: string, name: string, input: object, result: string) => {
        const message = {
          id: `m${id}`,
          role: 'assistant',
          content: [{ type: 'tool_use', id, name, input }],
          usage: used,
        }
        const content = [{ type: 'tool_result', tool_use_id: id, content: result }]
        const of = { parent_tool_use_id: null, uuid: `u${id}` }
        return [
          entry({ type: 'assistant', message, ...of }),
          entry({ type: 'user', message: { role: 'user', content }, ...of }),
        ]
      }
      const system = (subtype: string, more: object) => entry({ type: 'system', subtype, ...more })
      const entries = [
        ...call(
          't1',
          'WebFetch',
          { url: 'https://example.com/tides', prompt: 'When?' },
          'High at [noon](https://example.com/noon).',
        ),
        ...call('t2', 'WebSearch', { query: 'tides' }, 'Links: [Tide tables](https://example.com/tables)'),
        ...call('t3', 'StructuredOutput', { ships: [{ name: 'Argo', crew: 50 }] }, 'ok'),
        system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 150_000 } }),
        system('api_retry', {
          attempt: 2,
          max_retries: 10,
          retry_delay_ms: 600_000,
          error_status: 529,
          error: 'overloaded',
        }),
        system('hook_response', {
          hook_name: 'lint',
          hook_event: 'PostToolUse',
          outcome: 'error',
          output: '',
          stderr: 'no such file',
        }),
        system('task_started', { task_id: 'a1', description: 'Look at the charts', task_type: 'local_agent' }),
        system('task_progress', {
          task_id: 'a1',
          description: 'x',
          usage: { total_tokens: 12_000, tool_uses: 3, duration_ms: 1 },
        }),
      ]
      await page.route(`**/sessions/${session}/log**`, (route) => route.fulfill({ json: { entries, last: seq } }))
      await page.goto(`${stage.serving.url}/#/s/${session}`)
      const open = (name: RegExp) => page.getByRole('button', { name, expanded: false }).click()
      await open(/^Fetch https:\/\/example\.com\/tides/)
      for (const name of [/example\.com\/tides/, /^noon/]) {
        const link = page.getByRole('link', { name }).first()
        assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
      }
      await open(/^Search the web tides/)
      assert.equal(
        await page.getByRole('link', { name: /Tide tables/ }).getAttribute('href'),
        'https://example.com/tables',
      )
      const table = page.getByRole('table').filter({ hasText: 'Argo' }).last()
      assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['name', 'crew'])
      await page.getByText('The conversation was summarized.').waitFor()
      await page
        .getByText(/attempt 2 of 10 failed\.[\s\S]*Retrying in[\s\S]*5\d\d s/)
        .first()
        .waitFor()
      await page.getByText('Hook lint failed.').waitFor()
      await page.getByRole('button', { name: 'Details' }).click()
      await page.getByRole('tab', { name: 'Activity' }).click()
      const panel = page.getByRole('complementary', { name: 'Details' })
      await panel.getByText('PostToolUse · lint').waitFor()
      await page.getByRole('tab', { name: 'Context' }).click()
      await panel.getByRole('row', { name: /Look at the charts 12/ }).waitFor()
      await page.context().close()
    },
  )

  sampledTest(
    'steer, model, paste, drop, copy; a card that comes while somebody types takes no focus, and is read out',
    async () => {
      const question = { question: 'Which way?', header: 'Way', multiSelect: false }
      const options = [
        { label: 'Left', description: 'To the left', markdown: '## Past the mill' },
        { label: 'Right', description: 'To the right' },
      ]
      Object.assign(stage.stories, {
        'hang on': [{ text: 'Some **bold** words.' }],
        hang: [{ noAnswer: 'hang' }],
        'change it': [use('Write', { file_path: join(cwd, 'wide.txt'), content: 'one\ntwo\n' }), 'Changed.'],
        'which way': [use('AskUserQuestion', { questions: [{ ...question, options }] }), 'Good.'],
      } satisfies PageStage['stories'])
      const session = await stage.begin('hang on')
      await stage.serving.ended(session, 'first')
      const page = await stage.open(`#/s/${session}`)
      const composer = page.getByRole('textbox', { name: 'Prompt', exact: true })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.serving.url })
      await page.getByText('bold').waitFor()
      await page.getByRole('button', { name: 'Copy as Markdown' }).last().click()
      await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('Some **bold** words.'))
      // A picture from the clipboard, and a file that is dropped.
      for (const [event, name] of [
        ['paste', 'pasted.png'],
        ['drop', 'dropped.png'],
      ] as const) {
        await composer.evaluate(
          (node, [type, title, data]) => {
            const files = new DataTransfer()
            const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
            files.items.add(new File([bytes], title, { type: 'image/png' }))
            const more = { bubbles: true, cancelable: true }
            node.dispatchEvent(
              type === 'paste'
                ? new ClipboardEvent('paste', { ...more, clipboardData: files })
                : new DragEvent('drop', { ...more, dataTransfer: files }),
            )
          },
          [event, name, PIXEL] as const,
        )
        await page.getByRole('list', { name: 'Attachments' }).getByText(name).waitFor()
      }
      for (const name of ['pasted.png', 'dropped.png'])
        await page.getByRole('listitem').filter({ hasText: name }).getByRole('button').click()
      await composer.fill('hang')
      await composer.press('Enter')
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
      await composer.fill('turn left')
      await composer.press('Control+Enter')
      const waiting = page.getByRole('region', { name: 'Queued prompts' }).getByRole('listitem')
      await waiting.filter({ hasText: 'turn left' }).filter({ hasText: 'steers' }).waitFor()
      const models = page.getByLabel('Model')
      await models.focus()
      await models.locator('option', { hasText: /opus/i }).first().waitFor({ state: 'attached' })
      const wanted = await models.locator('option', { hasText: /opus/i }).first().textContent()
      const changed = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await models.selectOption(wanted)
      assert.deepEqual((await changed).request().postDataJSON(), { model: wanted })
      assert.equal((await changed).status(), 200)
      const other = await stage.begin('change it')
      const ask = await stage.serving.ask(other)
      await page.goto(`${stage.serving.url}/#/s/${other}`)
      // Side by side where there is room, one under the other where there is not.
      const diff = page.getByRole('group', { name: /Changes to .*wide\.txt/ })
      const cells = diff.getByRole('row').filter({ hasText: 'two' }).getByRole('cell')
      await cells.nth(1).waitFor()
      const wide = await cells.count()
      await page.setViewportSize({ width: 390, height: 844 })
      await cells.nth(wide / 2).waitFor({ state: 'detached' })
      assert.equal(await cells.count(), wide / 2)
      await page.setViewportSize({ width: 1280, height: 800 })
      // Somebody types when the next card comes: in this session, and in another one.
      await stage.serving.call('POST', `/v1/sessions/${other}/asks/${ask.id}/answer`, { body: { kind: 'allow' } })
      await page.getByText('Changed.').waitFor()
      await composer.pressSequentially('which')
      await stage.serving.send(other, 'second', 'which way')
      await page.getByRole('article', { name: /^Question/ }).waitFor()
      await composer.pressSequentially(' yn')
      assert.equal(await composer.inputValue(), 'which yn')
      await page
        .getByRole('status')
        .filter({ hasText: /needs you/ })
        .first()
        .waitFor({ state: 'attached' })
      // Without a mouse: to the choices and to the button, by Tab alone.
      await page.getByRole('radio', { name: /Left/ }).focus()
      await page.keyboard.press('Space')
      await page.getByRole('heading', { name: 'Past the mill' }).waitFor()
      await send(page).waitFor()
      for (let n = 0; n < 6; n += 1) {
        await page.keyboard.press('Tab')
        if (await send(page).evaluate((node) => node === document.activeElement)) break
      }
      await page.keyboard.press('Enter')
      await page.getByText('Good.').waitFor()
      await page.context().close()
    },
  )

  const TABS = ['Tasks', 'Changes', 'Context', 'Team', 'Activity']
  /** `npm test` looks at these, and at a seeded fifth of the others. */
  const FIRST_VIEWS = ['sessions', 'a permission', 'a conversation']
  /** Every view: where it is, what is done there, and what is seen then. */
  const viewsFor = (): Record<string, [place: string, look: (page: Page) => Promise<unknown>]> => {
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const opened = (story: string) => `#/s/${made[story]}`
    const asks = (story: string, name: RegExp): [string, (page: Page) => Promise<unknown>] => [
      opened(story),
      (page) => page.getByRole('article', { name }).waitFor(),
    ]
    let isOpen = false
    return {
      sessions: ['#/', (page) => page.getByRole('link', { name: /lead a team/ }).waitFor()],
      'new session': ['#/new', (page) => button(page, 'Start a practice session').waitFor()],
      inbox: [
        '#/inbox',
        (page) => page.getByRole('article', { name: /^Permission request: (Create|Replace) / }).waitFor(),
      ],
      search: ['#/search?text=harbor', (page) => page.getByRole('region', { name: 'In conversations' }).waitFor()],
      'a permission': asks('ask to write', /^Permission request: (Create|Replace) /),
      'its input edited': [
        opened('ask to write'),
        async (page) => {
          await ready(page).waitFor()
          await page.locator('button[aria-keyshortcuts=e]').click()
          await button(page, 'Allow with these values').waitFor()
        },
      ],
      'a no with a message': [
        opened('ask to write'),
        async (page) => {
          await ready(page).waitFor()
          await button(page, 'Deny with a message').click()
          await button(page, 'Deny and send').waitFor()
        },
      ],
      'a question': asks('ask a question', /^Question/),
      'a plan': asks('propose a plan', /^Plan/),
      'a form': asks('book a berth', /^Form/),
      'a conversation': [
        opened('picture'),
        async (page) => {
          await page.getByRole('button', { name: /picture/, expanded: false }).click()
          await page.getByRole('img', { name: 'Image in the conversation' }).waitFor()
        },
      ],
      'its menu': [
        opened('picture'),
        async (page) => {
          await button(page, 'More').click()
          await button(page, 'Rename').waitFor()
        },
      ],
      'going back': [
        opened('picture'),
        async (page) => {
          // By key: the rows above still grow while their Markdown loads, and a click would land beside the button.
          await page.getByRole('button', { name: 'Rewind to before this prompt' }).first().press('Enter')
          const dialog = page.getByRole('dialog')
          await dialog.waitFor()
          await dialog.locator('.preview p:not(.quiet)').waitFor()
          // Nothing comes before the first prompt of a conversation; its files can be restored.
          assert.match(await dialog.innerText(), /The files can be restored\. Nothing comes before the first prompt/)
          await dialog.getByRole('radio', { name: 'Files only' }).press('Space')
          await dialog.getByText(/This undoes/).waitFor()
        },
      ],
      replay: [`${opened('picture')}/replay`, (page) => page.getByRole('slider').waitFor()],
      ...Object.fromEntries(
        TABS.map((tab): [string, [string, (page: Page) => Promise<unknown>]] => [
          `details: ${tab}`,
          [
            opened('team'),
            async (page) => {
              // On a narrow screen it is closed by going elsewhere; on a wide one it stays open from then on.
              const isNarrow = (page.viewportSize()?.width ?? 0) <= 1100
              if (isNarrow || !isOpen) await button(page, 'Details').click()
              isOpen = true
              await page.getByRole('tab', { name: tab }).click()
              await page.getByRole('tab', { name: tab, selected: true }).waitFor()
            },
          ],
        ]),
      ),
    }
  }

  test('every view at each size in each color scheme: nothing that axe would mend, nothing wider than the screen', async () => {
    const question = { question: 'Which way?', header: 'Way', multiSelect: false }
    const options = ['Left', 'Right'].map((label) => ({ label, description: `To the ${label}` }))
    Object.assign(stage.stories, {
      'ask to write': [use('Write', { file_path: join(cwd, 'matrix.txt'), content: 'new\n' })],
      'ask a question': [use('AskUserQuestion', { questions: [{ ...question, options }] })],
      'propose a plan': [use('ExitPlanMode', { plan: '# The plan\n\n1. look\n' })],
      'book a berth': [use('mcp__harbor__book')],
    } satisfies PageStage['stories'])
    for (const name of ['ask to write', 'ask a question', 'propose a plan', 'book a berth']) {
      made[name] = await stage.begin(name, name === 'propose a plan' ? { mode: 'plan' } : {})
      await stage.serving.ask(made[name])
    }
    const found: string[] = []
    for (const size of byTier<readonly ('desktop' | 'phone')[]>({ quick: ['desktop'], all: ['desktop', 'phone'] })) {
      const page = await stage.open('#/inbox', { size })
      for (const [view, [place, look]] of Object.entries(viewsFor())) {
        if (!FIRST_VIEWS.includes(view) && !isInPart(`view ${view}`)) continue
        // The same place twice would be no other view.
        await page.goto(`${stage.serving.url}/#/nowhere`)
        await page.waitForFunction(() => document.querySelector('.session-view') === null)
        await page.goto(`${stage.serving.url}/${place}`)
        await look(page)
        for (const colorScheme of byTier<readonly ('light' | 'dark')[]>({ quick: ['light'], all: ['light', 'dark'] })) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          // What is beside the view has been seen with the first one.
          const within = view === 'sessions' || view === 'going back' ? {} : { within: 'main' }
          // The structure is the same in both schemes: it is looked at once for each size, once for each scheme.
          const isWhole = (size === 'desktop') === (colorScheme === 'light')
          const scope = isWhole ? byTier({ quick: within, all: {} }) : { rules: ['color-contrast'], ...within }
          const problems = await axeProblems(page, scope)
          found.push(...problems.map((problem) => `${view}, ${size}, ${colorScheme}: ${problem}`))
        }
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        if (isWide) found.push(`${view}, ${size}: wider than the screen`)
      }
      await page.context().close()
    }
    assert.deepEqual(found, [])
  })
})
