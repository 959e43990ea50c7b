/**
 * Prints a command line from its tree: this text is what bash is given. Known words stand in quotes, separators are explicit,
 * comments are gone, here-documents end with names of ours. So bash reads what was judged, whatever it would have read in the original.
 */
import type {
  AndOr,
  Assignment,
  Command,
  ParsedScript,
  Word as ParsedWord, // `Word` is ours elsewhere
  PipelineNode,
  Redirection,
  Statement,
  SyntaxNode,
} from 'unbash'
import { printCompoundCommand } from './print-compound.js'
import { quoteCommandName, type ShellCode } from './shell-quotes.js'
import type { WordReader } from './word-reader.js'

/** Thrown where the tree holds something that has no certain spelling. */
export class UnprintableScriptError extends Error {}

type HereDoc = Extract<Redirection, { type: 'HereDoc' }>

/** The original, so that the printed lines have the numbers that error messages of bash name. */
type Lines = { source: string; pos: number; line: number }

export function printScript(script: ParsedScript, words: WordReader, source?: string): string {
  const printer = new ScriptPrinter(words, source)
  printer.list(script.commands)
  // Between `$(` and `)`, bash 5.2 loses separators behind a here-document: `a; b c` becomes `a b c`.
  if (source === undefined && printer.hasDocument && !isOnePipeline(script)) throw new UnprintableScriptError()
  return printer.text()
}

function isOnePipeline({ commands: [only, ...others] }: ParsedScript): boolean {
  if (!only || others.length > 0 || only.background) return false
  const { command } = only
  const parts = command.type === 'Pipeline' ? command.commands : [command]
  return parts.every(({ type }) => type === 'Command')
}

export class ScriptPrinter {
  readonly words: WordReader
  readonly #lines: Lines | undefined
  #out = ''
  #line = 0
  hasDocument = false
  /** Here-documents whose text follows at the end of the line. */
  #waiting: string[] = []

  constructor(words: WordReader, source: string | undefined) {
    this.words = words
    this.#lines = source === undefined ? undefined : { source, pos: 0, line: 0 }
  }

