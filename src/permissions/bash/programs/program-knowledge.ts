/**
 * What the judge can know about one program: the fields are the questions it asks. The answers for a program stand in one file
 * of a folder beside this one; `program-table.ts` puts them together.
 */
import type { ShellWord } from '../syntax/syntax.js'
import type { Danger, OptionNames } from './option-words.js'
import type { PipedNames } from './piped-names.js'

type Words = readonly ShellWord[]

/** By the name a program is started with: a file has all the names of its program. */
export type KnownPrograms = Readonly<Record<string, ProgramKnowledge>>

export type ProgramKnowledge = {
  /** The forms that only look. Without this, none does. */
  readonly looks?: LookingForms
  /** The files it reads and writes. Without this, any word may name a file, and what happens to it is unknown. */
  readonly files?: FileUser
  /** What it can do beyond what its name says. */
  readonly risks?: ProgramRisks
  /** The programs it starts because its words say so. */
  readonly runs?: StartsPrograms
  /** What decides about it besides its words. */
  readonly obeys?: ProgramSurroundings
  /** The forms that acceptEdits covers: options as `readOperands` takes them. */
  readonly edits?: AcceptedForms
  /** File names that it prints. */
  readonly prints?: PrintedNames
  /** What it deletes. */
  readonly removes?: (words: Words) => Removal | undefined
  /** It puts all it is given somewhere else, whole folders too. */
  readonly carries?: 'copy' | 'move'
  /** What it can put into a folder: files that its words name, or nothing. Without this, anything. */
  readonly makes?: 'named' | 'nothing'
  /** It reads nothing from the commands before it in a pipe. */
  readonly ignoresInput?: true
  /** Whether other commands can do something before it ends. Without this, a program that does not only look may wait. */
  readonly waits?: 'always' | 'never' | ((words: Words) => boolean)
  /** The command line without options that stand before the verb, for rules about the verb; undefined if it has none. */
  readonly verbWords?: (words: Words) => Words | undefined
}

export type LookingForms = {
  /** It only looks with these options. */
  readonly reader?: ReaderProgram
  /** The files that a command line of another form reads; undefined if it may do more. */
  readonly form?: (words: Words) => Words | undefined
  /** Whether words, all of them known, ask for facts that hold no secret. It has no other form that only looks. */
  readonly facts?: (values: readonly string[]) => boolean
  /** Whether it shows only the names that are right in the folders it is given. */
  readonly onlyNames?: (words: Words) => boolean
  /** It follows links in folders that it compares. */
  readonly comparesFolders?: true
  /** What it would look at depends on where it stands, so that it is known only for a command by itself. */
  readonly alone?: true
  /** What its arguments, with a blank in between, are when it prints its version and ends. */
  readonly version?: RegExp
}

export type ReaderProgram = {
  /** As `readOperands` takes them: every option that keeps it so. An option that is not here makes it ask. */
  readonly options: string
  /** What its operands are: files, a pattern and then files, an input and an output, or nothing that is a file. */
  readonly operands: 'files' | 'pattern' | 'output' | 'text' | 'none'
  /** One of its options writes or runs, so that a glob which finds a file of that name is not harmless. */
  readonly strict?: boolean
  /** Without operands it looks at the folder it stands in. */
  readonly around?: true
  /** It goes through folders: always, or with these options. */
  readonly descends?: OptionNames | 'always'
  /** Options with which it goes through folders and follows the links it meets there. */
  readonly follows?: OptionNames
  /** Operands that are text of a certain form, and no others. */
  readonly operandForm?: (word: ShellWord) => boolean
}

/** Undefined if this command line is like that of a program nothing is known about. */
export type FileUser = (words: Words) => FileUse | undefined

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
  /** All it is for is to run what it is given, or what is typed into it. */
  readonly runsAnything?: true
  /** Options that run or write something else. */
  readonly options?: RiskyOptions
  /** The same for what is not told by single options. `byRule`: the words that a rule for it begins with. */
  readonly danger?: (words: Words, byRule: readonly string[]) => Danger | undefined
  /** Its words hold a program in its own language, which can run others. */
  readonly hasScript?: true
  /** Whether it might write files that its words do not name: what is in an archive, a patch or a copied tree. */
  readonly unpacks?: (words: Words) => boolean
}

