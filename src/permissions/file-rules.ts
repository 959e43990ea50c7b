/** Read and Edit rules against places: deny and ask need one spelling to match, allow needs both. */
import type { PermissionBehavior } from '../protocol/permissions.js'
import { compileFilePattern, type FilePattern, matchesFile, mayMatchInside } from './file-pattern.js'
import type { Place } from './paths.js'
import type { RuleSet, ScopedRule } from './rule-set.js'

export type FileAction = 'read' | 'edit'

const READERS = ['Read', 'Glob', 'Grep', 'LS']
const EDITORS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

export class FileRules {
  readonly #rules: RuleSet
  readonly #where: { cwd: string; home: string }
  readonly #fold: (text: string) => string
  readonly #compiled = new Map<Rule, FilePattern>()

  /** `foldCase`: the disk takes two spellings that differ in case or Unicode form for one file. */
  constructor(rules: RuleSet, where: { cwd: string; home: string; foldCase: boolean }) {
    this.#rules = rules
    this.#where = where
    this.#fold = where.foldCase ? (text) => text.normalize('NFC').toLowerCase() : (text) => text
  }

  /** `folder`: everything in the place is touched, so a rule on what it holds matches too. */
  find(behavior: PermissionBehavior, action: FileAction, place: Place, folder = false): ScopedRule | undefined {
    const { lexical, real } = place
    return this.#scoped(behavior, action).find((rule) => {
      const pattern = this.#compile(rule)
      const matches = (path: string) =>
        matchesFile(pattern, path, this.#fold) || (folder && matchesFile(pattern, `${path}/\u0001`, this.#fold))
      if (behavior === 'allow') return real !== undefined && matches(lexical) && matches(real)
      return matches(lexical) || (real !== undefined && matches(real))
    })
  }

  /** A deny or ask rule that something inside the folder could match. */
  findInside(behavior: 'deny' | 'ask', action: FileAction, place: Place): ScopedRule | undefined {
    return this.#scoped(behavior, action).find((rule) => {
      const pattern = this.#compile(rule)
      return [place.lexical, place.real].some((path) => path !== undefined && mayMatchInside(pattern, path, this.#fold))
    })
  }

  /** Is there any rule that forbids or asks about files? */
  get restricted(): ScopedRule | undefined {
    return this.#scoped('deny', 'edit')[0] ?? this.#scoped('ask', 'edit')[0]
  }

  /** Only `Read(…)` and `Edit(…)` approve; to forbid, the name of any file tool will do, and what may not be read may not be written. */
  #scoped(behavior: PermissionBehavior, action: FileAction): ScopedRule[] {
    if (behavior === 'allow') return this.#rules.scoped('allow', [action === 'read' ? 'Read' : 'Edit'])
    const readers = behavior === 'deny' || action === 'read' ? READERS : []
    return this.#rules.scoped(behavior, action === 'read' ? READERS : [...EDITORS, ...readers])
  }

  #compile(rule: ScopedRule): FilePattern {
    return compileFilePattern(rule.content, { ...this.#where, root: rule.root }, rule.behavior !== 'allow')
  }
}