  text(): string {
    if (this.#waiting.length > 0) this.newline()
    return this.#out.replace(/;? $/, '')
  }

  put(text: ShellCode): void {
    if (text === undefined) throw new UnprintableScriptError()
    const newlines = text.includes('\n') ? text.split('\n').length - 1 : 0
    // A document begins behind the next line break, and this would be one.
    if (newlines > 0 && this.#waiting.length > 0) throw new UnprintableScriptError()
    this.#out += text
    this.#line += newlines
  }

  newline(): void {
    const text = `\n${this.#waiting.join('')}`
    this.#waiting = []
    this.put(text)
  }

  /** Commands of a list, each with its separator behind it. */
  list(statements: readonly Statement[]): void {
    if (statements[0]) this.#keepLine(statements[0].pos)
    statements.forEach(({ end, command, background }, i) => {
      const next = statements[i + 1]
      const endsLine = !next || this.#hasLineBreak(end, next.pos)
      this.#statement(command)
      if (background) this.put(' &')
      if (endsLine && this.#waiting.length > 0) this.newline()
      else this.put(background ? ' ' : '; ')
      if (!next) return
      if (endsLine) this.#startLine(next.pos)
      else this.#continueLine(next.pos)
    })
  }

  command(node: PipelineNode | SyntaxNode): void {
    switch (node.type) {
      case 'Command':
        this.#simple(node)
        break
      case 'Pipeline': {
        for (const prefix of node.prefixes) {
          // Between `$(` and `)`, bash 5.2 can't parse `time {`.
          if (prefix.type !== 'Negation' && (!this.#lines || !this.#canFollowTime(node.commands[0])))
            throw new UnprintableScriptError()
          if (prefix.type === 'Negation') this.put('! ')
          else this.put(`time ${prefix.posix ? '-p ' : ''}${prefix.endOfOptions ? '-- ' : ''}`)
        }
        node.commands.forEach((one, i) => {
          if (i > 0) this.put(` ${node.operators[i - 1]} `)
          if (i > 0) this.#keepLine(one.pos)
          // Behind `|` it is a program to bash, but behind `|` and two line breaks it is the reserved word.
          if (i > 0 && one.type === 'Command' && one.name?.text === 'time') throw new UnprintableScriptError()
          this.command(one)
        })
        break
      }
      case 'Redirected':
        if (areJoined([{ ...node.command, text: '' }, ...node.redirects])) throw new UnprintableScriptError()
        this.command(node.command)
        for (const redirect of node.redirects) this.#redirect(redirect)
        break
      default:
        printCompoundCommand(node, this)
    }
  }

  /** `time -\\- ls` runs `--`, but printed without the backslash it would be an option. `(time)` is a syntax error, `(time;)` isn't. */
  #canFollowTime(node: SyntaxNode | undefined): boolean {
    if (node?.type !== 'Command') return node !== undefined
    if (!node.name) return node.prefix.length > 0
    return this.words.read(node.name).words[0]?.value.startsWith('-') === false
  }

  /** The text of a word for a list of words: nothing for a word that braces make vanish. */
  argument(word: Parameters<WordReader['read']>[0]): void {
    const { code } = this.words.read(word)
    this.put(code === undefined || code === '' ? code : ` ${code}`)
  }

  #statement(node: PipelineNode | AndOr): void {
    const { commands, operators } = node.type === 'AndOr' ? node : { commands: [node], operators: [] }
    commands.forEach((one, i) => {
      if (i > 0) this.put(` ${operators[i - 1]} `)
      if (i > 0) this.#keepLine(one.pos)
      this.command(one)
    })
  }

  /** Prints the line breaks that bring the text at `pos` to the same line as in the original. */
  #keepLine(pos: number): void {
    for (let missing = this.#missingLines(pos); missing > 0; missing = this.#missingLines(pos)) this.newline()
  }

  #missingLines(pos: number): number {
    const lines = this.#lines
    if (!lines) return 0
    for (; lines.pos < pos; lines.pos++) if (lines.source.charCodeAt(lines.pos) === 10) lines.line += 1
    return Math.max(0, lines.line - this.#line)
  }

  /** After an error in an expansion, bash skips the rest of the line. So the printed text must break lines where the original does. */
  #hasLineBreak(end: number, next: number): boolean {
    return !this.#lines || this.#lines.source.slice(end, next).replaceAll('\\\n', '').includes('\n')
  }

  #startLine(pos: number): void {
    this.#keepLine(pos)
    if (this.#lines && !this.#out.endsWith('\n')) this.newline()
  }

  #continueLine(pos: number): void {
    const missing = this.#missingLines(pos)
    // The next line break would start the text of the waiting here-document.
    if (this.#waiting.length === 0) this.put('\\\n'.repeat(missing))
  }

  #simple(node: Command): void {
    const start = this.#out.length
    if (areJoined([...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]))
      throw new UnprintableScriptError()
    for (const item of node.prefix) this.#item(item, start)
    if (node.name) {
      const { words, code } = this.words.read(node.name)
      const [name] = words
      // Nothing that might be taken for another kind of command may come first.
      if (!name || words.length !== 1) throw new UnprintableScriptError()
      const isKnown = !name.dynamic && !name.glob && !name.tilde
      // They count from the next line on, and inside of a substitution lines are not kept.
      if (!this.#lines && /^(?:alias|unalias|shopt)$/.test(name.value)) throw new UnprintableScriptError()
      const text = isKnown ? quoteCommandName(name.value) : this.#certain(code)
      if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(text)) throw new UnprintableScriptError()
      this.put(this.#space(start) + text)
    }
    for (const item of node.suffix) {
      // `declare x={a,b}` means `declare x=a x=b`, but an assignment before a command keeps its braces.
      if (item.type === 'Assignment' && item.text.includes('{')) throw new UnprintableScriptError()
      this.#item(item, start)
    }
  }

  #item(item: Command['suffix'][number] | Command['prefix'][number], start: number): void {
    if (item.type === 'Word') this.argument(item)
    else if (item.type === 'Assignment') this.put(this.#space(start) + this.#certain(this.#assignment(item)))
    else this.#redirect(item, start)
  }

  #space(start: number): string {
    return this.#out.length === start ? '' : ' '
  }

  #certain(code: ShellCode): string {
    if (code === undefined) throw new UnprintableScriptError()
    return code
  }

