/** A real browser, and somebody who is signed in. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** A reason to skip; said on stderr, once per file. */
export const whyNoBrowser = existsSync(executablePath) ? undefined : `the page is not tested: no ${executablePath}`
if (whyNoBrowser !== undefined) process.stderr.write(`skipped: ${whyNoBrowser} (apt-get install chromium)\n`)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS.split(' '), timeout: 60_000 })

let shared: Promise<Browser> | undefined
after(async () => (await shared)?.close())

/** The one browser of this process, until its tests are through: starting one takes longer than most tests do. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

export const PAGE_KEY = 'a-key-that-a-page-made-up-for-tests'

/** The cookie a browser gets for the token, and the key of its page: for the pages of `at`, another way to the server. */
export async function signIn(context: BrowserContext, url: string, token: string, at = url): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/login`, { method: 'POST', headers, body: JSON.stringify({ key: PAGE_KEY }) })
  const [, name = '', value = ''] = /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  assert.ok(value, `login answers ${answer.status}`)
  const named = name.replace(new URL(url).port, new URL(at).port)
  await context.addCookies([{ name: named, value, url: at, httpOnly: true, sameSite: 'Strict' }])
  const [origin, key] = [new URL(at).origin, JSON.stringify(PAGE_KEY)].map((text) => JSON.stringify(text))
  const content = `if (location.origin === ${origin}) localStorage.setItem('kedge:page-key', ${key})`
  await context.addInitScript({ content })
}

export function watch(context: BrowserContext, url: string, problems: string[]): void {
  context.on('weberror', (error) => problems.push(`error: ${error.error().message}`))
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) problems.push(message.text())
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) problems.push(`asks ${request.url()}`)
  })
}
