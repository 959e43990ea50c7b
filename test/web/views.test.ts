/** Real MCP servers, sub-agents and teams on the page; then every view, at two sizes, in both colour schemes, by axe. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { axeProblems, type Desk, startDesk, whyNoBrowser } from './desk.js'

const SERVER = fileURLToPath(new URL('desk-server.js', import.meta.url))
const say = (recipient: string, content: string) => ({
  name: 'SendMessage',
  input: { type: 'message', recipient, content, summary: content.slice(0, 20) },
})
const use = (name: string, input: object = {}) => ({ tools: [{ name, input }] })

describe('views', { skip: whyNoBrowser !== undefined }, () => {
  let desk: Desk
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
    desk = await startDesk(
      {},
      {
        options: {
          mcpServers: { harbour: { type: 'stdio', command: process.execPath, args: [SERVER] } },
          allowedTools: ['mcp__harbour__book', 'mcp__harbour__picture'],
          agentTeams: true,
        },
      },
    )
    cwd = desk.serving.options.cwd
    const file_path = join(cwd, 'by-agent.txt')
    Object.assign(desk.stories, {
      'three agents': [{ tools: [task('book one'), task('book two'), task('write it')] }, 'All three are done.'],
      'book one': [use('mcp__harbour__book'), 'One is booked.'],
      'book two': [use('mcp__harbour__book'), 'Two is booked.'],
      'write it': [use('Write', { file_path, content: 'new\n' }), 'It is written.'],
      'draw it': [use('mcp__harbour__picture'), 'Drawn.'],
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
    } satisfies Desk['stories'])
  })
  after(async () => {
    const problems = desk.problems
    await desk[Symbol.asyncDispose]()
    assert.deepEqual(problems, [])
  })

  test('several cards of one session: one is open, the others wait in a row; two forms of a real server, one of a sub-agent', async () => {
    const session = await desk.begin('three agents')
    const page = await desk.open(`#/s/${session}`)
    const row = page.getByRole('list', { name: '3 things wait for you' })
    await row.waitFor()
    const cards = page.getByRole('article', { name: /^(Permission|Request)/ })
    assert.equal(await cards.count(), 1)
    await row.getByRole('button', { name: /Write/ }).click()
    const card = page.getByRole('article', { name: 'Permission: Write' })
    await card.getByText('Agent: Job of write it (general-purpose)').waitFor()
    assert.equal(await cards.count(), 1)
    assert.deepEqual(await row.getByRole('button', { pressed: true }).count(), 1)
    // In the inbox none covers another, and the sub-agent's says whose it is.
    await page.goto(`${desk.serving.url}/#/inbox`)
    const listed = page.getByRole('article', { name: /^(Permission|Request)/ })
    await listed.nth(2).waitFor()
    const boxes = await Promise.all([0, 1, 2].map((at) => listed.nth(at).boundingBox()))
    assert.ok(
      boxes.every((box, at) => at === 0 || (box?.y ?? 0) >= (boxes[at - 1]?.y ?? 0) + (boxes[at - 1]?.height ?? 0)),
    )
    const mine = page.getByRole('article', { name: 'Permission: Write' })
    assert.match(await mine.innerText(), /Agent: Job of write it \(general-purpose\)[\s\S]*three agents/)
    await mine.getByRole('link', { name: 'three agents' }).click()
    await ready(page).click()
    await page.getByText(/Allowed Write once/).waitFor()
    await page.getByRole('list', { name: '2 things wait for you' }).waitFor()
    await page.getByRole('textbox', { name: 'Ship' }).fill('Argo')
    await page.getByRole('spinbutton', { name: /Length/ }).fill('12')
    await page.getByRole('combobox', { name: 'Side' }).selectOption('South quay')
    await page.getByRole('checkbox', { name: 'wine' }).check()
    await page.getByRole('checkbox', { name: 'grain' }).check()
    await send(page).click()
    await page.getByRole('list', { name: '2 things wait for you' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Decline' }).and(page.locator(':not([aria-disabled=true])')).click()
    await page.getByText('All three are done.').waitFor()
    const told = desk.serving.model.requests.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
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
    const session = await desk.begin('draw it')
    made['picture'] = session
    await desk.serving.ended(session, 'first')
    const page = await desk.open(`#/s/${session}`)
    await page.getByRole('button', { name: /picture/, expanded: false }).click()
    await page.getByText('The quay at noon').waitFor()
    const picture = page.getByRole('img', { name: 'Image in the conversation' })
    await picture.waitFor()
    assert.equal(await picture.evaluate((node: HTMLImageElement) => node.naturalWidth), 1)
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('harbour').first().waitFor()
    await page.context().close()
  })

  test('a team: its members, what they wrote to each other, what is to be done', async () => {
    const session = await desk.begin('lead a team')
    made['team'] = session
    await desk.serving.log(
      session,
      ({ kind, data }) => kind === 'message' && JSON.stringify(data).includes('Unloaded.'),
    )
    const page = await desk.open(`#/s/${session}`)
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

  const TABS = ['Tasks', 'Changes', 'Context', 'Team', 'Activity']
  /** Every view: where it is, what is done there, and what is seen then. */
  const viewsFor = (): Record<string, [place: string, look: (page: Page) => Promise<unknown>]> => {
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
    const opened = (story: string) => `#/s/${made[story]}`
    const asks = (story: string, name: RegExp): [string, (page: Page) => Promise<unknown>] => [
      opened(story),
      (page) => page.getByRole('article', { name }).waitFor(),
    ]
    return {
      sessions: ['#/', (page) => page.getByRole('link', { name: /lead a team/ }).waitFor()],
      'new session': ['#/new', (page) => button(page, 'Start a practice session').waitFor()],
      inbox: ['#/inbox', (page) => page.getByRole('article', { name: 'Permission: Write' }).waitFor()],
      search: ['#/search?text=harbour', (page) => page.getByRole('region', { name: 'In conversations' }).waitFor()],
      'a permission': asks('ask to write', /^Permission: Write/),
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
          await button(page, 'Deny with a message…').click()
          await button(page, 'Deny and send').waitFor()
        },
      ],
      'a question': asks('ask a question', /^Question/),
      'a plan': asks('propose a plan', /^Plan/),
      'a form': asks('book a berth', /^Request/),
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
          await page.getByRole('button', { name: 'Go back to before this' }).first().click()
          await page
            .getByRole('dialog')
            .getByText(/This undoes/)
            .waitFor()
        },
      ],
      replay: [`${opened('picture')}/replay`, (page) => page.getByRole('slider').waitFor()],
      ...Object.fromEntries(
        TABS.map((tab): [string, [string, (page: Page) => Promise<unknown>]] => [
          `details: ${tab}`,
          [
            opened('team'),
            async (page) => {
              // It stays open from then on.
              if (tab === TABS[0]) await button(page, 'Details').click()
              await page.getByRole('tab', { name: tab }).click()
              await page.getByRole('tab', { name: tab, selected: true }).waitFor()
            },
          ],
        ]),
      ),
    }
  }

  test('every view at two sizes in both colour schemes: nothing that axe would mend, nothing wider than the screen', async () => {
    const question = { question: 'Which way?', header: 'Way', multiSelect: false }
    const options = ['Left', 'Right'].map((label) => ({ label, description: `To the ${label}` }))
    Object.assign(desk.stories, {
      'ask to write': [use('Write', { file_path: join(cwd, 'matrix.txt'), content: 'new\n' })],
      'ask a question': [use('AskUserQuestion', { questions: [{ ...question, options }] })],
      'propose a plan': [use('ExitPlanMode', { plan: '# The plan\n\n1. look\n' })],
      'book a berth': [use('mcp__harbour__book')],
    } satisfies Desk['stories'])
    for (const name of ['ask to write', 'ask a question', 'propose a plan', 'book a berth']) {
      made[name] = await desk.begin(name, name === 'propose a plan' ? { mode: 'plan' } : {})
      await desk.serving.ask(made[name])
    }
    const found: string[] = []
    for (const size of ['desktop', 'phone'] as const) {
      const page = await desk.open('#/inbox', { size })
      for (const [view, [place, look]] of Object.entries(viewsFor())) {
        // The same place twice would be no other view.
        await page.goto(`${desk.serving.url}/#/nowhere`)
        await page.goto(`${desk.serving.url}/${place}`)
        await look(page)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const problems = await axeProblems(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
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
