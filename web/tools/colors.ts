/** Syntax colors, loaded when there is code to color; as nodes with a class, never as markup. */
import { createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}
type Language = keyof typeof LANGUAGES

const NAMES: Record<string, Language> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  bash: 'bash',
  css: 'css',
  go: 'go',
  json: 'json',
  jsonc: 'json',
  js: 'tsx',
  mjs: 'tsx',
  cjs: 'tsx',
  javascript: 'tsx',
  py: 'python',
  python: 'python',
  rs: 'rust',
  rust: 'rust',
  sql: 'sql',
  yaml: 'yaml',
  yml: 'yaml',
  ts: 'tsx',
  mts: 'tsx',
  cts: 'tsx',
  tsx: 'tsx',
  jsx: 'tsx',
  typescript: 'tsx',
}

/** Only names of our own classes: the page allows no styles in its markup. */
const THEME = {
  name: 'kedge',
  type: 'light' as const,
  settings: [
    { settings: { foreground: '#000001', background: '#ffffff' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000002' } },
    { scope: ['string', 'constant.other.symbol', 'markup.inline.raw'], settings: { foreground: '#000003' } },
    { scope: ['keyword', 'storage', 'keyword.operator.expression'], settings: { foreground: '#000004' } },
    {
      scope: ['constant', 'constant.numeric', 'constant.language', 'support.constant'],
      settings: { foreground: '#000005' },
    },
    {
      scope: ['entity.name.function', 'support.function', 'meta.function-call.generic'],
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
  const language = Object.hasOwn(NAMES, name.toLowerCase()) ? NAMES[name.toLowerCase()] : undefined
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
  return /\.([\w]+)$/.exec(path)?.[1] ?? ''
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
