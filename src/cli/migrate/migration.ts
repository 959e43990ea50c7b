/** What `kedge migrate` finds: the names of the original, what becomes of each, and what is to be changed in a file. */
import { VERSION } from '../../platform/version.js'

export const ORIGINAL_PACKAGE = '@anthropic-ai/claude-agent-sdk'
export const OWN_PACKAGE = 'kedge'

/**
 * `change`: another name is to be written. `same`: it stays as it is. `differs`: it works, not quite as before. `unsupported`:
 * it is not there. `look`: the name stands where only a person knows what is meant.
 */
export type MigrationFindingState = 'change' | 'same' | 'differs' | 'unsupported' | 'look'

export type MigrationFinding = {
  what:
    | 'import'
    | 'dependency'
    | 'export'
    | 'type'
    | 'option'
    | 'hook'
    | 'mode'
    | 'method'
    | 'variable'
    | 'setting'
    | 'session'
    | 'file'
    | 'text'
    | 'command'
  state: MigrationFindingState
  name: string
  note: string
  /** A page of the docs, with its heading. */
  link?: string
  /** From the folder that was asked about. */
  file?: string
  line?: number
}

/** In characters of the file. */
export type SourceChange = { start: number; end: number; text: string }

export type FileMigration = { findings: MigrationFinding[]; changes: SourceChange[] }

/** Files of the package that programs reach by their names, and that ours has, too. */
const FILES = new Set(['sdk-tools', 'sdk-tools.js', 'sdk-tools.d.ts', 'sdk.mjs', 'cli.js', 'package.json'])

/** How the module is to be called; undefined: it is another one. */
export function replacementForModule(specifier: string): { name: string } | { missing: string } | undefined {
  const [, scheme = '', version = '', file] =
    /^(npm:)?@anthropic-ai\/claude-agent-sdk(@[^/]+)?(?:\/(.*))?$/.exec(specifier) ?? []
  if (!specifier.startsWith(`${scheme}${ORIGINAL_PACKAGE}${version}`) || (version !== '' && scheme === ''))
    return undefined
  const name = scheme === '' ? OWN_PACKAGE : `npm:${OWN_PACKAGE}@^${VERSION}`
  if (file === undefined) return { name }
  return FILES.has(file) ? { name: `${name}/${file}` } : { missing: file }
}

export function applySourceChanges(text: string, changes: readonly SourceChange[]): string {
  return [...changes]
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, text: now }) => all.slice(0, start) + now + all.slice(end), text)
}

/** Counts from 1. */
export function lineNumberOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
