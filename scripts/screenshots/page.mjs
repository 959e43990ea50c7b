// `npm run screenshots`: the pictures of docs/web-page.md, of the page as it is, and one of a page with elements. Needs a build and
// a Chromium.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createServer } from '../../dist/server.js'
import { startModelServer, testOptions } from '../../dist/testing.js'
import { FILES, stories, storyTeller } from '../page-stories.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'docs', 'pictures')
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

let cwd = ''
const at = (path) => join(cwd, path)
const model = await startModelServer((request) => storyTeller(stories(at))(request))
const options = testOptions(model, { model: 'claude-sonnet-4-5-20250929' })
process.env.CLAUDE_CONFIG_DIR = options.env.CLAUDE_CONFIG_DIR
cwd = join(options.cwd, 'harbor')
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const server = createServer({ port: 0, roots: [cwd], folder: join(options.env.CLAUDE_CONFIG_DIR, 'server'), options })
const { url } = await server.listen()
const api = async (method, path, body) => {
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return answer.status === 204 ? undefined : answer.json()
}
const begin = async (title, content, more = {}) => {
  const { id } = await api('POST', '/sessions', { cwd, title, ...more })
  await api('POST', `/sessions/${id}/prompts`, { id: title, content })
  return id
}
const until = async (id, status) => {
  for (let n = 0; ; n += 1) {
    const info = await api('GET', `/sessions/${id}`)
    if (info.status === status) return
    if (n > 400) throw new Error(`${info.title} is ${info.status}, not ${status}: ${info.error}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const browser = await chromium.launch({ executablePath, args: FLAGS.split(' '), headless: true })
mkdirSync(folder, { recursive: true })
try {
  await shoot('start', '#/', async () => {})
  const crash = await begin(
    'Fix crash without config.json',
    'The service crashes if config.json is missing. Fix it and run the tests.',
  )
  await until(crash, 'needs-you')
  const project = await begin('Explain the project', 'Explore this folder and explain the project.')
  const tests = await begin('Check failing tests', 'Which tests fail, and why?')
  const plan = await begin('Unify settings', 'Plan how to move all settings into one module.', { mode: 'plan' })
  const release = await begin('Set up releases', 'Set up releases for this package.')
  await Promise.all([
    until(project, 'idle'),
    until(tests, 'needs-you'),
    until(plan, 'needs-you'),
    until(release, 'needs-you'),
  ])
  await shoot('card', `#/s/${crash}`, async (page) => {
    await page.getByRole('button', { name: /Allow once/ }).waitFor()
  })
  await shoot('conversation', `#/s/${project}`, async (page) => {
    await page.getByRole('button', { name: /Explore/ }).click()
  })
  await shoot('inbox', '#/inbox', async (page) => {
    await page
      .getByRole('button', { name: /Allow once/ })
      .first()
      .waitFor()
  })
  await shoot('question', `#/s/${release}`, async (page) => {
    await page.getByRole('radio', { name: /npm/ }).check()
    await page.getByRole('checkbox', { name: /Tests/ }).check()
  })
  await shoot('plan', `#/s/${plan}`, async (page) => {
    await page.getByRole('button', { name: 'Approve' }).waitFor()
  })
  await shootElement(crash)
} finally {
  await browser.close()
  await server.close()
  await options[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
}

/** The page of examples/web-page, with a session of this server. */
async function shootElement(session) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1080 }, reducedMotion: 'reduce' })
  const own = (name) => readFileSync(join(root, 'examples', 'web-page', name), 'utf8')
  const fields = JSON.stringify({ session, token: server.token })
  const files = {
    'page.css': own('page.css'),
    'page.js': `Object.assign(document.querySelector('kedge-session'), ${fields})`,
  }
  await page.route('**/own/*', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)
    const contentType = { js: 'text/javascript', css: 'text/css' }[name.split('.')[1]] ?? 'text/html'
    return route.fulfill({ body: files[name] ?? own('index.html'), contentType })
  })
  await page.goto(`${url}/own/`)
  await page.locator('button[aria-keyshortcuts=y]:not([aria-disabled=true])').waitFor()
  writeFileSync(join(folder, 'elements-desktop-light.png'), await small(await page.screenshot()))
}

/** A palette is enough for paper and ink, and makes a quarter of it. */
async function small(picture) {
  const { default: sharp } = await import('sharp')
  return sharp(picture).png({ palette: true, colors: 96, effort: 10 }).toBuffer()
}

async function shoot(name, place, prepare) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    // Of the card every look, of the others two.
    for (const colorScheme of name === 'card' ? ['light', 'dark'] : [size === 'phone' ? 'dark' : 'light']) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        hasTouch: size === 'phone',
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && console.error(name, message.text()))
      page.on('pageerror', (error) => console.error(name, error))
      await page.route('**/v1/me', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ json: { ...(await answer.json()), folders: ['/home/ada/harbor'] } })
      })
      await page.goto(`${url}/#token=${server.token}`)
      await page.getByRole('navigation', { name: 'Sessions' }).or(page.getByRole('main')).first().waitFor()
      await page.waitForFunction(() => location.hash === '' || !location.hash.includes('token'))
      await page.goto(`${url}/${place}`)
      await prepare(page)
      // Colors come a moment later, and a card is ready after half a second.
      await page.waitForTimeout(900)
      const picture = await page.screenshot()
      writeFileSync(join(folder, `${name}-${size}-${colorScheme}.png`), await small(picture))
      await context.close()
    }
  }
}
