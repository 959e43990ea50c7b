/** Which commands print what another one reads: in pipelines, `while read … done < <(…)`, and the lists of `for` loops. */
import type { Command, Word as ParsedWord, Redirection, SyntaxNode } from 'unbash'
import type { ShellStream, SimpleCommand } from './syntax.js'

type Growing = { known: boolean; from: SimpleCommand[]; by: SimpleCommand[] }

/** Told of every node in the order they are visited; what a stream consists of is complete when all were. */
export class ShellStreamCollector {
  readonly #inputs = new Map<SyntaxNode, Growing>()
  readonly #outputs = new Map<SyntaxNode, Growing[]>()
  #current: Growing | undefined

  /** Before a node's children are visited; returns what to call after them. */
  enter(node: SyntaxNode): () => void {
    const before = this.#current
    const given = this.#inputs.get(node)
    if (given) this.#current = given
    if (node.type === 'Pipeline') this.#pipe(node.commands, node.operators)
    if (node.type === 'Redirected') {
      const [only, ...others] = node.redirects.filter(({ operator }) => !/^>/.test(operator))
      const printers = only?.type === 'Redirect' && !only.descriptor && others.length === 0 && printersOf(only.target)
      if (only) this.#inputs.set(node.command, this.#of(printers || undefined))
    }
    return () => {
      this.#current = before
    }
  }

  /** What a command reads, and whether it has that for itself. */
  inputOf(node: Command): { stream: ShellStream | undefined; own: boolean } {
    const own = this.#inputs.has(node)
    if (node.prefix.some(isInput) || node.suffix.some(isInput)) return { stream: NOTHING_KNOWN, own: true }
    return { stream: this.#current, own }
  }

  made(node: Command, command: SimpleCommand): void {
    for (const stream of this.#outputs.get(node) ?? []) stream.from.push(command)
    this.#current?.by.push(command)
  }

  /** What a word prints that is nothing but one substitution, without quotes. */
  ofWord(word: ParsedWord | undefined): ShellStream | undefined {
    const printers = printersOf(word, 'CommandExpansion')
    return printers && this.#of(printers)
  }

  #pipe(commands: readonly SyntaxNode[], operators: readonly string[]): void {
    for (let i = 1; i < commands.length; i++) {
      const node = commands[i]
      // With `|&` it reads what goes wrong as well.
      const known = i < LONGEST_PIPE && operators.slice(0, i).every((operator) => operator === '|')
      if (node) this.#inputs.set(node, this.#of(known ? plainCommands(commands.slice(0, i)) : undefined))
    }
  }

  #of(printers: readonly Command[] | undefined): Growing {
    const stream: Growing = { known: printers !== undefined, from: [], by: [] }
    for (const node of printers ?? []) this.#outputs.set(node, [...(this.#outputs.get(node) ?? []), stream])
    return stream
  }
}

/** Each command of a pipe reads what all before it print. No person writes a longer pipe. */
const LONGEST_PIPE = 30

const NOTHING_KNOWN: ShellStream = { known: false, from: [], by: [] }

/** Undefined unless all are commands that read what the one before prints, and print to the next. */
function plainCommands(nodes: readonly SyntaxNode[]): readonly Command[] | undefined {
  const plain = nodes.flatMap((node) =>
    node.type === 'Command' &&
    node.prefix.length === 0 &&
    node.suffix.every((item) => item.type === 'Word' || (item.type !== 'Assignment' && isErrors(item)))
      ? [node]
      : [],
  )
  return plain.length === nodes.length ? plain : undefined
}

/** The commands in a substitution, when it is one command or one pipeline. */
function printersOf(
  word: ParsedWord | undefined,
  type: 'CommandExpansion' | 'ProcessSubstitution' = 'ProcessSubstitution',
): readonly Command[] | undefined {
  const [part, ...others] = word?.parts ?? []
  if (part?.type !== type || others.length > 0 || !('script' in part)) return undefined
  const [statement, ...more] = part.script?.commands ?? []
  if (!statement || more.length > 0) return undefined
  const { command } = statement
  if (command.type !== 'Pipeline') return plainCommands([command])
  return command.prefixes.length === 0 && command.operators.every((operator) => operator === '|')
    ? plainCommands(command.commands)
    : undefined
}

/** `2>/dev/null` */
function isErrors(redirect: Redirection): boolean {
  return (
    redirect.operator === '>' &&
    redirect.descriptor?.type === 'FileDescriptor' &&
    redirect.descriptor.value === 2 &&
    redirect.target?.text === '/dev/null'
  )
}

/** Anything but a word, an assignment, and an output that goes to a file. */
function isInput(item: Command['prefix'][number] | Command['suffix'][number]): boolean {
  return item.type !== 'Word' && item.type !== 'Assignment' && !/^>/.test(item.operator)
}
