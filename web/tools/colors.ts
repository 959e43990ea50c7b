/** Syntax colors, loaded when there is code to color; as nodes with a class, never as markup. */
import { createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  // Also for C++, whose own grammar is seven times as large.
  c: () => import('shiki/langs/c.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}
type Language = keyof typeof LANGUAGES

/** What people write behind a fence, and how file names end. */
const OTHER_NAMES: Partial<Record<Language, string>> = {
  bash: 'sh shell zsh console',
  c: 'h cpp c++ cc cxx hpp hh',
  csharp: 'cs c#',
  css: 'scss less',
  diff: 'patch',
  docker: 'dockerfile',
  html: 'htm vue svelte',
  json: 'jsonc json5',
  kotlin: 'kt kts',
  make: 'makefile mk',
  markdown: 'md mdx',
  python: 'py',
  rust: 'rs',
  toml: 'ini',
  tsx: 'js mjs cjs javascript jsx ts mts cts typescript',
  xml: 'svg',
  yaml: 'yml',
}
const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)
const NAMES = new Map(
  Object.keys(LANGUAGES)
    .filter(isLanguage)
    .flatMap((language) => [language, ...(OTHER_NAMES[language]?.split(' ') ?? [])].map((name) => [name, language])),
)

/** Only names of our own classes: the page allows no styles in its markup. */
const THEME = {
  name: 'kedge',
  type: 'light' as const,
  settings: [
    { settings: { foreground: '#000001', background: '#ffffff' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000002' } },
    {
      scope: ['string', 'constant.other.symbol', 'markup.inline.raw', 'markup.inserted'],
      settings: { foreground: '#000003' },
    },
    {
      scope: ['keyword', 'storage', 'keyword.operator.expression', 'markup.deleted'],
      settings: { foreground: '#000004' },
    },
    {
      scope: ['constant', 'constant.numeric', 'constant.language', 'support.constant'],
      settings: { foreground: '#000005' },
    },
    {
      scope: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'markup.heading'],
      settings: { foreground: '#000006' },
    },
    {
      scope: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.name.tag'],
      settings: { foreground: '#000007' },
    },
    {
      scope: ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key'],
      settings: { foreground: '#000008' },
    },
  ],
}
const CLASSES: Record<string, string> = {
  '#000002': 'c-comment',
  '#000003': 'c-string',
  '#000004': 'c-keyword',
  '#000005': 'c-constant',
  '#000006': 'c-function',
  '#000007': 'c-type',
  '#000008': 'c-name',
}

const LONGEST = 60_000
let made: Promise<HighlighterCore> | undefined

export type ColoredLine = { text: string; style: string }[]

export async function coloredLines(code: string, name: string): Promise<ColoredLine[] | undefined> {
  const language = NAMES.get(name.toLowerCase())
  if (language === undefined || code.length > LONGEST) return undefined
  made ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const highlighter = await made
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(LANGUAGES[language]())
  // A tokenizer that stops early would color the rest as one comment. `LONGEST` already limits the work.
  const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: 'kedge', tokenizeTimeLimit: 0 })
  return tokens.map((line) => line.map((token) => ({ text: token.content, style: classOf(token) })))
}

function classOf({ color = '' }: ThemedToken): string {
  return CLASSES[color.toLowerCase()] ?? ''
}

export function fileExtensionOf(path: string): string {
  return /(?:^|[./\\])(\w+)$/.exec(path)?.[1] ?? ''
}

/** Puts spans into a block that has its text already. */
export async function colorNode(node: HTMLElement, name: string): Promise<void> {
  const code = node.textContent ?? ''
  const lines = await coloredLines(code, name)
  if (!lines || node.textContent !== code) return
  const parts = lines.flatMap((line, at) => {
    const spans = line.map(({ text, style }) => {
      if (style === '') return document.createTextNode(text)
      const span = document.createElement('span')
      span.className = style
      span.textContent = text
      return span
    })
    return at === 0 ? spans : [document.createTextNode('\n'), ...spans]
  })
  node.replaceChildren(...parts)
}
