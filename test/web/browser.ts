/** A real browser, and somebody who is signed in. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** A reason to skip; said on stderr, once per file. */
export const whyNoBrowser = existsSync(executablePath) ? undefined : `the page is not tested: no ${executablePath}`
if (whyNoBrowser !== undefined) process.stderr.write(`skipped: ${whyNoBrowser} (apt-get install chromium)\n`)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS.split(' '), timeout: 60_000 })

/** The cookie a browser gets for the token. */
export async function signIn(context: BrowserContext, url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/v1/login`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const [, name = '', value = ''] = /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  assert.ok(value, `login answers ${answer.status}`)
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
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
