/** Cards, the inbox, question forms and plans, as a person with a browser meets them. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test as alwaysTest, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { sampledTest as test } from '../support/tier.js'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

const PLAN = '# The plan\n\n1. look\n2. mend\n'
const QUESTIONS = [
  {
    question: 'Where should it go?',
    header: 'Place',
    multiSelect: false,
    options: [
      { label: 'Here', description: 'In this folder' },
      { label: 'There', description: 'Somewhere else' },
    ],
  },
  {
    question: 'Which checks?',
    header: 'Checks',
    multiSelect: true,
    options: [
      { label: 'Tests', description: 'All of them' },
      { label: 'Types', description: 'Without output' },
    ],
  },
]

describe('answering', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let cwd = ''
  const file = (name: string) => join(cwd, name)
  const text = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined)
  const write = (name: string) => [
    { tools: [{ name: 'Write', input: { file_path: file(name), content: 'new\n' } }] },
    'Written.',
  ]
  const story = (name: string, steps: PageStage['stories'][string]) => {
    stage.stories[name] = steps
    return name
  }
  const allow = (page: Page) => page.getByRole('button', { name: /^Allow once/ })
  const note = (page: Page, words: RegExp) => page.getByText(words).first().waitFor()
  const wait = (session: string, isLast: Parameters<PageStage['serving']['log']>[1]) =>
    stage.serving.log(session, isLast)

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
    'a card shows the change; a click in the moment it appears does nothing, a later one allows just this',
    async () => {
      const page = await stage.open('#/inbox')
      // Somebody's finger is on its way when the card comes.
      await page.evaluate(() => {
        const seen = { clicks: 0, came: 0, ready: 0 }
        Object.assign(globalThis, { seen })
        new MutationObserver(() => {
          const button = document.querySelector<HTMLButtonElement>('button[aria-keyshortcuts=y]')
          if (!button) return
          const isReady = button.getAttribute('aria-disabled') !== 'true'
          if (seen.came === 0) seen.came = performance.now()
          if (isReady && seen.ready === 0) seen.ready = performance.now()
          if (isReady) return
          seen.clicks += 1
          button.click()
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
        }).observe(document.body, { subtree: true, childList: true, attributes: true })
      })
      const session = await stage.begin(story('write one', write('one.txt')))
      const card = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
      await card.waitFor()
      assert.match(
        await card.innerText(),
        /one\.txt[\s\S]*new file[\s\S]*Why approval is needed[\s\S]*all file edits\s*for this session/,
      )
      await page
        .getByRole('group', { name: /Changes to .*one\.txt/ })
        .getByText('new')
        .first()
        .waitFor()
      await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').waitFor()
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: Record<string, number> }).seen)
      assert.ok((seen['clicks'] ?? 0) > 0 && (seen['ready'] ?? 0) - (seen['came'] ?? 0) >= 450, JSON.stringify(seen))
      assert.equal((await stage.serving.call('GET', '/v1/asks')).json.asks.length, 1)
      await allow(page).click()
      await page.getByText("You're all caught up. New requests from your agents appear here.").waitFor()
      const log = await wait(session, ({ kind }) => kind === 'answered')
      const ask = log.find(({ kind }) => kind === 'ask')
      const answered = log.at(-1)
      assert.ok(ask?.kind === 'ask' && answered?.kind === 'answered')
      assert.deepEqual(answered.data.answer, { kind: 'allow', hash: ask.data.tool?.hash })
      await stage.serving.ended(session, 'first')
      assert.equal(text('one.txt'), 'new\n')
      await page.context().close()
    },
  )

  test('an answer about another input than the one that is asked about is refused, and the card stays', async () => {
    const session = await stage.begin(story('write two', write('two.txt')))
    await stage.serving.ask(session)
    const page = await stage.open(`#/s/${session}`)
    await page.route('**/answer', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), hash: 'of-something-else' }) }),
    )
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').waitFor()
    await allow(page).click()
    await note(page, /for another input/)
    assert.equal(await allow(page).count(), 1)
    assert.equal(text('two.txt'), undefined)
    await page.unroute('**/answer')
    // Without a mouse: n says no, and what it is about says by whom.
    await page.getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.press('n')
    await note(page, /Denied Write by main/)
    await page.context().close()
  })

  test('keys: e edits before it is allowed, a allows for good; a message goes with a no', async () => {
    const session = await stage.begin(
      story('write three', [
        { tools: [{ name: 'Write', input: { file_path: file('three.txt'), content: 'mine\n' } }] },
        { tools: [{ name: 'Bash', input: { command: 'rm three.txt && ls' } }] },
        { tools: [{ name: 'Write', input: { file_path: file('four.txt'), content: 'four\n' } }] },
        { tools: [{ name: 'Write', input: { file_path: file('five.txt'), content: 'five\n' } }] },
        'Done.',
      ]),
    )
    const page = await stage.open(`#/s/${session}`)
    const ready = () => page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').waitFor()
    await ready()
    await page.keyboard.press('e')
    await page.getByLabel('content').fill('edited\n')
    await page.getByRole('button', { name: 'Allow with these values' }).click()
    await note(page, /Allowed Write with an edited input/)
    // The command has parts: one that asks, one that may run.
    const parts = page.getByRole('list', { name: 'Parts of the command' })
    await parts.waitFor()
    assert.equal(text('three.txt'), 'edited\n')
    assert.match(await parts.innerText(), /rm three\.txt\s*needs approval[\s\S]*ls\s*allowed/)
    await ready()
    await page.getByRole('button', { name: 'Deny with a message' }).click()
    await page.getByLabel('What should it do instead?').fill('Keep it.')
    await page.getByRole('button', { name: 'Deny and send' }).click()
    await note(page, /Denied Bash: Keep it\./)
    await ready()
    await page.keyboard.press('a')
    await note(page, /Allowed Write\. Also allowed from now on: all file edits/)
    await stage.serving.ended(session, 'first')
    assert.deepEqual([text('four.txt'), text('five.txt')], ['four\n', 'five\n'])
    const asked = await wait(session, ({ kind, data }) => kind === 'message' && data.type === 'result')
    assert.equal(asked.filter(({ kind }) => kind === 'ask').length, 3)
    await page.context().close()
  })

  test('a card of a sub-agent names it; one that is answered elsewhere says by whom, one that is withdrawn says so', async () => {
    const made = await stage.serving.call('POST', '/v1/tokens', { body: { name: 'Ada', scopes: ['read', 'answer'] } })
    story('agent a', [
      { tools: [{ name: 'Write', input: { file_path: file('a.txt'), content: 'a\n' } }] },
      'A is done.',
    ])
    story('agent b', [
      { tools: [{ name: 'Write', input: { file_path: file('b.txt'), content: 'b\n' } }] },
      'B is done.',
    ])
    const task = (prompt: string) => ({
      name: 'Task',
      input: { subagent_type: 'general-purpose', description: `Job of ${prompt}`, prompt },
    })
    const session = await stage.begin(
      story('two agents', [{ tools: [task('agent a'), task('agent b')] }, 'Both are done.']),
    )
    const page = await stage.open(`#/s/${session}`)
    await page.getByText('Agent: Job of agent a').waitFor()
    const [ask] = (await stage.serving.call('GET', `/v1/asks?session=${session}`)).json.asks
    const answer = { body: { kind: 'allow' }, token: made.json.token }
    await stage.serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, answer)
    await note(page, /Allowed Write once by Ada/)
    await page.getByText('Agent: Job of agent b').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await note(page, /Permission request: Write was withdrawn/)
    assert.equal(await page.getByRole('article', { name: /^Permission/ }).count(), 0)
    await page.context().close()
  })

  test('the inbox has the cards of all sessions, one under the other, and each is answered where it is', async () => {
    const names = ['six.txt', 'seven.txt']
    const sessions = await Promise.all(names.map((name) => stage.begin(story(`write ${name}`, write(name)))))
    const page = await stage.open('#/inbox', { size: 'phone' })
    const cards = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
    await cards.nth(1).waitFor()
    const [first, second] = [await cards.nth(0).boundingBox(), await cards.nth(1).boundingBox()]
    assert.ok(first && second && second.y >= first.y + first.height)
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').first().waitFor()
    const mine = cards.filter({ hasText: 'seven.txt' })
    await mine.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await mine.waitFor({ state: 'detached' })
    await stage.serving.ended(sessions[1] ?? '', 'first')
    assert.deepEqual([text('six.txt'), text('seven.txt')], [undefined, 'new\n'])
    // The other one leads to its session, and to the answer that is the least.
    await cards.getByRole('link', { name: 'write six.txt' }).click()
    await page.locator('button[aria-keyshortcuts=y]:focus').waitFor()
    await page.locator('button[aria-keyshortcuts=n]:not([aria-disabled=true])').click()
    await note(page, /Denied Write/)
    await page.context().close()
  })

  test('a full inbox shows 50 cards at first, counts all, and shows the others on request', async () => {
    const session = await stage.begin(story('write eight.txt', write('eight.txt')))
    const page = await stage.open('#/inbox', { size: 'phone' })
    const cards = page.getByRole('article', { name: /^Permission request: (Create|Replace) / })
    await cards.filter({ hasText: 'eight.txt' }).waitFor()
    // One real request as 120 of them: so many agents would take minutes.
    await page.route('**/v1/asks*', async (route) => {
      const response = await route.fetch()
      const { asks } = await response.json()
      const copies = Array.from({ length: 120 }, (_, n) => ({ ...asks[0], id: `${asks[0].id}-${n}` }))
      await route.fulfill({ response, json: { asks: copies } })
    })
    await page.reload()
    const more = (left: number) => page.getByRole('button', { name: `Show more requests (${left} left)` })
    await more(70).waitFor()
    assert.equal(await cards.count(), 50)
    await page.locator('#main').getByText('120 requests waiting').waitFor()
    await more(70).click()
    await more(20).waitFor()
    assert.equal(await cards.count(), 100)
    await more(20).click()
    await page.getByRole('button', { name: /^Show more requests/ }).waitFor({ state: 'detached' })
    assert.equal(await cards.count(), 120)
    await page.context().close()
    const ask = await stage.serving.ask(session)
    await stage.serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { body: { kind: 'deny' } })
    await stage.serving.ended(session, 'first')
  })

  test('questions: one, several, own words; a draft outlasts other sessions and a reload', async () => {
    const ask = [{ tools: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }] }, 'Thanks.']
    const session = await stage.begin(story('ask me', ask))
    const other = await stage.serving.begin({ title: 'Another one' })
    const page = await stage.open(`#/s/${session}`, { size: 'phone', scheme: 'dark' })
    await page.getByRole('radio', { name: /There/ }).check()
    await page.getByRole('checkbox', { name: /Types/ }).check()
    await page.locator('button:enabled', { hasText: 'Send answers' }).waitFor()
    await page.goto(`${stage.serving.url}/#/s/${other}`)
    await page.getByRole('heading', { name: 'Another one' }).waitFor()
    await page.goto(`${stage.serving.url}/#/s/${session}`)
    await page.reload()
    await page.getByRole('radio', { name: /There/, checked: true }).waitFor()
    await page.getByLabel('Your own answer to: Which checks?').fill('Spelling')
    await page.locator('button[type=submit]:not([aria-disabled=true])', { hasText: 'Send answers' }).click()
    await note(page, /Answered: There · Types, Spelling/)
    await stage.serving.ended(session, 'first')
    await page.context().close()
  })

  test('a plan is read, edited, and approved with the mode to go on in; or it goes back with comments', async () => {
    const propose = { tools: [{ name: 'ExitPlanMode', input: { plan: PLAN } }] }
    const session = await stage.begin(story('plan it', [propose, propose, 'I begin.']), { mode: 'plan' })
    const page = await stage.open(`#/s/${session}`)
    const plan = page.getByRole('group', { name: 'Plan', exact: true })
    await plan.getByRole('heading', { name: 'The plan' }).waitFor()
    assert.equal(await plan.getByRole('listitem').count(), 2)
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Send back' }).waitFor()
    await page.getByLabel(/^Comments/).fill('Test it first.')
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Send back' }).click()
    await note(page, /Sent the plan back: Test it first\./)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Edit the plan').fill(`${PLAN}3. test\n`)
    await page.getByLabel('Continue in').selectOption('Ask first')
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Approve as edited' }).click()
    await note(page, /Approved the plan as edited, continuing in “Ask first”/)
    const log = await stage.serving.ended(session, 'first')
    const answer = log.findLast(({ kind }) => kind === 'answered')
    assert.ok(answer?.kind === 'answered' && answer.data.answer.kind === 'approve')
    assert.deepEqual([answer.data.answer.mode, answer.data.answer.plan], ['default', `${PLAN}3. test\n`])
    await page.context().close()
  })

  test('an MCP server asks for values', async () => {
    const session = await stage.serving.begin({ title: 'Server asks' })
    const page = await stage.open(`#/s/${session}`)
    const ask = {
      id: 'made-up',
      session,
      kind: 'elicitation',
      agent: [],
      suggestions: [],
      since: new Date().toISOString(),
      why: { layer: 'tool', text: 'It asks.' },
      elicitation: {
        serverName: 'tracker',
        message: 'Which project?',
        requestedSchema: {
          properties: { name: { type: 'string', title: 'Project' }, urgent: { type: 'boolean', title: 'Urgent' } },
        },
      },
    }
    let sent: unknown
    await page.route('**/v1/asks', (route) => route.fulfill({ json: { asks: [ask] } }))
    await page.route('**/asks/made-up/answer', (route) => {
      sent = route.request().postDataJSON()
      return route.fulfill({ status: 204 })
    })
    await page.goto(`${stage.serving.url}/#/inbox`)
    await page.reload()
    await page.getByRole('heading', { name: 'tracker asks for input' }).waitFor()
    await page.getByRole('textbox', { name: 'Project' }).fill('harbor')
    await page.getByLabel('Urgent').check()
    await page.locator('button[type=submit]:not([aria-disabled=true])').click()
    await page.getByText("You're all caught up. New requests from your agents appear here.").waitFor()
    assert.deepEqual(sent, { kind: 'elicitation', action: 'accept', content: { name: 'harbor', urgent: true } })
    await page.context().close()
  })

  test('the first run: a practice session with a card, a question and a plan, without a key', async () => {
    const page = await stage.open('#/new')
    await page.getByRole('button', { name: 'Start a practice session' }).waitFor()
    await page.getByRole('button', { name: 'Start a practice session' }).click()
    await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
    await page.getByRole('radio', { name: /green/ }).check()
    await page.locator('button[type=submit]:not([aria-disabled=true])', { hasText: 'Send answers' }).click()
    await page.getByRole('heading', { name: 'Approve this plan?' }).waitFor()
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Approve' }).click()
    await note(page, /You approved the plan\. I am the practice model/)
    assert.equal(text('kedge-practice.txt'), 'Hello from the practice session')
    await page.context().close()
  })
})
