// Builds the documentation site: pages of docs/, the guides for contributors, examples and the generated reference, as plain files
// that need no server and ask no other host.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { llmsText } from './agent-guide.mjs'
import { apiPages } from './api-reference.mjs'
import { flagPage, hooksPage, settingsPage } from './command-reference.mjs'
import { httpPages } from './http-reference.mjs'
import { createRenderer, escaped } from './render-page.mjs'
import { EXAMPLES, REDIRECTS, REFERENCE, SITE_MAP } from './site-map.mjs'
import { anchorOf, splitPage } from './split-pages.mjs'

/** Sections to look things up in: search puts guides before them. */
const LISTS = [REFERENCE, EXAMPLES, 'Proof', 'Project']
/** Programs that need more than Node. */
const NOT_ALONE = {
  'database-tool.mjs': 'Checks itself in a database: `DATABASE_URL=… node examples/cookbook/database-tool.mjs`.',
  'review-pull-request.mjs': 'Runs in a GitHub Action: `action.yml`.',
}
const ASSETS = fileURLToPath(new URL('assets', import.meta.url))

/** Returns `{ pages, broken }`: what was written, and the links of the site that lead nowhere. */
export async function buildSite(root, out, { highlight = true, names } = {}) {
  const sources = await collect(root, names)
  const pages = sources.flatMap(({ id, source, section, text }) =>
    splitPage(text).map((part, at) => ({
      ...part,
      section,
      source,
      file: at === 0 ? `${id}.html` : `${id}-${at + 1}.html`,
      isPart: at > 0,
      anchors: anchorsIn(part.text),
    })),
  )
  pages.push(mapPage(pages))
  const broken = []
  const color = highlight ? await createColoring() : undefined
  const written = pages.map((page) => {
    const link = (href) => addressOf(href, page, pages, (problem) => broken.push(`${page.file}: ${problem}`))
    const { html, sections } = createRenderer({ link, color })(page.text)
    return { ...page, html, sections }
  })
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const template = readFileSync(join(ASSETS, 'page.html'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const [at, page] of written.entries()) {
    writeFileSync(join(out, page.file), fill(template, page, written, at, version))
  }
  for (const [old, now] of Object.entries(REDIRECTS)) writeFileSync(join(out, `${old}.html`), redirectTo(`${now}.html`))
  for (const name of ['site.css', 'site.js']) copyFileSync(join(ASSETS, name), join(out, name))
  for (const name of ['pictures', 'images']) cpSync(join(root, 'docs', name), join(out, name), { recursive: true })
  writeFileSync(join(out, 'llms.txt'), llmsText(root))
  writeFileSync(join(out, 'search-index.js'), `window.searchIndex = ${JSON.stringify(searchIndex(written))}\n`)
  return { pages: written, broken }
}

function redirectTo(file) {
  return `<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${file}"><a href="${file}">This page has moved.</a>\n`
}

/** Every page there is, with where it comes from; pages of the map that are not there are left out. */
async function collect(root, names) {
  const hand = SITE_MAP.flatMap(([section, names]) =>
    names.flatMap((name) => {
      const source = /^[A-Z]/.test(name) ? `${name}.md` : `docs/${name}.md`
      if (!existsSync(join(root, source))) return []
      return [{ id: name.toLowerCase(), source, section, text: readFileSync(join(root, source), 'utf8') }]
    }),
  )
  const reference = [
    await flagPage(root),
    settingsPage(root),
    hooksPage(root),
    ...httpPages(root),
    ...apiPages(root, names),
  ]
  const generated = reference.map(({ id, text }) => ({ id, source: `docs/${id}.md`, section: REFERENCE, text }))
  const examples = ['', 'cookbook'].flatMap((folder) =>
    readdirSync(join(root, 'examples', folder))
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => examplePage(folder, name, readFileSync(join(root, 'examples', folder, name), 'utf8'))),
  )
  return [...hand, ...generated, ...examples]
}

function examplePage(folder, name, code) {
  const path = posix.join('examples', folder, name)
  const title = `Example: ${basename(name, '.mjs').replace(/^\d+-/, '').replaceAll('-', ' ')}`
  const text = [
    `# ${title}`,
    '',
    NOT_ALONE[name] ?? `Runs offline and checks itself: \`node ${path}\`.`,
    '',
    '```js',
    code.trim(),
    '```',
    '',
  ]
  return {
    id: `example-${basename(name, '.mjs')}`,
    source: path,
    section: EXAMPLES,
    text: text.join('\n'),
  }
}

