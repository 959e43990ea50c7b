/** What becomes of one file of code. */
import { INEFFECTIVE_VARIABLES } from '../doctor/set-variables.js'
import {
  type CompatibilityTable,
  type MigrationVerdict,
  missingTypeVerdict,
  unsupportedSdkNames,
  verdictFor,
} from './compatibility-rows.js'
import {
  type FileMigration,
  lineNumberOf,
  type MigrationFinding,
  ORIGINAL_PACKAGE,
  OWN_PACKAGE,
  replacementForModule,
  type SourceChange,
} from './migration.js'
import { findModuleImports, type ModuleImport } from './module-imports.js'
import { findUsedSdkNames, type UsedName } from './used-names.js'

/**
 * Plans the changes to a JavaScript or TypeScript file. `aliased`: in this package the name of the original stands
 * for Kedge already.
 */
export function planScriptMigration(
  file: string,
  text: string,
  compatibility: CompatibilityTable,
  aliased: boolean,
): FileMigration {
  const { modules, tokens } = findModuleImports(text)
  const ours = modules.filter(
    ({ name }) =>
      replacementForModule(name) !== undefined || name === OWN_PACKAGE || name.startsWith(`${OWN_PACKAGE}/`),
  )
  const at = (start: number) => ({ file, line: lineNumberOf(text, start) })
  const plans = ours.map((module) => planModule(module, compatibility, aliased, at))
  const named = tokens.filter(
    ({ kind, start, end, text: inside }) =>
      kind === 'string' &&
      (inside ?? text.slice(start, end)).includes(ORIGINAL_PACKAGE) &&
      !modules.some((module) => module.start === start + 1 && replacementForModule(module.name) !== undefined),
  )
  const texts = named.map(({ start }): MigrationFinding => {
    const note = 'the name in a text: is it a module, a path, or something to read?'
    return { what: 'text', state: 'look', name: ORIGINAL_PACKAGE, note, ...at(start) }
  })
  const queries = new Set(['query', 'startup', ...ours.flatMap(({ names }) => names.flatMap(localQuery))])
  const used =
    ours.length === 0 ? [] : findUsedSdkNames(tokens, queries).flatMap((one) => judge(one, compatibility, at))
  return {
    findings: [...plans.flatMap(({ findings }) => findings), ...unique(used), ...texts],
    changes: plans.flatMap(({ changes }) => changes),
  }
}

function localQuery({ name, local }: ModuleImport['names'][number]): string[] {
  return local !== undefined && ['query', 'startup'].includes(name) ? [local] : []
}

type At = (start: number) => { file: string; line: number }

function planModule(module: ModuleImport, compatibility: CompatibilityTable, aliased: boolean, at: At): FileMigration {
  const { name, start, end } = module
  const imported = module.names.flatMap(({ name: one, start: place }): MigrationFinding[] => {
    const answer = verdictFor(compatibility, 'export', one)
    if (answer) return [{ what: 'export', name: one, ...answer, ...at(place) }]
    const missing = missingTypeVerdict(compatibility, one)
    return missing ? [{ what: 'type', name: one, ...missing, ...at(place) }] : []
  })
  const own = replacementForModule(name)
  if (!own) return { findings: imported, changes: [] }
  const here = { what: 'import' as const, name, ...at(start) }
  if ('missing' in own) {
    const note = `Kedge has no ${own.missing}: an import of it fails`
    return { findings: [{ ...here, state: 'unsupported', note }, ...imported], changes: [] }
  }
  if (aliased) {
    const note = 'package.json makes this name stand for Kedge'
    return { findings: [{ ...here, state: 'same', note }, ...imported], changes: [] }
  }
  const change: SourceChange = { start, end, text: own.name }
  return { findings: [{ ...here, state: 'change', note: `becomes ${own.name}` }, ...imported], changes: [change] }
}

function judge(
  { kind, name, start, certain }: UsedName,
  compatibility: CompatibilityTable,
  at: At,
): MigrationFinding[] {
  const found = (answer: MigrationVerdict): MigrationFinding[] => [{ what: kind, name, ...answer, ...at(start) }]
  if (kind === 'method') {
    if (!unsupportedSdkNames(compatibility, kind).includes(name)) return []
    const answer = verdictFor(compatibility, kind, name)
    return answer ? found({ ...answer, note: `if it is called on a query: ${answer.note}` }) : []
  }
  if (kind === 'variable') return environmentVariableVerdicts(name, compatibility).flatMap(found)
  const answer = verdictFor(compatibility, kind, name)
  if (answer) return certain || answer.state !== 'same' ? found(answer) : []
  if (!certain) return []
  return found({ state: 'unsupported', note: `Kedge knows no ${kind} of this name, and refuses it` })
}

/** Judges an environment variable, by the documented behavior of the Claude Agent SDK. */
export function environmentVariableVerdicts(name: string, compatibility: CompatibilityTable): MigrationVerdict[] {
  const answer = verdictFor(compatibility, 'variable', name)
  if (answer) return [answer]
  const without = INEFFECTIVE_VARIABLES.find((one) => one.name === name)
  if (!without) return []
  const link = 'docs/environment.md'
  if (without.harmless) return [{ state: 'same', note: `not needed: ${without.why}`, link }]
  return [{ state: 'differs', note: `without effect here: ${without.why}`, link }]
}

/** One of each in a file is enough. */
function unique(findings: readonly MigrationFinding[]): MigrationFinding[] {
  const keys = new Set<string>()
  return findings.filter(({ what, name }) => {
    const key = `${what} ${name}`
    return !keys.has(key) && keys.add(key)
  })
}
