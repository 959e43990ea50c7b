/** Read and Edit rules against places: deny and ask need one spelling to match, allow needs both. */
import type { PermissionBehavior } from '../protocol/permissions.js'
import { compileFilePattern, type FilePattern, matchesFile, mayMatchInside } from './file-pattern.js'
import type { Place } from './paths.js'
import type { RuleSet, ScopedRule } from './rule-set.js'

export type FileAction = 'read' | 'edit'

const READERS = ['Read', 'Glob', 'Grep', 'LS']
const EDITORS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

type Compiled = { rule: ScopedRule; pattern: FilePattern }

/** A view of the rules at one moment; made new for every decision. */
export class FileRules {
  readonly #rules: RuleSet
  readonly #where: Parameters<typeof compileFilePattern>[1]
  readonly #fold: (text: string) => string
  readonly #compiled = new Map<string, Compiled[]>()

  /** `foldCase`: the disk takes two spellings that differ in case or Unicode form for one file. */
  constructor(rules: RuleSet, { cwd, home, foldCase }: { cwd: string; home: string; foldCase: boolean }) {
    this.#rules = rules
    this.#fold = foldCase ? (text) => text.normalize('NFC').toLowerCase() : (text) => text
    this.#where = { cwd, home, fold: this.#fold }
  }

  /** `folder`: everything in the place is touched, so a rule on what it holds matches too. */
  find(behavior: PermissionBehavior, action: FileAction, place: Place, folder = false): ScopedRule | undefined {
    const lexical = this.#fold(place.lexical)
    const real = place.real === undefined ? undefined : this.#fold(place.real)
    return this.#patterns(behavior, action).find(({ pattern }) => {
      const matches = (path: string) => matchesFile(pattern, path) || (folder && matchesFile(pattern, `${path}/\u0001`))
      if (behavior === 'allow') return real !== undefined && matches(lexical) && matches(real)
      return matches(lexical) || (real !== undefined && real !== lexical && matches(real))
    })?.rule
  }

  /** A deny or ask rule that something inside the folder could match. */
  findInside(behavior: 'deny' | 'ask', action: FileAction, place: Place): ScopedRule | undefined {
    const paths = [place.lexical, place.real ?? place.lexical].map(this.#fold)
    return this.#patterns(behavior, action).find(({ pattern }) => paths.some((path) => mayMatchInside(pattern, path)))
      ?.rule
  }

  /** Any rule that forbids or asks about files. */
  get restricted(): ScopedRule | undefined {
    const all = [...this.#patterns('deny', 'edit'), ...this.#patterns('ask', 'edit'), ...this.#patterns('ask', 'read')]
    return all[0]?.rule
  }

  #patterns(behavior: PermissionBehavior, action: FileAction): Compiled[] {
    const key = `${behavior} ${action}`
    const known = this.#compiled.get(key)
    if (known) return known
    const made = this.#scoped(behavior, action).map((rule) => ({
      rule,
      pattern: compileFilePattern(rule.content, this.#where, rule.root, behavior !== 'allow'),
    }))
    this.#compiled.set(key, made)
    return made
  }

  /** Only `Read(…)` and `Edit(…)` approve; to forbid, the name of any file tool will do, and what may not be read may not be written. */
  #scoped(behavior: PermissionBehavior, action: FileAction): ScopedRule[] {
    if (behavior === 'allow') return this.#rules.scoped('allow', [action === 'read' ? 'Read' : 'Edit'])
    if (action === 'read') return this.#rules.scoped(behavior, READERS)
    return this.#rules.scoped(behavior, behavior === 'deny' ? [...EDITORS, ...READERS] : EDITORS)
  }
}
