/** Bytes of a keyboard as keys: escape sequences of terminals old and new, pasted text in one piece, a lone Escape. */

/** `id`: `a` typed is `text`; else what it is called, such as `enter`, `ctrl-c`, `alt-left`, `shift-tab`, `paste`. */
export type Key = { id: string; text: string }

/** So much pasted text is taken. */
const MAX_PASTE = 5_000_000
const PASTE_END = '\u001b[201~'
const LONGEST_SEQUENCE = 256

const BY_LETTER: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  Z: 'tab',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  M: 'enter',
}
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}
const BY_CODE: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
}

const CSI = /^\u001b\[([0-?]*)([ -/]*)([@-~])/
const PRINTED = /^[^\u0000-\u001f\u007f]+/
const REPLY = /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/

export class KeyDecoder {
  #rest = ''
  #paste: string | undefined

  /** True after bytes that are a key, or the beginning of one. The caller waits a little, then calls `flush`. */
  get isWaiting(): boolean {
    return this.#rest !== '' && this.#paste === undefined
  }

  feed(data: string): Key[] {
    this.#rest += data
    const keys: Key[] = []
    for (let key = this.#next(); key !== undefined; key = this.#next()) if (key !== null) keys.push(key)
    return keys
  }

  /** Nothing came after it: it was the key. */
  flush(): Key[] {
    if (!this.isWaiting) return []
    const rest = this.#rest
    this.#rest = ''
    if (rest === '\u001b') return [{ id: 'escape', text: '' }]
    // A sequence that was never finished is no key, and what is in it was not typed.
    return rest.length === 2 && rest !== '\u001b[' && rest !== '\u001bO' ? [altKey(rest.charAt(1))] : []
  }

  /** Null: something that is no key. Undefined: more is needed. */
  #next(): Key | null | undefined {
    if (this.#paste !== undefined) return this.#pasted()
    const rest = this.#rest
    if (rest === '') return undefined
    if (rest.charAt(0) === '\u001b') return this.#escaped(rest)
    const [text] = PRINTED.exec(rest) ?? []
    if (text !== undefined) return this.#took(text.length, { id: 'text', text })
    return this.#took(1, controlKey(rest.charCodeAt(0)))
  }

  #escaped(rest: string): Key | null | undefined {
    const second = rest.charAt(1)
    if (second === '') return undefined
    if (second === '\u001b') return this.#took(1, { id: 'escape', text: '' })
    if (second === '[') {
      const [sequence, parameters = '', between = '', final = ''] = CSI.exec(rest) ?? []
      if (sequence === undefined) return this.#unfinished(rest, /[^ -?]/.exec(rest.slice(2)))
      if (sequence === '\u001b[200~') {
        this.#paste = ''
        return this.#took(sequence.length, null)
      }
      return this.#took(sequence.length, between === '' ? csiKey(parameters, final) : null)
    }
    if (second === 'O') {
      const final = rest.charAt(2)
      if (final === '') return undefined
      const id = BY_LETTER[final]
      return this.#took(3, id === undefined ? null : { id, text: '' })
    }
    if (/[\]P_^X]/.test(second)) {
      const [sequence] = REPLY.exec(rest) ?? []
      if (sequence !== undefined) return this.#took(sequence.length, null)
      // A terminal's reply comes at once and whole; otherwise, the user held Alt.
      return rest.length === 2 || rest.length < LONGEST_SEQUENCE ? undefined : this.#took(2, null)
    }
    const code = rest.codePointAt(1) ?? 0
    const length = code > 0xffff ? 2 : 1
    return this.#took(1 + length, altKey(rest.slice(1, 1 + length)))
  }

  #unfinished(rest: string, broken: RegExpExecArray | null): Key | null | undefined {
    if (!broken && rest.length < LONGEST_SEQUENCE) return undefined
    return this.#took(broken ? 2 + broken.index : rest.length, null)
  }

  #pasted(): Key | undefined {
    const end = this.#rest.indexOf(PASTE_END)
    const kept = end < 0 ? Math.max(0, this.#rest.length - PASTE_END.length + 1) : end
    const paste = (this.#paste ?? '') + this.#rest.slice(0, kept)
    this.#paste = paste.slice(0, MAX_PASTE)
    this.#rest = this.#rest.slice(end < 0 ? kept : end + PASTE_END.length)
    if (end < 0) return undefined
    const text = pastedText(this.#paste)
    this.#paste = undefined
    return { id: 'paste', text }
  }

  #took<T>(length: number, key: T): T {
    this.#rest = this.#rest.slice(length)
    return key
  }
}

/** Lines as lines, without what would be obeyed. */
function pastedText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

function controlKey(code: number): Key | null {
  const name = BY_CODE[code]
  if (name !== undefined) return { id: name, text: '' }
  if (code === 0) return { id: 'ctrl-space', text: '' }
  if (code <= 26) return { id: `ctrl-${String.fromCharCode(code + 96)}`, text: '' }
  return { id: `ctrl-${String.fromCharCode(code + 64)}`.toLowerCase(), text: '' }
}

function altKey(character: string): Key {
  const code = character.codePointAt(0) ?? 0
  const key = code < 0x20 || code === 0x7f ? controlKey(code) : undefined
  return { id: `alt-${key ? key.id : character}`, text: '' }
}

function csiKey(parameters: string, final: string): Key | null {
  if (final === 'I' && parameters === '') return { id: 'focus', text: '' }
  if (final === 'O' && parameters === '') return { id: 'blur', text: '' }
  const [first = '', second = '', third = ''] = parameters.split(';')
  if (final === 'u') return codedKey(Number.parseInt(first, 10), second)
  if (final === '~' && first === '27') return codedKey(Number.parseInt(third, 10), second)
  // A report of where the cursor is looks like F3.
  const isReport = final === 'R' && second !== '' && first !== '1'
  const name = final === '~' ? BY_NUMBER[first] : isReport ? undefined : BY_LETTER[final]
  if (name === undefined) return null
  return { id: `${modifiers(final === 'Z' ? '2' : second)}${name}`, text: '' }
}

function codedKey(code: number, given: string): Key | null {
  const [held = '', kind = ''] = given.split(':')
  // A key that is let go.
  if (kind === '3' || !Number.isInteger(code) || code < 0 || code > 0x10ffff) return null
  const pressed = modifiers(held)
  const name = BY_CODE[code]
  if (name === 'space')
    return pressed === '' || pressed === 'shift-' ? { id: 'text', text: ' ' } : { id: `${pressed}space`, text: '' }
  if (name !== undefined) return { id: `${pressed}${name}`, text: '' }
  // Keys without a character, such as those of media players.
  if (code < 0x20 || (code >= 0xe000 && code <= 0xf8ff)) return null
  const character = String.fromCodePoint(code)
  if (pressed === '') return { id: 'text', text: character }
  if (pressed === 'shift-') return { id: 'text', text: character.toUpperCase() }
  return { id: `${pressed}${character}`, text: '' }
}

function modifiers(given: string): string {
  const bits = Math.max(0, (Number.parseInt(given, 10) || 1) - 1)
  return `${bits & 4 ? 'ctrl-' : ''}${bits & 2 ? 'alt-' : ''}${bits & 1 ? 'shift-' : ''}`
}