  #assignment({ text, name, index, append, value }: Assignment): ShellCode {
    if (!/^[A-Za-z_]\w*$/.test(name) || (index && !/^[\w$+-]+$/.test(index.text))) return undefined
    // A quote in the name makes it a word like any other.
    if (!/^[A-Za-z_]\w*(?:\[|\+?=)/.test(text)) return undefined
    const target = `${name}${index ? `[${index.text}]` : ''}${append ? '+=' : '='}`
    if (value.type === 'Word') {
      // `x=(a b)c`: the list ends within the word.
      if (hasBareParenthesis(value)) return undefined
      const code = value.text === '' ? '' : this.words.assigned(value)
      return code === undefined ? undefined : target + code
    }
    const codes = value.elements.map((word) => (this.#isCertainElement(word) ? this.words.read(word).code : undefined))
    return codes.includes(undefined) ? undefined : `${target}(${codes.join(' ')})`
  }

  /** An element with its own index is another assignment. Between `$(` and `)`, bash 5.2 loses the backslashes of a list. */
  #isCertainElement({ text }: ParsedWord): boolean {
    return !text.startsWith('[') && (this.#lines !== undefined || !text.includes('\\'))
  }

  #redirect(node: Redirection, start = -1): void {
    const { descriptor } = node
    const space = start < 0 ? ' ' : this.#space(start)
    const from =
      descriptor === undefined
        ? ''
        : descriptor.type === 'FileDescriptor'
          ? String(descriptor.value)
          : `{${descriptor.name}}`
    if (node.type === 'HereDoc') this.#document(node, space + from)
    else this.put(`${space}${from}${node.operator}${this.#target(node)}`)
  }

  #target(node: Exclude<Redirection, { type: 'HereDoc' }>): string {
    if (!node.target) throw new UnprintableScriptError()
    // `> {x}>&1` is a syntax error, because `{x}>` is the beginning of a redirect.
    if (hasBareParenthesis(node.target) || /^\{\w+\}$/.test(node.target.text)) throw new UnprintableScriptError()
    if (node.type === 'HereString') return ` ${this.#certain(this.words.value(node.target))}`
    const { words, code } = this.words.read(node.target)
    if (words.length !== 1) throw new UnprintableScriptError()
    // Bash reads `>& -n` as `>&-` and the word `n`, and the `-` at the end of `>& a-` as an order to close `a`.
    if (/&$/.test(node.operator) && /^-.|[^\d-].*-$/s.test(words[0]?.value ?? '')) throw new UnprintableScriptError()
    // Behind `&` stands a number right away.
    return (/&$/.test(node.operator) && /^[\d-]+$/.test(code ?? '') ? '' : ' ') + this.#certain(code)
  }

  #document({ operator, delimiter, body, closing }: HereDoc, before: string): void {
    if (!delimiter || !closing) throw new UnprintableScriptError()
    const parts = delimiter.quoted ? undefined : body.parts
    const isPlain = !parts || parts.every(({ type }) => type === 'Literal')
    const text = delimiter.quoted ? body.text : this.#certain(this.#documentText(body.text, parts, isPlain))
    const end = unusedName(text)
    this.hasDocument = true
    this.put(`${before}${operator}${isPlain ? `'${end}'` : end}`)
    this.#waiting.push(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${end}\n`)
  }

  #documentText(text: string, parts: HereDoc['body']['parts'], isPlain: boolean): ShellCode {
    if (!parts) return text.replace(/\\([$`\\\n])/g, (_, char: string) => (char === '\n' ? '' : char))
    return isPlain
      ? parts.map((part) => (part.type === 'Literal' ? part.value : '')).join('')
      : this.words.document(parts)
  }
}

/** `> x=(a b)` and `<<< x=(a b)` are syntax errors, which the parser accepts. */
function hasBareParenthesis({ text, parts }: ParsedWord): boolean {
  return parts ? parts.some((part) => part.type === 'Literal' && /[()]/.test(part.text)) : /[()]/.test(text)
}

type Item = {
  type: string
  text?: string
  descriptor?: unknown
  target?: ParsedWord | undefined
  pos: number
  end: number
}

/** Whether bash reads one word where the parser reads two, or takes a descriptor for a part of the word before it: `<(ls)2>x`. */
function areJoined(items: readonly Item[]): boolean {
  return items.some((item, i) => {
    const before = items[i - 1]
    if (!before || before.end !== item.pos || before.type === 'Subshell') return false
    const endsAWord = before.type !== 'Redirect' || before.target?.text.endsWith(')')
    const isNumbered = item.descriptor !== undefined && endsAWord
    return item.type === 'Word' || isNumbered || (before.text ?? '').includes('\\\n')
  })
}

/** The name that ends a here-document: no line of the text is like it. */
function unusedName(text: string): string {
  let name = 'KEDGE_END'
  for (let i = 1; text.includes(name); i++) name = `KEDGE_END_${i}`
  return name
}
