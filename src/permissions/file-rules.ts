/** Read and Edit rules against places: deny and ask need one spelling to match, allow needs both. */
import type { PermissionBehavior } from '../protocol/permission-types.js'
import { listToolNamesWhere } from '../protocol/tool-names.js'
import {
  compileFilePattern,
  createFilePattern,
  type FilePattern,
  fixedPathOfPattern,
  matchesFile,
  mayMatchInside,
  rebaseFilePattern,
} from './file-pattern.js'
import { foldNameCase } from './fold-name-case.js'
import type { PathFinder, PathLocation } from './path-finder.js'
import type { RuleSet, RuleWithContent } from './rule-set.js'

export type FileAction = 'read' | 'edit'

/** A view of the rules at one moment; made new for every decision. */
export type FileRules = {
  /** `folder`: everything in the location is touched, so a rule on its content matches too. */
  find(
    behavior: PermissionBehavior,
    action: FileAction,
    place: PathLocation,
    folder?: boolean,
  ): RuleWithContent | undefined
  /** A deny or ask rule that something inside the folder could match; of its patterns only those that `matter` count. */
  findInside(
    behavior: 'deny' | 'ask',
    action: FileAction,
    place: PathLocation,
    matters?: (pattern: FilePattern) => boolean,
  ): RuleWithContent | undefined
  /** Any rule that forbids or asks about files. */
  readonly restricted: RuleWithContent | undefined
  /** Denied files, for code that keeps programs away from them by other means. */
  denied(action: FileAction): { pattern: FilePattern; text: string }[]
}

const READERS = listToolNamesWhere(({ files }) => files === 'read' || files === 'search')
const EDITORS = listToolNamesWhere(({ files }) => files === 'edit')

type Compiled = { rule: RuleWithContent; patterns: readonly FilePattern[] }

/** `foldCase`: the disk takes two spellings that differ in case or Unicode form for one file. */
export async function createFileRules(
  rules: RuleSet,
  { cwd, home, foldCase }: { cwd: string; home: string; foldCase: boolean },
  finder: PathFinder,
): Promise<FileRules> {
  const fold = foldCase ? foldNameCase : (text: string) => text
  const compile = async (behavior: PermissionBehavior, action: FileAction): Promise<Compiled[]> =>
    Promise.all(
      scopedRules(rules, behavior, action).map(async (rule) => ({
        rule,
        patterns: (await patternsOf(rule, { cwd, home }, finder)).map(({ base, segments, deep }) =>
          createFilePattern(fold(base), segments.map(fold), deep),
        ),
      })),
    )
  const compiled = {
    'deny read': await compile('deny', 'read'),
    'deny edit': await compile('deny', 'edit'),
    'ask read': await compile('ask', 'read'),
    'ask edit': await compile('ask', 'edit'),
    'allow read': await compile('allow', 'read'),
    'allow edit': await compile('allow', 'edit'),
  }
  return {
    find(behavior, action, place, folder = false) {
      const rules = compiled[`${behavior} ${action}`]
      if (rules.length === 0 || (behavior === 'allow' && place.real === undefined)) return undefined
      const paths = (behavior === 'allow' ? ends(place) : spellings(place)).map(fold)
      const found = rules.find(({ patterns }) => {
        const matches = (path: string) => patterns.some((pattern) => matchesPlace(pattern, path, folder))
        return behavior === 'allow' ? paths.every(matches) : paths.some(matches)
      })
      return found?.rule
    },
    findInside(behavior, action, place, matters = () => true) {
      const paths = spellings(place).map(fold)
      const found = compiled[`${behavior} ${action}`].find(({ patterns }) =>
        patterns.some((pattern) => paths.some((path) => mayMatchInside(pattern, path)) && matters(pattern)),
      )
      return found?.rule
    },
    get restricted() {
      return [...compiled['deny edit'], ...compiled['ask edit'], ...compiled['ask read']][0]?.rule
    },
    denied: (action) =>
      compiled[`deny ${action}`].flatMap(({ rule: { text }, patterns }) =>
        patterns.map((pattern) => ({ pattern, text })),
      ),
  }
}

function matchesPlace(pattern: FilePattern, path: string, folder: boolean): boolean {
  return matchesFile(pattern, path) || (folder && matchesFile(pattern, `${path}/\u0001`))
}

/** What the place is called, and where it leads. */
function ends({ lexical, real }: PathLocation): string[] {
  return real === undefined || real === lexical ? [lexical] : [lexical, real]
}

/** Everything it is called on the way. */
function spellings(place: PathLocation): string[] {
  return place.via ? [...ends(place), ...place.via] : ends(place)
}

/**
 * The pattern as it is written, and as it is when links on its own way are followed. To forbid, all of its firm part is
 * followed. To allow, only the folder it starts from: a link inside may have been put there to lead elsewhere.
 */
async function patternsOf(
  { content, root, behavior }: RuleWithContent,
  where: { cwd: string; home: string },
  finder: PathFinder,
): Promise<FilePattern[]> {
  const forbids = behavior !== 'allow'
  const written = compileFilePattern(content, where, root, forbids)
  const { lexical, real } = await finder.place(forbids ? fixedPathOfPattern(written) : written.base)
  if (real === undefined || real === lexical) return [written]
  return [written, forbids ? rebaseFilePattern(real, written) : createFilePattern(real, written.segments, written.deep)]
}

/**
 * Only `Read(…)` and `Edit(…)` approve, and who may edit a file may read it. To forbid, the name of any file tool will do, and
 * what may not be read may not be written.
 */
function scopedRules(rules: RuleSet, behavior: PermissionBehavior, action: FileAction): RuleWithContent[] {
  if (behavior === 'allow') return rules.scoped('allow', action === 'read' ? ['Read', 'Edit'] : ['Edit'])
  if (action === 'read') return rules.scoped(behavior, READERS)
  return rules.scoped(behavior, behavior === 'deny' ? [...EDITORS, ...READERS] : EDITORS)
}
