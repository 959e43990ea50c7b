/** What the page costs, counted: a cold load of 2,000 messages, 1,000 streamed deltas, 10,000 messages in memory. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright-core'
import { eventually } from '../support/eventually.js'
import { whyNoBrowser } from './browser.js'
import { type PageStage, startPageStage } from './page-stage.js'

const FIRST_LOAD = 45_000
/** Of the processor, several times what it takes: they are there for what grows with the session. */
const LOAD_BUDGET_MS = 5000
const DELTAS_BUDGET_MS = 4000

test('what is loaded before anything can be seen stays below 45 KB, gzipped', () => {
  const files: Record<string, { file: string }> = JSON.parse(readFileSync('dist/web/files.json', 'utf8'))
  const first = Object.entries(files).filter(([path]) => /^\/$|^\/assets\/(page|style)-/.test(path))
  assert.equal(first.length, 3)
  const html = readFileSync('dist/web/index.html', 'utf8')
  // The one script has no others that come with it.
  for (const [path, { file }] of first) {
    if (path.endsWith('.js'))
      assert.doesNotMatch(readFileSync(`dist/web/${file}`, 'utf8'), /(?:^|;)import\s*["{*]|from\s*"\.\//)
    if (path !== '/') assert.ok(html.includes(path), path)
  }
  const sizes = first.map(([, { file }]) => gzipSync(readFileSync(`dist/web/${file}`)).length)
  const sum = sizes.reduce((all, size) => all + size, 0)
  assert.ok(sum <= FIRST_LOAD, `${sum} bytes`)
})

describe('speed', { skip: whyNoBrowser !== undefined }, () => {
  let stage: PageStage
  let session = ''
  before(async () => {
    stage = await startPageStage({})
    session = await stage.serving.begin({ title: 'Long' })
  })
  after(async () => {
    await stage[Symbol.asyncDispose]()
    assert.deepEqual(stage.problems, [])
  })

  /** A log of so many messages, as the server would give it. */
  const logOf = (count: number) => {
    const entry = (seq: number, kind: string, data: unknown) => ({
      session,
      seq,
      at: new Date(0).toISOString(),
      kind,
      data,
    })
    const usage = { input_tokens: 5000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
    return Array.from({ length: count }, (_, n) => {
      const seq = n + 1
      const block =
        n % 3 === 0
          ? { type: 'text', text: `Message **${seq}** with \`code\` and a few more words.\n\n- one\n- two` }
          : { type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: `echo ${n}` } }
      if (n % 3 === 2) {
        const content = [{ type: 'tool_result', tool_use_id: `t${n - 1}`, content: `output ${n}\n`.repeat(5) }]
        return entry(seq, 'message', { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })
      }
      const message = { id: `m${n}`, role: 'assistant', content: [block], usage }
      return entry(seq, 'message', { type: 'assistant', message, parent_tool_use_id: null, uuid: `u${n}` })
    })
  }

  /** The page with such a log, from nothing; and a socket that the test writes into. */
  const openLong = async (count: number) => {
    const page = await stage.open('#/inbox')
    await page.getByText("You're all caught up. New requests from your agents appear here.").waitFor()
    const log = logOf(count)
    await page.route(`**/sessions/${session}/log**`, (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after'))
      return route.fulfill({ json: { entries: log.slice(after, after + 2000), last: count } })
    })
    let write = (_: unknown[]) => {}
    await page.routeWebSocket(/sessions\/.*\/events/, (socket) => {
      write = (items) => socket.send(JSON.stringify(items))
      write([])
    })
    const cdp = await page.context().newCDPSession(page)
    // Time of the processor, not of the clock: it is about the same on a machine that has other things to do.
    await cdp.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
    await cdp.send('Performance.enable')
    const before = await metric(cdp, 'TaskDuration')
    await page.goto(`${stage.serving.url}/#/s/${session}`)
    await page.reload()
    await page
      .getByText(`Message ${count - ((count - 1) % 3)} `)
      .last()
      .waitFor()
    const loadMs = 1000 * ((await metric(cdp, 'TaskDuration')) - before)
    return { page, cdp, loadMs, send: (items: unknown[]) => write(items) }
  }
  const metric = async (cdp: CDPSession, name: string) =>
    (await cdp.send('Performance.getMetrics')).metrics.find((one) => one.name === name)?.value ?? 0
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

  test('2,000 messages from nothing; 1,000 deltas; only what can be seen is in the page', async (t) => {
    const { page, cdp, send, loadMs } = await openLong(2000)
    const painted = await page.evaluate(() => performance.now())
    const [load = 0] = loadavg()
    t.diagnostic(
      `2,000 messages: ${Math.round(loadMs)} ms of the processor; there after ${Math.round(painted)} ms, load ${load}`,
    )
    assert.ok(loadMs < LOAD_BUDGET_MS, `${loadMs} ms`)
    assert.ok((await nodes(page)) < 1500, `${await nodes(page)} nodes`)
    const delta = (event: unknown) => ({
      session,
      seq: 2000,
      at: new Date(0).toISOString(),
      kind: 'delta',
      data: { type: 'stream_event', event, parent_tool_use_id: null },
    })
    const before = await metric(cdp, 'ScriptDuration')
    send([delta({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })])
    for (let n = 0; n < 1000; n += 1)
      send([
        delta({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: n === 999 ? ' LAST of all' : ` word${n}` },
        }),
      ])
    await page.getByRole('article', { name: 'Agent' }).last().getByText('LAST').waitFor()
    const scriptMs = 1000 * ((await metric(cdp, 'ScriptDuration')) - before)
    t.diagnostic(`1,000 deltas take ${Math.round(scriptMs)} ms of script`)
    assert.ok(scriptMs < DELTAS_BUDGET_MS, `${scriptMs} ms`)
    // What came before is written once: the paragraph has grown, it was not made again.
    assert.equal(await page.getByText(/word0 word1 word2/).count(), 1)
    // New words keep the end in sight.
    const far = () =>
      page
        .getByRole('region', { name: 'Conversation' })
        .evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)
    assert.ok((await far()) < 100)
    await page.context().close()
  })

  test('the end stays in sight when something above it shrinks and more comes before it is drawn, until somebody goes up', async () => {
    const { page } = await openLong(50)
    const scroller = page.getByRole('region', { name: 'Conversation' })
    const grow = (padding: string, height: number) =>
      scroller.evaluate(
        async (node, [above, below]) => {
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
          const row = node.querySelector<HTMLElement>('.row')
          await frame()
          if (row) row.style.paddingBottom = above
          await new Promise((resolve) => setTimeout(resolve))
          const [block, { scrollTop: before }] = [document.createElement('div'), node]
          block.style.height = `${below}px`
          node.firstElementChild?.append(block)
          for (let n = 0; n < 3; n += 1) await frame()
          return { far: node.scrollHeight - node.scrollTop - node.clientHeight, before, now: node.scrollTop }
        },
        [padding, height] as const,
      )
    assert.equal((await grow('400px', 10)).far, 0)
    // As whoever answers a card does.
    await scroller.getByRole('article').last().click()
    await page.keyboard.press('y')
    assert.equal((await grow('', 900)).far, 0)
    await scroller.hover()
    await page.mouse.wheel(0, -500)
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    const { before, now } = await grow('', 300)
    assert.equal(before, now)
    await page.context().close()
  })

  test('10,000 messages: bounded memory, and every one can be reached', async (t) => {
    const { page, cdp } = await openLong(10_000)
    await cdp.send('HeapProfiler.collectGarbage')
    const heap = (await metric(cdp, 'JSHeapUsedSize')) / 1e6
    t.diagnostic(`10,000 messages: ${heap.toFixed(1)} MB of heap, ${await nodes(page)} nodes`)
    assert.ok(heap < 100, `${heap} MB`)
    assert.ok((await nodes(page)) < 1500)
    const scroller = page.getByRole('region', { name: 'Conversation' })
    await scroller.evaluate((node) => node.scrollTo({ top: 0 }))
    await page.getByText('Message 1 ').first().waitFor()
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await page.getByText('Message 10000 ').waitFor()
    const place = () =>
      scroller.evaluate((node) => [node.scrollTop, Math.round(node.scrollHeight - node.clientHeight - node.scrollTop)])
    await scroller.press('Home')
    await page.getByText('Message 1 ').first().waitFor()
    await eventually('the beginning is shown', async () => (await place())[0] === 0)
    await scroller.press('End')
    await page.getByText('Message 10000 ').waitFor()
    await eventually('the end is shown', async () => ((await place())[1] ?? 99) < 2)
    await page.keyboard.press('Control+f')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('output 4001')
    await page.getByText('output 4001').first().waitFor()
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await page.context().close()
  })
})
