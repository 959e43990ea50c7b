/** A server over a model that tells stories, and browsers that look at its page as people do. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ModelHandler, Turn } from 'kedge/testing'
import type { Browser, Page } from 'playwright-core'
import type { ServerOptions } from '../../src/server/public-server.js'
import { type Serving, serve } from '../server/serving.js'
import { sharedBrowser, signIn, watch, whyNoBrowser } from './browser.js'

export type Stories = Record<string, Turn[]>
/** `at`: where the server is reached, if not at its own address. */
export type Look = { size?: 'desktop' | 'phone'; scheme?: 'light' | 'dark'; token?: string; at?: string }

export type PageStage = AsyncDisposable & {
  serving: Serving
  browser: Browser
  stories: Stories
  /** The page at a place, signed in. */
  open(place: string, look?: Look): Promise<Page>
  /** A session that was sent a prompt. */
  begin(prompt: string, more?: Record<string, unknown>): Promise<string>
  /** Whatever went wrong in a page, or was asked of another host. */
  problems: string[]
}

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

export async function startPageStage(stories: Stories, given: ServerOptions = {}): Promise<PageStage> {
  const told = { ...stories }
  const serving = await serve(storyTeller(told), given)
  const browser = await sharedBrowser()
  const problems: string[] = []
  const open = async (place: string, look: Look = {}) => {
    const { size = 'desktop', scheme = 'light', token = serving.server.token, at = serving.url } = look
    const context = await browser.newContext({
      viewport: SIZES[size],
      colorScheme: scheme,
      hasTouch: size === 'phone',
      isMobile: size === 'phone',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(60_000)
    await signIn(context, serving.url, token, at)
    watch(context, at, problems)
    const page = await context.newPage()
    await page.goto(`${at}/${place}`)
    return page
  }
  const begin = async (prompt: string, more: Record<string, unknown> = {}) => {
    const session = await serving.begin({ title: prompt.slice(0, 40), ...more })
    await serving.send(session, 'first', prompt)
    return session
  }
  return {
    serving,
    browser,
    stories: told,
    open,
    begin,
    problems,
    async [Symbol.asyncDispose]() {
      await Promise.all(browser.contexts().map((context) => context.close()))
      await serving[Symbol.asyncDispose]()
    },
  }
}

/** The last words of a person choose the story; what was said since, the step in it. */
export function storyTeller(stories: Stories): ModelHandler {
  return ({ body }) => {
    const messages = (body as { messages: { role: string; content: string | { type: string; text?: string }[] }[] })
      .messages
    const told = ({ role, content }: (typeof messages)[number]) => {
      if (role !== 'user') return undefined
      const texts = typeof content === 'string' ? [content] : content.map(({ text = '' }) => text)
      const plain = texts.map((text) => text.replace(/^<teammate-message.*?>|<\/teammate-message>$/g, '').trim())
      return plain.findLast((text) => Object.hasOwn(stories, text))
    }
    const start = messages.findLastIndex((message) => told(message) !== undefined)
    const message = messages[start]
    const name = message && told(message)
    if (name === undefined) return 'Done.'
    const step = messages.slice(start).filter(({ role }) => role === 'assistant').length
    return stories[name]?.[step] ?? 'Done.'
  }
}

const axeSource =
  whyNoBrowser === undefined ? readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8') : ''

export type AxeScope = { rules?: string[]; within?: string }

/** What axe finds wrong, each with the place. The structure is the same in both color schemes: some rules are enough then. */
export async function axeProblems(page: Page, scope: AxeScope = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async ({ rules: values, within }) => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] }
    type Axe = { run(within: string | Document, options: object): Promise<Found> }
    const { axe } = globalThis as unknown as { axe: Axe } // it was just loaded
    const rules = values ? { runOnly: { type: 'rule', values } } : {}
    const { violations } = await axe.run(within ?? document, { resultTypes: ['violations'], ...rules })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }, scope)
}
