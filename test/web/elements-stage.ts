/** A page of somebody's own with elements of Kedge, under a strict policy, and what happens in it. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Serving } from '../server/serving.js'
import { sharedBrowser, watch } from './browser.js'
import { servePage } from './given-page.js'

/** What the page itself needs, and nothing for the elements but images of conversations. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src blob:; base-uri 'none'; require-trusted-types-for 'script'"

const STYLE = `body { max-width: 60rem; margin: auto }
.branded { --kedge-accent: rgb(180, 0, 90) }
.dark { color-scheme: dark; background: black; color: white }`

/** Elements get the token of the address, and what they say is written down. */
const SCRIPT = `const token = new URLSearchParams(location.search).get('token')
globalThis.heard = []
for (const name of ['kedge-request', 'kedge-answered', 'kedge-closed', 'kedge-error'])
  document.addEventListener(name, ({ target, detail }) => {
    heard.push([target.localName, name, detail.error?.code ?? detail.answer?.kind ?? detail.request.tool.name].join(' '))
  })
const equip = (element) => Object.assign(element, { token })
globalThis.insert = (name, fields) => {
  const element = Object.assign(document.createElement(name), fields)
  document.querySelector('main').append('token' in fields ? element : equip(element))
}
for (const element of document.querySelectorAll('kedge-session, kedge-request, kedge-inbox')) equip(element)`

export type ElementsPage = AsyncDisposable & {
  page: Page
  /** What the page heard of its elements, as `element event detail`. */
  heard(): Promise<string[]>
  /** Adds an element to the page. */
  insert(name: string, fields: Record<string, unknown>): Promise<void>
  /** Violations of the policy, errors, and requests of other hosts. */
  problems: string[]
}

/** Opens a page with these elements. */
export async function openElements(serving: Serving, markup: string): Promise<ElementsPage> {
  const context: BrowserContext = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  const problems: string[] = []
  watch(context, serving.url, problems)
  await context.exposeFunction('noteViolation', (text: string) => void problems.push(`violates ${text}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation(text: string): void } // exposed above
      noteViolation(`${violatedDirective} ${blockedURI}`)
    })
  })
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Own page</title>
<link rel="stylesheet" href="page.css">
<script type="module" src="/elements.js"></script>
<script type="module" src="page.js"></script>
</head>
<body><main><h1>Own page</h1><label>Own field <input></label>${markup}</main></body>
</html>`
  const headers = { 'content-security-policy': POLICY }
  await servePage(context, serving.url, { html, script: SCRIPT, style: STYLE, headers })
  const page = await context.newPage()
  await page.goto(`${serving.url}/own/?token=${encodeURIComponent(serving.server.token)}`)
  return {
    page,
    problems,
    heard: () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard), // the script has it
    insert: (name, fields) =>
      page.evaluate(
        ([element, given]) => {
          const { insert } = globalThis as unknown as { insert(name: string, fields: object): void } // the same
          insert(element, given)
        },
        [name, fields] as const,
      ),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** A button of a card that can be pressed already. */
export const ready = (within: Locator, key: 'y' | 'n'): Locator =>
  within.locator(`button[aria-keyshortcuts=${key}]:not([aria-disabled=true])`)

export async function say(element: Locator, text: string): Promise<void> {
  await element.getByRole('textbox', { name: 'Prompt', exact: true }).fill(text)
  await element.getByRole('button', { name: 'Send', exact: true }).click()
}

/** How many streams the server has. */
export async function countStreams(serving: Serving): Promise<number> {
  const { text } = await serving.call('GET', '/metrics')
  return Number(/^kedge_\w*readers (\d+)$/m.exec(text)?.[1])
}
