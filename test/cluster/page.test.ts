/** What people see of many machines: an ask answered in a browser and in an editor, while machines come and go. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { client, methods } from '@agentclientprotocol/sdk/unstable'
import type { Browser, Page } from 'playwright-core'
import { createTestDatabase, type TestDatabase } from '../../src/cluster/test-database.js'
import { overHttp } from '../server/over-http.js'
import { type Anything, send } from '../server/serving.js'
import { openBrowser, signIn, watch, whyNoBrowser } from '../web/browser.js'
import { callNode, openPlace, type Place, type Running, startNode, startWorkerProgram, TOKEN } from './programs.js'
import { stepModel } from './step-model.js'

type Node = Running & { url: string }

describe('interfaces of a cluster', { timeout: 400_000 }, () => {
  let tables: TestDatabase
  let place: Place
  let node: Node
  let worker: Running
  const effects = () => readFileSync(place.effects, 'utf8').split('\n').filter(Boolean)

  before(async () => {
    tables = await createTestDatabase()
    place = await openPlace(tables.url, stepModel)
    const started = await Promise.all([startNode(place), startWorkerProgram(place)])
    node = started[0]
    worker = started[1]
  })
  after(async () => {
    await Promise.all([worker, node].map(async (one) => assert.equal(await one.end('SIGTERM'), 0, one.log())))
    await place[Symbol.asyncDispose]()
    await tables.drop()
  })

  describe('the page', { skip: whyNoBrowser !== undefined }, () => {
    let browser: Browser
    const problems: string[] = []
    before(async () => {
      browser = await openBrowser()
    })
    after(() => browser.close())

    /** The page of a node, by a cookie that another gave. */
    const open = async (at: Node, from: Node, where: string): Promise<Page> => {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      context.setDefaultTimeout(60_000)
      await signIn(context, from.url, TOKEN, at.url)
      watch(context, at.url, problems)
      context.on('response', (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
      })
      const page = await context.newPage()
      await page.goto(`${at.url}/${where}`)
      return page
    }

    test('an ask is answered on a node that outlived the worker and the node it came from', async () => {
      const first = await startNode(place)
      const mine = await open(first, first, '#/new')
      await mine.getByLabel('Prompt', { exact: true }).fill('one: risky step')
      await mine.getByRole('button', { name: 'Start', exact: true }).click()
      const card = (page: Page) => page.getByRole('article', { name: /^Permission request: / })
      await card(mine).waitFor()
      const [, session = ''] = /#\/s\/([\w-]+)/.exec(mine.url()) ?? []
      const page = await open(node, first, `#/s/${session}`)
      await card(page).waitFor()
      assert.match(await card(page).innerText(), /one\.0/)

      // A token is known to both at once, until one of them takes it away.
      const made = await callNode(first.url, 'POST', '/v1/tokens', { name: 'Bob', scopes: ['read'] })
      const asBob = (at: Node) => send(at.url, 'GET', '/v1/me', headersOf(at, made.json.token))
      assert.equal((await asBob(node)).json.name, 'Bob')
      assert.equal((await callNode(node.url, 'DELETE', `/v1/tokens/${made.json.id}`)).status, 204)
      while ((await asBob(first)).status !== 401) await new Promise(setImmediate)

      await Promise.all([worker.end('SIGKILL'), first.end('SIGKILL')])
      await mine.context().close()
      await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').click()
      await card(page).waitFor({ state: 'detached' })
      assert.deepEqual(effects(), [])
      worker = await startWorkerProgram(place)
      await page.getByRole('article', { name: 'Agent' }).getByText('Done: one').waitFor()
      assert.deepEqual(effects(), ['one.0', 'one.1'])
      assert.equal(await card(page).count(), 0)

      // What only the agent and the files of a worker could tell is not asked for, and not offered.
      const composer = page.getByRole('textbox', { name: 'Prompt', exact: true })
      await composer.fill('@o')
      await composer.fill('/comp')
      await page.getByRole('option', { name: /^\/compact/ }).waitFor()
      await composer.fill('')
      await page.getByLabel('Model').focus()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Export' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Details', exact: true }).click()
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click()
        await page.locator('.panel-body', { hasText: /./ }).waitFor()
      }
      await page.getByRole('tab', { name: 'Context' }).click()
      await page
        .locator('.panel-body')
        .getByText(/tokens of context used/)
        .waitFor()
      assert.deepEqual(problems, [])
      await page.getByRole('button', { name: 'Rewind to before this prompt' }).first().click()
      await page.getByRole('radio').first().waitFor()
      assert.equal(await page.getByRole('radio').count(), 1)
      await page.context().close()
    })
  })

  test('an editor over HTTP: a session that a worker runs, its ask, its end', async () => {
    const server = { token: TOKEN }
    const call = (method: string, path: string, { body }: { body: unknown }) => callNode(node.url, method, path, body)
    const http = overHttp({ url: node.url, server, call }, '/v1/acp/editor')
    const asked: Anything[] = []
    const updates: Anything[] = []
    const app = client({ name: 'editor' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        asked.push(params)
        const optionId = params.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? ''
        return { outcome: { outcome: 'selected' as const, optionId } }
      })
      .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
      .onNotification('*', () => {})
    const { agent } = app.connect(http.stream)
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, session: { notices: {} } }
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities })
    const mcpServers = [{ name: 'clock', command: 'clock', args: [], env: [] }]
    const { sessionId }: Anything = await agent.request(methods.agent.session.new, { cwd: place.folder, mcpServers })
    const prompt = [{ type: 'text' as const, text: 'two: risky step' }]
    const told: Anything = await agent.request(methods.agent.session.prompt, { sessionId, prompt })
    assert.equal(told.stopReason, 'end_turn')
    assert.equal(asked.length, 1)
    assert.deepEqual(effects().slice(-2), ['two.0', 'two.1'])
    const said = JSON.stringify(updates)
    assert.match(said, /Done: two/)
    // Commands are those its agent named; an editor's servers are not for workers, and nothing else is missing.
    assert.match(said, /"name":"compact"/)
    assert.match(said, /clock: which MCP servers/)
    assert.doesNotMatch(said, /A cluster node can't/)
    // Again, by an editor that comes later.
    const again: Anything = await agent.request(methods.agent.session.load, {
      sessionId,
      cwd: place.folder,
      mcpServers: [],
    })
    assert.ok(again.modes)
    const next: Anything = await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text' as const, text: 'three: step' }],
    })
    assert.equal(next.stopReason, 'end_turn')
    assert.deepEqual(http.refused, [])
    assert.equal((await callNode(node.url, 'DELETE', '/v1/acp/editor')).status, 204)
  })

  test('a session that workers ran goes into a file, and on with a server of one machine', async () => {
    const session = (await callNode(node.url, 'POST', '/v1/sessions', { cwd: place.folder })).json.id
    /** Until everything that was sent has its result. */
    const play = async (at: Node, content: string) => {
      assert.equal((await callNode(at.url, 'POST', `/v1/sessions/${session}/prompts`, { content })).status, 202)
      for (;;) {
        const { status, waiting } = (await callNode(at.url, 'GET', `/v1/sessions/${session}`)).json
        if (status === 'idle' && waiting === 0) return
        await new Promise((done) => setTimeout(done, 50))
      }
    }
    await play(node, 'four: sub step')
    assert.deepEqual(effects().slice(-3), ['four-0.0', 'four-0.1', 'four.1'])
    const file = await callNode(node.url, 'GET', `/v1/sessions/${session}/export`)
    assert.equal(file.status, 200, file.text)
    const lines: Anything[] = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines[0].session.id, session)
    assert.ok(lines.some(({ subpath, line }) => /agent-/.test(subpath ?? '') && line.type === 'assistant'))
    assert.ok(lines.some(({ subpath, line }) => subpath === undefined && line?.type === 'assistant'))

    const { KEDGE_DATABASE: _, ...env } = place.env
    const single = await startNode({ ...place, env })
    try {
      const headers = { ...headersOf(single, TOKEN), 'content-type': 'application/x-ndjson' }
      const taken = await send(single.url, 'POST', '/v1/sessions/import', headers, file.text)
      assert.equal(taken.status, 201, taken.text)
      // What the model knows of it is in the conversation only.
      await play(single, 'Where were we?')
      const { entries } = (await callNode(single.url, 'GET', `/v1/sessions/${session}/log?limit=1000`)).json
      const results = entries.flatMap(({ data }: Anything) => (data.type === 'result' ? [data.result] : []))
      assert.deepEqual(results, ['Done: four', 'Done: four'])
    } finally {
      await single.end('SIGTERM')
    }
  })
})

const headersOf = ({ url }: Node, token: string) => ({ authorization: `Bearer ${token}`, host: new URL(url).host })
