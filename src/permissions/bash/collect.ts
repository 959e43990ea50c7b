/** Walks the parser's tree and collects what a `Script` needs: every command, and everything that makes it less than plain. */
import type { Assignment, Command, Redirection, SyntaxNode } from 'unbash'
import { wordList } from '../word-list.js'
import type { Redirect, Script, SimpleCommand, Variable, Word } from './syntax.js'
import { isPlainArithmetic, toWords } from './words.js'

type Unbash = typeof import('unbash')

const MOST_COMMANDS = 1_000
const MOST_WORDS = 2_000
const ARITHMETIC_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/
/** Builtins that evaluate a subscript in a name they are given. */
const EVALUATES = new Set(
  wordList(`
    let declare typeset local readonly export read mapfile readarray unset printf test [ wait getopts
  `),
)

export class Collector {
  readonly #unbash: Unbash
  readonly #commands: SimpleCommand[] = []
  readonly #redirects: Redirect[] = []
  readonly #problems: string[] = []
  #stateful = false
  #wordCount = 0
  #evaluates = false
  #hidden = false
  readonly #quotedCode: boolean

  constructor(text: string, unbash: Unbash) {
    this.#unbash = unbash
    this.#quotedCode = /'[^']*(?:\$\(|`)|\\[$`]|\$'/.test(text)
  }

  result(): Omit<Script, 'text' | 'invisible'> {
    return {
      commands: this.#commands,
      redirects: this.#redirects,
      problems: this.#problems,
      stateful: this.#stateful,
      hidden: this.#hidden || (this.#evaluates && this.#quotedCode),
    }
  }

  /** More than anyone reads before saying yes. */
  get tooMany(): boolean {
    return this.#commands.length > MOST_COMMANDS || this.#wordCount > MOST_WORDS
  }

  visit(node: SyntaxNode, source: string): void {
    const inner = this.#note(node, source)
    this.#unbash.forEachChild(node, (child) => this.visit(child, inner))
  }

  /** Records what a node means; returns the text its children's positions point into. */
  #note(node: SyntaxNode, source: string): string {
    switch (node.type) {
      case 'Script':
        if (node.errors && node.errors.length > 0) this.#problems.push('it is not valid shell syntax')
        return node.source ?? source
      case 'Command':
        this.#commands.push(this.#command(node, source))
        return source
      case 'Redirected':
        this.#redirects.push(...node.redirects.flatMap(toRedirect))
        return source
      case 'Function':
        this.#stateful = true
        return source
      case 'For':
      case 'Select':
        if (!isPlainName(node.name.value)) this.#stateful = true
        return source
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
        this.#evaluate()
        return source
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        // Too deep to be parsed.
        if (!node.script) this.#problems.push('a substitution in it could not be read')
        return source
      case 'ArithmeticExpansion':
        if (!isPlainArithmetic(node.text)) this.#evaluate()
        return source
      case 'ArithmeticWord':
        // `((rm x))`: not arithmetic, and shells do not agree what else it is.
        if (/\S\s+\S/.test(node.value)) this.#problems.push('its arithmetic is not valid')
        return source
      case 'ParameterExpansion': {
        const { operation, index, prefix } = node
        const odd = operation && ['Transform', 'Slice', 'Unknown'].includes(operation.type)
        if (odd || prefix === '!' || (index && !/^(?:[@*]|\d+)$/.test(index.value))) this.#evaluate()
        return source
      }
      case 'TestUnary':
        if (node.operator === '-v' || node.operator === '-R') this.#evaluate()
        return source
      case 'TestBinary':
        if (ARITHMETIC_TEST.test(node.operator) && ![node.left, node.right].every((w) => /^-?\d+$/.test(w.text)))
          this.#evaluate()
        return source
      case 'Assignment':
        if (node.index) this.#evaluate()
        return source
      default:
        if (!KNOWN.has(node.type)) this.#problems.push(`it holds something unknown (${String(node.type)})`)
        return source
    }
  }

  #evaluate(): void {
    this.#evaluates = true
    this.#stateful = true
  }

  #command(node: Command, source: string): SimpleCommand {
    const words: Word[] = []
    const starts: number[] = []
    let text = ''
    let end = -1
    const add = (item: { pos: number; end: number }, made: readonly Word[]) => {
      // Between two words stand blanks as they were written, unless a redirect stood there.
      const gap = end < 0 ? '' : source.slice(end, item.pos)
      text += /^(?:\s|\\\n)*$/.test(gap) ? gap : ' '
      for (const _ of made) starts.push(made.length === 1 ? text.length : -1)
      text += source.slice(item.pos, item.end)
      words.push(...made)
      end = item.end
    }
    if (node.name) add(node.name, toWords(node.name))
    const redirections: Redirection[] = []
    const assignments: Variable[] = []
    for (const item of node.prefix) {
      if (item.type === 'Assignment') assignments.push(toVariable(item))
      else redirections.push(item)
    }
    for (const item of node.suffix) {
      if (item.type === 'Word') add(item, toWords(item))
      else if (item.type === 'Assignment') add(item, [argumentOf(item)])
      else redirections.push(item)
    }
    if (EVALUATES.has(words[0]?.value ?? '') && words.some(holdsQuotedCode)) this.#hidden = true
    this.#wordCount += words.length + redirections.length
    const fed = redirections.some((r) => r.type !== 'Redirect' || r.operator === '<')
    return { text, words, starts, assignments, redirects: redirections.flatMap(toRedirect), fed }
  }
}