function anchorsIn(text) {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').match(/^#+ .*$/gm) ?? []
  return headings.map((heading) => anchorOf(heading.replace(/^#+ /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
}

function mapPage(pages) {
  const list = sectionsOf(pages).flatMap(([section, own]) => [
    ...[`## ${section}`, ''],
    ...own.map(({ title, source }) => `- [${title}](${posix.relative('docs', source)})`),
    '',
  ])
  const text = ['# All pages', '', 'The map of this documentation, by what you want to know.', '', ...list].join('\n')
  return {
    title: 'All pages',
    section: 'Get started',
    source: 'docs/all-pages.md',
    file: 'all-pages.html',
    text,
    anchors: [],
  }
}

function sectionsOf(pages) {
  const order = [...SITE_MAP.map(([section]) => section), EXAMPLES]
  return order.map((section) => [section, pages.filter((page) => page.section === section && !page.isPart)])
}

function addressOf(href, page, pages, complain) {
  if (/^[a-z]+:/.test(href)) return href
  const [path, anchor] = href.split('#')
  const source = path === '' ? page.source : posix.normalize(posix.join(posix.dirname(page.source), path))
  const parts = pages.filter((each) => each.source === (source === 'README.md' ? 'docs/index.md' : source))
  if (parts.length === 0) return undefined
  if (anchor === undefined) return parts[0].file
  const part = parts.find(({ anchors }) => anchors.includes(anchor))
  if (part === undefined) complain(href)
  return `${(part ?? parts[0]).file}#${anchor}`
}

function fill(template, page, pages, at, version) {
  const menu = sectionsOf(pages).map(([section, own]) => {
    const isOpen = section === page.section ? ' open' : ''
    const here = (each) => (each.source === page.source ? ' aria-current="page"' : '')
    const items = own.map((each) => `<li><a href="${each.file}"${here(each)}>${escaped(each.title)}</a></li>`).join('')
    return `<details${isOpen}><summary>${escaped(section)}</summary><ul>${items}</ul></details>`
  })
  const parts = pages.filter(({ source }) => source === page.source)
  const contents = page.sections
    .filter(({ id }) => id !== '')
    .map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`)
  const step = (to, words) => (to === undefined ? '' : `<a href="${to.file}">${words} ${escaped(to.title)}</a>`)
  const values = {
    title: escaped(page.title),
    menu: menu.join('\n'),
    body: page.html,
    contents: contents.length > 2 ? `<h2>On this page</h2><ul>${contents.join('')}</ul>` : '',
    parts: parts.length > 1 ? partList(parts, page) : '',
    version,
    before: step(pages[at - 1], '←'),
    after: step(pages[at + 1], '→'),
  }
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name])
}

function partList(parts, page) {
  const items = parts.map(({ file, title }) =>
    file === page.file
      ? `<li><strong>${escaped(title)}</strong></li>`
      : `<li><a href="${file}">${escaped(title)}</a></li>`,
  )
  return `<nav class="parts" aria-label="Parts of this page"><ul>${items.join('')}</ul></nav>`
}

function searchIndex(pages) {
  return pages.flatMap(({ file, title, section, sections }) =>
    sections.map(({ id, title: heading, text }) => ({
      at: id === '' ? file : `${file}#${id}`,
      page: title,
      heading,
      text,
      ...(LISTS.includes(section) ? { isList: true } : {}),
    })),
  )
}

/** Themes in which every color is readable on the site's boxes, also the one of comments. */
const THEMES = { light: 'github-light-high-contrast', dark: 'github-dark-default' }

/** Without a time limit per block: on a busy machine that would color some blocks differently in each build. */
export async function createColoring() {
  const { createHighlighter } = await import('shiki')
  const langs = ['ts', 'js', 'sh', 'json', 'jsonc', 'diff', 'yaml', 'markdown', 'docker']
  const highlighter = await createHighlighter({ themes: Object.values(THEMES), langs })
  return (text, lang) =>
    langs.includes(lang)
      ? highlighter.codeToHtml(text, { lang, themes: THEMES, defaultColor: false, tokenizeTimeLimit: 0 })
      : undefined
}