/** Short options as `-ab`, long ones by name. */
export type RiskyOptions = {
  readonly runs?: string
  readonly writes?: string
  /** Long options with one dash, and options that are known by how they begin. */
  readonly named?: string
  /** Takes any number of dashes for two: `-script-shell` is `--script-shell`. */
  readonly anyDashes?: true
  /** The first word may be options without a dash. */
  readonly bareFirst?: true
}

/** Where the program stands among the words of a wrapper. */
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

export type StartsPrograms = {
  /** Looked through by allow rules, the read-only set and accepted edits too, as documented. */
  readonly transparent?: WrapperShape
  /** How many words it takes before the program in the one form that these look through. */
  readonly prefix?: (words: Words) => number | undefined
  /** Looked through by deny and ask rules only. */
  readonly opaque?: WrapperShape
  /** Any of its words may be the program. `named`: known as a program, so that a rule for it is a rule for what it runs. */
  readonly anyWord?: 'opaque' | 'named'
  /** The verbs after which a program stands. */
  readonly verbs?: readonly string[]
  /** Whether it starts nothing in this form, though it is a wrapper. */
  readonly not?: (words: Words) => boolean
  /** Its words are no programs, whatever they are called. */
  readonly nothing?: true
  /** Options behind which a command line stands, up to a `;` or `+`. */
  readonly behind?: RegExp
  /** The programs behind these options are judged one by one, so that the options are no reason to ask. */
  readonly followed?: true
  /** What it adds to the words of the program it starts: what it reads, or what it finds. */
  readonly adds?: 'read' | 'found'
  /** The commands that it starts on file names; undefined if its options are not known. */
  readonly onNames?: (words: Words) => RunsOnNames | undefined
  /** Some of its words give values to variables. */
  readonly assigns?: true
  /** Texts among its words that some shell will run. */
  readonly texts?: (words: Words) => ScriptText[]
  /** It runs texts or files as a shell does, or in the shell itself. */
  readonly language?: 'shell' | 'source'
  /** Whether it runs what it reads. */
  readonly input?: (words: Words) => boolean
  /** The word that stands for what it reads, in the command it starts. */
  readonly mark?: (words: Words) => string | undefined
}

/** Undefined stands for a text that is only known at run time, or for a file; what is written of it is read all the same. */
export type ScriptText = string | undefined

/** `names`: what it finds itself; without that, it takes names from its input. */
export type RunsOnNames = { readonly commands: readonly Words[]; readonly exact: boolean; readonly names?: PipedNames }

export type ProgramSurroundings = {
  /** Files of a project that tell it what to do before it does anything else. */
  readonly files?: OrderFiles
  /** Variables of the environment by which it loads more code than the script it is given. */
  readonly variables?: readonly string[]
  /** Programs that it starts by name, on some systems. */
  readonly programs?: readonly string[]
  /** Options that make it work in another folder. */
  readonly enters?: RegExp
}

export type OrderFiles = {
  readonly files: readonly string[]
  /** The files in the user's home, and above it, are the user's. */
  readonly untilHome?: true
  /** Such a file is protected, so that no other command writes it meanwhile. */
  readonly areProtected?: true
  /** It prints its version before it reads them. */
  readonly notForVersion?: true
}

export type AcceptedForms =
  | { readonly options: string; readonly strict?: true }
  /** Whether the command line does nothing but change the files it names. */
  | ((words: Words) => boolean)

export type PrintedNames = {
  /** Undefined if it is not known what it prints. */
  readonly names?: (words: Words) => PipedNames | undefined
  /** With these options it prints some of the lines it reads, in another order perhaps, and changes none. */
  readonly filter?: { readonly options: string; readonly pattern?: true }
}

export type Removal = {
  readonly targets: Words
  readonly recursive: boolean
  /** It deletes only some of what is in them, by tests. */
  readonly selective?: boolean
  /** The targets are where it starts to look. */
  readonly searches?: true
}