/** `'a[$(x)]'`: the quotes keep the substitution from this shell's parser, not from the builtin that evaluates it. */
function holdsQuotedCode(word: Word): boolean {
  return /\$\(|`/.test(word.value) && (!word.dynamic || /[\\']/.test(word.source))
}

/** A variable no program takes orders from: lower case, and none of the few that are. */
export function isPlainName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && !/proxy|^npm_|^histchars$|^auto_resume$/.test(name)
}

function toVariable(node: Assignment): Variable {
  const value = node.value.type === 'Word' && !node.index ? toWords(node.value) : []
  return { name: node.name, value: value.length === 1 ? value[0] : undefined }
}

/** `export A=b`: an assignment that is an argument. */
function argumentOf(node: Assignment): Word {
  const variable = toVariable(node)
  const base = { source: node.text, glob: false, tilde: false, pipe: false, tail: '' }
  const text = `${node.name}=${variable.value?.value ?? ''}`
  if (!variable.value) return { ...base, value: node.text, dynamic: true, plain: false, head: `${node.name}=` }
  return { ...base, value: text, dynamic: variable.value.dynamic, plain: variable.value.plain, head: text }
}

function toRedirect(node: Redirection): Redirect[] {
  // Here-documents and here-strings carry text, not a file; their substitutions are visited like any other.
  if (node.type !== 'Redirect') return []
  const [target, ...more] = node.target ? toWords(node.target) : []
  if (!target) return [{ kind: 'write', target: unknown('') }]
  if (more.length > 0) return [{ kind: 'write', target: unknown(target.source) }]
  if (node.operator === '<&' || (node.operator === '>&' && /^(?:\d+-?|-)$/.test(target.value) && !target.dynamic))
    return []
  return [{ kind: node.operator === '<' ? 'read' : 'write', target }]
}

function unknown(source: string): Word {
  return {
    value: source,
    source,
    dynamic: true,
    plain: false,
    glob: false,
    tilde: false,
    pipe: false,
    head: '',
    tail: '',
  }
}

/** Node types whose meaning is fully in their children. */
const KNOWN = new Set(
  wordList(`
    Statement CompoundList CaseItem Elif If While Subshell BraceGroup Case TestCommand Coproc Pipeline Time
    Negation AndOr Word Literal Glob SingleQuoted DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion
    ExtendedGlob BraceExpansion ArrayValue Redirect HereString HereDoc HereDocDelimiter HereDocBody FileDescriptor
    FileDescriptorVariable ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup TestLogical TestNot
    TestGroup Default Remove Replace Slice CaseModification Transform Names
  `),
)
