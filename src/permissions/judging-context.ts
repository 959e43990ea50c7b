/** What a call is judged against: the rules, mode and folders of the session at the moment of the call. */
import type { PermissionMode } from '../protocol/permission-types.js'
import type { PlantedProgramFinder } from './bash/planted-programs.js'
import type { ParseScript } from './bash/syntax/parse-command.js'
import type { PathFinderFiles } from './path-finder.js'
import type { RuleSet } from './rule-set.js'
import type { SandboxState } from './sandbox-use.js'

/** What is known about command lines, with its parser ready. */
export type ShellJudge = Pick<typeof import('./shell.js'), 'judgeCommand' | 'isReadOnlyScript'> & { parse: ParseScript }

/** The session as it is at the moment of the call. */
export type JudgingContext = {
  rules: RuleSet
  mode: PermissionMode
  cwd: string
  home: string
  directories: readonly string[]
  /** Beside them, for reading only. */
  readable: readonly string[]
  planFile: string | undefined
  files: PathFinderFiles
  /** Where commands look for programs. */
  searchPath: PlantedProgramFinder
  shell(): Promise<ShellJudge>
  servers: readonly string[] | undefined
  foldCase: boolean
  trusted: boolean
  searchSkipsDenied: boolean
  sandbox: (() => SandboxState | undefined | Promise<SandboxState | undefined>) | undefined
}
