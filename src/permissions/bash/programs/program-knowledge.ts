/**
 * What the judge can know about one program: each field answers one of its questions. A program's answers are in one file, in
 * the folder of its family beside this one; `program-table.ts` collects them all.
 */
import type { ShellWord } from '../syntax/syntax.js'
import type { OptionDanger, OptionNames } from './option-words.js'
import type { PipedNames } from './piped-names.js'

type Words = readonly ShellWord[]

/** Knowledge by the name that a program is started with, in lowercase and without a path. */
export type KnownPrograms = Readonly<Record<string, ProgramKnowledge>>

export type ProgramKnowledge = {
  /** The forms that only look. If this is missing, no form does. */
  readonly looks?: ReadOnlyForms
  /** The files it reads and writes. If this is missing, any word might name a file, and what happens to the file is unknown. */
  readonly files?: FileUseFinder
  /** What it can do beyond what its name suggests. If this is missing, a rule with a wildcard covers every option. */
  readonly risks?: ProgramRisks
  /** The programs it starts because its words name them. */
  readonly runs?: ChildProgramKnowledge
  /** Files, variables, and folders that change what it does. */
  readonly obeys?: ProgramOutsideInfluences
  /** The forms that acceptEdits covers. */
  readonly edits?: AcceptEditsForms
  /** File names that it prints. */
  readonly prints?: PrintedNamesKnowledge
  /** What it deletes. */
  readonly removes?: (words: Words) => Removal | undefined
  /** It copies or moves what it is given, including whole folders. */
  readonly carries?: 'copy' | 'move'
  /** What it can create in a folder: only files that its words name, or nothing. If this is missing, it can create any file. */
  readonly makes?: 'named' | 'nothing'
  /** It never reads standard input. */
  readonly ignoresInput?: true
  /** Whether it might wait while others change files. If this is missing, every form that does more than look might. */
  readonly waits?: 'always' | 'never' | ((words: Words) => boolean)
  /** The command line without options that stand before the verb, for rules about the verb; undefined if it has none. */
  readonly verbWords?: (words: Words) => Words | undefined
}

export type ReadOnlyForms = {
  /** The options with which it only looks. */
  readonly reader?: ReaderProgram
  /** The files that a command line of another form reads; undefined if it may do more. */
  readonly form?: (words: Words) => Words | undefined
  /** Whether these arguments ask for facts that are no secret. Such a program has no other form that only looks. */
  readonly facts?: (values: readonly string[]) => boolean
  /** Whether it shows only names, and only those directly in the folders it is given. */
  readonly onlyNames?: (words: Words) => boolean
  /** It follows links in folders that it compares. */
  readonly comparesFolders?: true
  /** What it looks at depends on the folder it runs in, so it is never proven for names that another command finds. */
  readonly alone?: true
  /** Matches its arguments, joined by spaces, if it only prints its version. */
  readonly version?: RegExp
}

/** A program that only reads, with the options that keep it so. */
export type ReaderProgram = {
  /** Every option that is harmless, as `readOperands` takes them. Any other option asks. */
  readonly options: string
  /** What its operands are: files, a pattern and then files, an input and an output file, or nothing that is a file. */
  readonly operands: 'files' | 'pattern' | 'output' | 'text' | 'none'
  /** One of its options writes or runs, so that a glob which finds a file of that name is not harmless. */
  readonly strict?: boolean
  /** Without operands, it looks at the folder it runs in. */
  readonly around?: true
  /** It reads whole folders: always, or with these options. */
  readonly descends?: OptionNames | 'always'
  /** Options with which it reads whole folders and follows the links in them. */
  readonly follows?: OptionNames
  /** Whether an operand is text of a harmless form. Without this, a program whose operands are `none` takes none. */
  readonly operandForm?: (word: ShellWord) => boolean
}

/** Returns undefined if the files of this command line are unknown. */
export type FileUseFinder = (words: Words) => FileUse | undefined

export type FileUse = {
  reads: Words
  writes: Words
  /** False: the program is not known to work on files; `reads` are just words that may name some. */
  known: boolean
  /** What is read are whole folders with all they hold. */
  recursive: boolean
  /** Links in those folders are followed, wherever they lead. */
  follows?: boolean
}

export type ProgramRisks = {
  /** It exists to run what it is given, or what is typed into it. */
  readonly runsAnything?: true
  /** Options that run or write something else. */
  readonly options?: RiskyOptions
  /** Finds dangers that single options don't show. `byRule`: the words that the rule for this command begins with. */
  readonly danger?: (words: Words, byRule: readonly string[]) => OptionDanger | undefined
  /** Its arguments contain a script in its own language, which can run programs. */
  readonly hasScript?: true
  /** Whether it might write files that its words do not name: those in an archive, a patch, or a copied tree. */
  readonly unpacks?: (words: Words) => boolean
}

