/** Variables of the environment by which an interpreter loads more code than the script it is given. */
import { knowledgeOf } from '../programs/program-table.js'

/** What people set for Node that loads nothing. */
const HARMLESS = /^\s*(?:--(?:max-[a-z-]+=\d+|no-warnings|no-deprecation|trace-warnings|enable-source-maps)(?:\s+|$))*$/

/** Whether such a variable is set for the program. Where it leads does not matter: a module of the project may be found by it. */
export function hasCodeLoadingVariable(program: string, variable: (name: string) => string | undefined): boolean {
  const names = knowledgeOf(program)?.obeys?.variables ?? []
  return names.some((name) => !HARMLESS.test(variable(name) ?? ''))
}
