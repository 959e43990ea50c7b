/** A command line as the permission engine sees it: a flat list of simple commands with their words and redirects. */

export type ShellWord = {
  /** After quote removal; what is only known at run time stays as it is written. */
  readonly value: string
  /** As it is written. */
  readonly source: string
  /** Holds something only known at run time. */
  readonly dynamic: boolean
  /** Harmless where a word is mere text: static, or made of substitutions (judged by themselves) and well-known variables. */
  readonly plain: boolean
  /** Stays one word whatever it turns into: nothing in it is split, expanded to several, or dropped when empty. */
  readonly single: boolean
  /** Holds an unquoted glob. */
  readonly glob: boolean
  /** Starts with an unquoted `~`. */
  readonly tilde: boolean
  /** A process substitution: a pipe, not a path. */
  readonly pipe: boolean
  /** The known text before the first part that is not, and after the last. */
  readonly head: string
  readonly tail: string
  /** The names in this path are those another word finds: `cp src/* build` writes into `build` what is in `src`. */
  readonly from?: ShellWord
}

export type Redirect = { readonly kind: 'write' | 'read'; readonly target: ShellWord }

/** What some commands print and others read. */
export type ShellStream = {
  /** False if the content can't be known. */
  readonly known: boolean
  /** The first prints, each of the others reads that and prints what it makes of it. */
  readonly from: readonly SimpleCommand[]
  /** All that may read from it. */
  readonly by: readonly SimpleCommand[]
}

export type ShellVariable = {
  readonly name: string
  readonly value: ShellWord | undefined
  /** It is given what is in there, word by word or line by line. */
  readonly stream?: ShellStream | undefined
}

export type SimpleCommand = {
  /** The words as they are written, without assignments and redirects. */
  readonly text: string
  readonly words: readonly ShellWord[]
  /** Where each word starts in `text`; -1 when it came out of a brace expansion. */
  readonly starts: readonly number[]
  readonly assignments: readonly ShellVariable[]
  readonly redirects: readonly Redirect[]
  /** Takes more words at run time: what `xargs` reads, or what `find` finds. */
  readonly more?: 'read' | 'found' | undefined
  /** Values that variables are given anywhere in the same text, for what a `$name` may turn into. */
  readonly values?: readonly ShellVariable[] | undefined
  /** What it reads, and has for itself, when that comes from other commands. */
  readonly input?: ShellStream | undefined
  /** A `cd` before everything else: the rest only happens where it led. */
  readonly leads?: boolean
  /** In a loop or a function: it may run any number of times. */
  readonly repeated?: boolean
}

export type ShellScript = {
  readonly text: string
  /** What bash is given: the same, printed from the tree that is judged. Undefined when that can't be done. */
  readonly printed: string | undefined
  /** Every simple command at every depth, in the order they are written. */
  readonly commands: readonly SimpleCommand[]
  /** Redirects of groups and loops; and what a glob outside of any command reads. */
  readonly redirects: readonly Redirect[]
  /** Why the text is not fully understood; empty when it is. */
  readonly problems: readonly string[]
  /** Holds characters a reader can't see. */
  readonly invisible: boolean
  /** Defines or evaluates something that changes what later words mean. */
  readonly stateful: boolean
  /** Uses a variable whose value may be a secret: by way of another one, or of a text, a program may print it. */
  readonly revealing: boolean
  /** Quoted text that looks like code stands where the shell evaluates text. */
  readonly hidden: boolean
}

/** The program a command runs, when that is known. In lower case, as some disks take it: what it could be is what counts here. */
export function programOf(words: readonly ShellWord[]): string | undefined {
  const first = words[0]
  if (!first || first.dynamic || first.glob || first.value === '') return undefined
  return first.value.slice(first.value.lastIndexOf('/') + 1).toLowerCase()
}

/** The same, or nothing. */
export function programNameOrEmpty(words: readonly ShellWord[]): string {
  return orEmpty(programOf(words))
}

/** What the word at that place is, or nothing. */
export function wordValueAt(words: readonly ShellWord[], at: number): string {
  return orEmpty(words[at]?.value)
}

export function orEmpty(text: string | undefined): string {
  return text ?? ''
}
