/** Walks the parser's tree and collects what a `Script` needs: every command, and everything that makes it less than plain. */
import type { Assignment, Command, ParameterExpansionPart, Redirection, SimpleExpansionPart, SyntaxNode } from 'unbash'
import { wordList } from '../../word-list.js'
import { isVariableWithoutEffect } from '../programs/safe-variables.js'
import { isVariableSafeToShow } from './harmless-variables.js'
import { createLiteralWord, isPlainArithmetic } from './shell-words.js'
import { ShellStreamCollector } from './streams.js'
import {
  type Redirect,
  type ShellScript,
  type ShellVariable,
  type ShellWord,
  type SimpleCommand,
  wordValueAt,
} from './syntax.js'
import type { WordReader } from './word-reader.js'

type Unbash = typeof import('unbash')
type IsOwn = (part: SimpleExpansionPart | ParameterExpansionPart) => boolean

/** More than anyone reads before saying yes. */
const MOST_COMMANDS = 500
const MOST_WORDS = 2_000
const MOST_NODES = 10_000

/** Thrown while collecting, to stop early. */
export class TooManyCommandsError extends Error {}
const GLOB = /[*?[]/
const ELSEWHERE = /^\/|^\.\./
/** Nothing but one variable, or what one command prints. */
const LONE = /^\$(?:\w+|\{\w+\}|\([^()]*\))$/
const ARITHMETIC_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/
/** Builtins that evaluate a subscript in a name they are given. */
const EVALUATES = new Set(
  wordList(`
    let declare typeset local readonly export read mapfile readarray unset printf test [ wait getopts
  `),
)

/** What is in these may run more than once. */
const REPEATING = new Set(['For', 'ArithmeticFor', 'While', 'Select', 'Function'])

/** What of it is not only known at run time, as far as that is kept apart. */
function knownText({ dynamic, value, head, tail }: ShellWord): string {
  return dynamic ? `${head} ${tail}` : value
}

export class CommandCollector {
  readonly #unbash: Unbash
  readonly #words: WordReader
  readonly #isOwn: IsOwn
  readonly #commands: SimpleCommand[] = []
  readonly #values: ShellVariable[] = []
  readonly #redirects: Redirect[] = []
  readonly #problems: string[] = []
  readonly #streams = new ShellStreamCollector()
  #stateful = false
  #revealing = false
  #nodeCount = 0
  #wordCount = 0
  #evaluates = false
  #hidden = false
  #inDocument = false
  #inLoop = false
  readonly #quotedCode: boolean

  /** `isOwn`: the line itself has set the variable before that use of it. */
  constructor(text: string, unbash: Unbash, words: WordReader, isOwn: IsOwn) {
    this.#unbash = unbash
    this.#words = words
    this.#isOwn = isOwn
    this.#quotedCode = /'[^']*(?:\$\(|`)|\\[$`]|\$'/.test(text)
  }

  result(): Omit<ShellScript, 'text' | 'printed' | 'invisible'> {
    return {
      commands: this.#commands,
      redirects: [...this.#redirects, ...this.#expanded()],
      problems: this.#problems,
      stateful: this.#stateful,
      revealing: this.#revealing,
      hidden: this.#hidden || (this.#evaluates && this.#quotedCode),
    }
  }

  visit(node: SyntaxNode, source: string): void {
    if (++this.#nodeCount > MOST_NODES || this.#commands.length > MOST_COMMANDS) throw new TooManyCommandsError()
    const leave = this.#streams.enter(node)
    const inner = this.#note(node, source)
    const [wasInDocument, wasInLoop] = [this.#inDocument, this.#inLoop]
    if (node.type === 'HereDocBody') this.#inDocument = true
    if (REPEATING.has(node.type)) this.#inLoop = true
    this.#unbash.forEachChild(node, (child) => this.visit(child, inner))
    leave()
    this.#inDocument = wasInDocument
    this.#inLoop = wasInLoop
  }

  /** Records what a node means; returns the text its children's positions point into. */
  #note(node: SyntaxNode, source: string): string {
    switch (node.type) {
      case 'Script':
        if (node.errors && node.errors.length > 0) this.#problems.push('it is not valid shell syntax')
        return node.source ?? source
      case 'Command':
        this.#add(node, source)
        return source
      case 'Redirect':
        // A shell takes the dash by itself, blanks before it or not: `<&-x` closes its input and runs x.
        if (/^[<>]&$/.test(node.operator) && /^-./s.test(node.target?.text ?? ''))
          this.#problems.push('it closes a descriptor right before a word')
        return source
      case 'Redirected':
        this.#redirects.push(...node.redirects.flatMap((one) => this.#redirect(one)))
        return source
      case 'Function':
        this.#stateful = true
        return source
      case 'For':
      case 'Select':
        if (!isVariableWithoutEffect(node.name.value)) this.#stateful = true
        this.#count(node.wordlist?.length ?? 0)
        // Without a list it takes the arguments of the shell, which `set` may have given it.
        if (!node.wordlist) this.#values.push({ name: node.name.value, value: undefined })
        for (const word of node.wordlist ?? []) {
          const stream = this.#streams.ofWord(word)
          for (const value of this.#words.words(word)) this.#assign({ name: node.name.value, value, stream })
        }
        return source
      case 'Coproc':
        // Its name is assigned to; and in a substitution bash itself takes it for another command.
        this.#stateful = true
        return source
      case 'FileDescriptorVariable':
        if (!isVariableWithoutEffect(node.name)) this.#stateful = true
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
      case 'SimpleExpansion':
        if (!isVariableSafeToShow(node.text.slice(1)) && !this.#isOwn(node)) this.#revealing = true
        return source
      case 'ParameterExpansion': {
        const { operation, index, prefix } = node
        if (!isVariableSafeToShow(node.parameter) && !this.#isOwn(node)) this.#revealing = true
        if (operation?.type === 'Default') {
          if (operation.operator.endsWith('=')) {
            this.#values.push({ name: node.parameter, value: undefined })
            if (!isVariableWithoutEffect(node.parameter)) this.#stateful = true
          }
          for (const value of this.#words.words(operation.operand)) this.#glob(value)
        }
        const odd = operation && ['Transform', 'Slice', 'Unknown'].includes(operation.type)
        if (odd || prefix === '!' || (index && !/^(?:[@*]|\d+)$/.test(index.value))) this.#evaluate()
        // Unlike anywhere else, single quotes there do not keep the shell from running what they hold.
        const kept = this.#inDocument && operation?.type === 'Default' ? operation.operand.text : ''
        if (/'/.test(kept) && /\$[({]|`/.test(kept)) this.#problems.push('its text has quotes in an expansion')
        return source
      }
      case 'TestCommand':
        // A command too, though none with words that a rule could be about.
        this.#commands.push({ text: '', words: [], starts: [], assignments: [], redirects: [] })
        return source
      case 'TestUnary':
        if (node.operator === '-v' || node.operator === '-R') this.#evaluate()
        return source
      case 'TestBinary':
        if (ARITHMETIC_TEST.test(node.operator) && ![node.left, node.right].every((w) => /^-?\d+$/.test(w.text)))
          this.#evaluate()
        return source
      case 'Assignment':
        if (node.index) this.#evaluate()
        if (node.value.type === 'Word') this.#assign(this.#variable(node))
        else {
          this.#count(node.value.elements.length)
          for (const value of node.value.elements.flatMap((word) => this.#words.words(word)))
            this.#assign({ name: node.name, value })
        }
        return source
      default:
        if (!KNOWN.has(node.type)) this.#problems.push(`it holds something unknown (${String(node.type)})`)
        return source
    }
  }

  #assign(variable: ShellVariable): void {
    this.#values.push(variable)
    if (variable.value) this.#glob(variable.value)
  }

  /** A glob in a value is expanded where the variable is used, also when it is quoted here; that reads the folder it is for. */
  #glob(value: ShellWord): void {
    if (GLOB.test(knownText(value))) this.#redirects.push({ kind: 'read', target: { ...value, glob: true } })
  }

  /** Where one value is a glob and another leads elsewhere, words put together from them may be a glob elsewhere. */
  #expanded(): Redirect[] {
    const values = this.#values.flatMap(({ value }) => value ?? [])
    if (!values.some((value) => GLOB.test(knownText(value)))) return []
    const leads = values.some((value) => ELSEWHERE.test(value.head))
    const composed = [...values, ...this.#commands.flatMap(({ words }) => words.filter((word) => !word.single))].filter(
      (word) => word.dynamic && !LONE.test(word.value) && (leads || ELSEWHERE.test(word.head)),
    )
    return composed.map((word) => ({ kind: 'read', target: { ...word, glob: true } }))
  }

  #evaluate(): void {
    this.#evaluates = true
    this.#stateful = true
  }

  /** Before they are looked at. */
  #count(words: number): void {
    this.#wordCount += words
    if (this.#wordCount > MOST_WORDS) throw new TooManyCommandsError()
  }

  #add(node: Command, source: string): void {
    const command = this.#command(node, source)
    this.#commands.push(command)
    this.#streams.made(node, command)
  }

  #command(node: Command, source: string): SimpleCommand {
    this.#count(1 + node.prefix.length + node.suffix.length)
    const words: ShellWord[] = []
    const starts: number[] = []
    let text = ''
    let end = -1
    const add = (item: { pos: number; end: number }, made: readonly ShellWord[]) => {
      // Between two words stand blanks as they were written, unless a redirect stood there.
      const gap = end < 0 ? '' : source.slice(end, item.pos)
      text += /^(?:\s|\\\n)*$/.test(gap) ? gap : ' '
      for (const _ of made) starts.push(made.length === 1 ? text.length : -1)
      text += source.slice(item.pos, item.end)
      words.push(...made)
      end = item.end
    }
    if (node.name) add(node.name, this.#words.words(node.name))
    const redirections: Redirection[] = []
    const assignments: ShellVariable[] = []
    for (const item of node.prefix) {
      if (item.type === 'Assignment') assignments.push(this.#variable(item))
      else redirections.push(item)
    }
    for (const item of node.suffix) {
      if (item.type === 'Word') add(item, this.#words.words(item))
      else if (item.type === 'Assignment') add(item, [argumentOf(item, this.#variable(item))])
      else redirections.push(item)
    }
    if (EVALUATES.has(wordValueAt(words, 0)) && words.some(holdsQuotedCode)) this.#hidden = true
    const assigns = words.findIndex((word) => EVALUATES.has(word.value))
    const { stream, own } = this.#streams.inputOf(node)
    const lines = !own && takesLine(words, assignments) ? stream : undefined
    // They may be given any value; a `read` in a loop, one that the loop is given.
    if (assigns >= 0)
      for (const { value } of words.slice(assigns + 1))
        if (isVariableWithoutEffect(value)) this.#values.push({ name: value, value: undefined, stream: lines })
    if (words[0]?.value === 'set') for (const value of words.slice(1)) this.#values.push({ name: '@', value })
    const redirects = redirections.flatMap((one) => this.#redirect(one))
    const repeated = this.#inLoop ? { repeated: true } : {}
    const input = own ? { input: stream } : {}
    return { text, words, starts, assignments, redirects, values: this.#values, ...repeated, ...input }
  }

  #variable(node: Assignment): ShellVariable {
    if (node.value.type !== 'Word' || node.index) return { name: node.name, value: undefined }
    // Behind a colon, too, a tilde is a home folder there.
    if (/:~/.test(node.value.text)) return { name: node.name, value: undefined }
    const [value = createLiteralWord(''), ...more] = this.#words.words(node.value)
    return { name: node.name, value: more.length === 0 && !node.append ? value : undefined }
  }

  #redirect(node: Redirection): Redirect[] {
    // Here-documents and here-strings carry text, not a file; their substitutions are visited like any other.
    if (node.type !== 'Redirect') return []
    const [target, ...more] = node.target ? this.#words.words(node.target) : []
    if (!target) return [{ kind: 'write', target: unknown('') }]
    if (more.length > 0) return [{ kind: 'write', target: unknown(target.source) }]
    if (node.operator === '<&' || (node.operator === '>&' && /^(?:\d+-?|-)$/.test(target.value) && !target.dynamic))
      return []
    return [{ kind: node.operator === '<' ? 'read' : 'write', target }]
  }
}

/** `IFS= read -r line`: all of a line. */
function takesLine(words: readonly ShellWord[], assignments: readonly ShellVariable[]): boolean {
  return (
    /^read (?:-r )?[a-z]\w*$/.test(words.map(({ value }) => value).join(' ')) &&
    assignments.every(({ name, value }) => name === 'IFS' && value?.value === '' && !value.dynamic)
  )
}

/** `'a[$(x)]'`: the quotes keep the substitution from this shell's parser, not from the builtin that evaluates it. */
function holdsQuotedCode(word: ShellWord): boolean {
  return /\$\(|`/.test(word.value) && (!word.dynamic || /[\\']/.test(word.source))
}

/** `export A=b`: an assignment that is an argument. */
function argumentOf(node: Assignment, variable: ShellVariable): ShellWord {
  const base = { source: node.text, glob: false, tilde: false, pipe: false, tail: '' }
  const { value } = variable
  if (!value) return { ...base, value: node.text, dynamic: true, plain: false, single: false, head: `${node.name}=` }
  const { dynamic, plain, single } = value
  const text = `${node.name}=${value.value}`
  return { ...base, value: text, dynamic, plain, single, head: dynamic ? `${node.name}=${value.head}` : text }
}

function unknown(source: string): ShellWord {
  return {
    value: source,
    source,
    dynamic: true,
    plain: false,
    single: false,
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
    Statement CompoundList CaseItem Elif If While Subshell BraceGroup Case Pipeline Time
    Negation AndOr Word Literal Glob SingleQuoted DoubleQuoted AnsiCQuoted LocaleString
    ExtendedGlob BraceExpansion Redirect HereString HereDoc HereDocDelimiter HereDocBody FileDescriptor
    ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup TestLogical TestNot
    TestGroup ArrayValue Default Remove Replace Slice CaseModification Transform Names
  `),
)
