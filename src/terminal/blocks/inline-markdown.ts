/** Markdown inside a line: bold, italics, code, links. Pure; the text has been cleaned. */
import type { Styles } from '../screen/styles.js'

type Mark = { open: string; style: keyof Pick<Styles, 'bold' | 'italic' | 'strike'> }

const MARKS: readonly Mark[] = [
  { open: '**', style: 'bold' },
  { open: '__', style: 'bold' },
  { open: '~~', style: 'strike' },
  { open: '*', style: 'italic' },
  { open: '_', style: 'italic' },
]

/** `isOpen`: more of the line is to come, so a mark that is not closed yet will be. */
export function inlineMarkdown(text: string, styles: Styles, isOpen = false): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const taken =
      escaped(text, at) ?? code(text, at, styles, isOpen) ?? link(text, at, styles) ?? marked(text, at, styles, isOpen)
    if (taken) {
      out += taken.text
      at += taken.length
    } else {
      // Whole words: a mark inside one is part of it.
      const [plain = text.charAt(at)] = /^[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/u.exec(text.slice(at, at + 2000)) ?? []
      out += plain
      at += plain.length
    }
  }
  return out
}

type Taken = { text: string; length: number }

function escaped(text: string, at: number): Taken | undefined {
  if (text.charAt(at) !== '\\' || !/[\\`*_{}[\]()#+\-.!~|<>]/.test(text.charAt(at + 1))) return undefined
  return { text: text.charAt(at + 1), length: 2 }
}

function code(text: string, at: number, styles: Styles, isOpen: boolean): Taken | undefined {
  const [ticks] = /^`+/.exec(text.slice(at, at + 10)) ?? []
  if (ticks === undefined) return undefined
  const end = text.indexOf(ticks, at + ticks.length)
  if (end < 0 && (!isOpen || at + ticks.length === text.length)) return { text: ticks, length: ticks.length }
  const inside = text.slice(at + ticks.length, end < 0 ? undefined : end)
  const length = end < 0 ? text.length - at : end + ticks.length - at
  return { text: styles.cyan(/^ .* $/.test(inside) ? inside.slice(1, -1) : inside), length }
}

function link(text: string, at: number, styles: Styles): Taken | undefined {
  if (text.charAt(at) !== '[' && text.slice(at, at + 2) !== '![') return undefined
  const [whole, , label = '', url = ''] =
    /^(!?)\[([^\]]*)\]\(\s*<?([^)\s>]*)>?[^)]*\)/.exec(text.slice(at, at + 4000)) ?? []
  if (whole === undefined) return undefined
  const name = inlineMarkdown(label, styles)
  // Where it leads is always seen: words can say anything.
  const shown =
    label === url || label === '' ? styles.underline(url) : `${styles.underline(name)} ${styles.dim(`(${url})`)}`
  return { text: shown, length: whole.length }
}

function marked(text: string, at: number, styles: Styles, isOpen: boolean): Taken | undefined {
  const mark = MARKS.find(({ open }) => text.startsWith(open, at))
  if (!mark) return undefined
  const { open, style } = mark
  const from = at + open.length
  const before = text.charAt(at - 1)
  const opens =
    /\S/.test(text.charAt(from)) &&
    text.charAt(from) !== open.charAt(0) &&
    !(open.startsWith('_') && /[\p{L}\p{N}]/u.test(before))
  const end = opens ? closing(text, from, open) : -1
  if (end < 0 && (!opens || !isOpen)) return { text: open, length: open.length }
  const inside = inlineMarkdown(text.slice(from, end < 0 ? undefined : end), styles, end < 0)
  return { text: styles[style](inside), length: (end < 0 ? text.length : end + open.length) - at }
}

function closing(text: string, from: number, mark: string): number {
  for (let end = text.indexOf(mark, from + 1); end >= 0; end = text.indexOf(mark, end + 1)) {
    const isDouble = mark.length === 1 && (text.charAt(end + 1) === mark || text.charAt(end - 1) === mark)
    if (/\S/.test(text.charAt(end - 1)) && !isDouble) return end
    if (isDouble) end += 1
  }
  return -1
}