/** Short options as `-ab`, long ones by name. */
export type RiskyOptions = {
  readonly runs?: string
  readonly writes?: string
  /** Prefixes of options that run something: long options with one dash, for example. */
  readonly named?: string
  /** It takes any number of dashes: `-script-shell` means `--script-shell`. */
  readonly anyDashes?: true
  /** The first argument can be a cluster of options without a dash. */
  readonly bareFirst?: true
}

/** How to find the program among the arguments of a wrapper. */
export type WrapperShape = {
  /** Short options that take the next word as their value. */
  readonly values?: string
  /** Short options without a value. */
  readonly flags?: string
  /** Long options that take the next word when they have no `=`. */
  readonly longs?: readonly string[]
  /** Words before the program, such as the duration of timeout. */
  readonly operands?: number
  /** `NAME=value` words may stand before the program. */
  readonly assignments?: boolean
}

export type ChildProgramKnowledge = {
  /** Looked through by allow rules, the read-only set and accepted edits too, as documented. */
  readonly transparent?: WrapperShape
  /** The same, for a wrapper with only one such form: the number of words before the program, or undefined in any other form. */
  readonly prefix?: (words: Words) => number | undefined
  /** Looked through by deny and ask rules only. */
  readonly opaque?: WrapperShape
  /** Any of its words might be the program. `named`: an allow rule for it also covers what it runs. */
  readonly anyWord?: 'opaque' | 'named'
  /** The verbs after which a program stands. */
  readonly verbs?: readonly string[]
  /** Whether this form of a wrapper starts nothing. */
  readonly not?: (words: Words) => boolean
  /** Its words never name a program to run. */
  readonly nothing?: true
  /** Options behind which a command line stands, up to a `;` or `+`. */
  readonly behind?: RegExp
  /** The programs behind these options are judged one by one, so the options alone are no reason to ask. */
  readonly followed?: true
  /** What it appends to the words of the program it starts: words that it reads, or files that it finds. */
  readonly adds?: 'read' | 'found'
  /** The commands that it starts with file names; undefined if an option is unknown. */
  readonly onNames?: (words: Words) => CommandsOnPipedNames | undefined
  /** Some of its words give values to variables. */
  readonly assigns?: true
  /** Texts among its arguments that a shell runs. */
  readonly texts?: (words: Words) => ScriptText[]
  /** `shell`: it is a shell. `source`: it runs a file in the current shell. */
  readonly language?: 'shell' | 'source'
  /** Whether it runs its standard input. */
  readonly input?: (words: Words) => boolean
  /** The placeholder for what it reads, in the command it starts; undefined if there is none. */
  readonly mark?: (words: Words) => string | undefined
}

/** A shell script. Undefined if part of it is only known at run time, or if it is in a file; its known part is a text of its own. */
export type ScriptText = string | undefined

/** `names`: the files that it finds. Without this, it reads the names from its input. */
export type CommandsOnPipedNames = {
  readonly commands: readonly Words[]
  readonly exact: boolean
  readonly names?: PipedNames
}

export type ProgramOutsideInfluences = {
  /** Files of a project that it obeys before it does anything else. */
  readonly files?: ProgramConfigFiles
  /** Environment variables that make it load other code. */
  readonly variables?: readonly string[]
  /** Programs that it starts on its own on some systems. */
  readonly programs?: readonly string[]
  /** Options that make it run in another folder. */
  readonly enters?: RegExp
}

export type ProgramConfigFiles = {
  readonly files: readonly string[]
  /** The files in the user's home, and above it, are the user's. */
  readonly untilHome?: true
  /** The files are protected, so no other command of the line can write them. */
  readonly areProtected?: true
  /** It prints its version before it reads them. */
  readonly notForVersion?: true
}

export type AcceptEditsForms =
  | { readonly options: string; readonly strict?: true }
  /** Whether the command line does nothing but change the files it names. */
  | ((words: Words) => boolean)

export type PrintedNamesKnowledge = {
  /** Returns undefined if its output is unknown. */
  readonly names?: (words: Words) => PipedNames | undefined
  /** With these options, it prints a selection of the lines it reads, unchanged. `pattern`: the first operand is a pattern. */
  readonly filter?: { readonly options: string; readonly pattern?: true }
}

export type Removal = {
  readonly targets: Words
  readonly recursive: boolean
  /** It deletes only some of the files in them, selected by tests. */
  readonly selective?: boolean
  /** The targets are the folders that it searches. */
  readonly searches?: true
}
