/** What becomes of package.json, and of the configuration of TypeScript. */
import { type JsonMember, type JsonNode, type JsonObjectNode, scanJson } from '../../settings/json-tree.js'
import {
  type FileMigration,
  lineNumberOf,
  type MigrationFinding,
  ORIGINAL_PACKAGE,
  OWN_PACKAGE,
  replacementForModule,
  type SourceChange,
} from './migration.js'

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** The name of the original stands for Kedge: `npm:kedge@…`, or the folder of a clone. */
export function hasKedgeAlias(text: string): boolean {
  return dependencies(text).some(({ member: { key, value } }) => {
    const version = value.kind === 'scalar' ? String(value.value) : ''
    return key === ORIGINAL_PACKAGE && /^npm:kedge@|^(?:file|link|portal):.*\bkedge\/?$/.test(version)
  })
}

/** `kedgeDependencyVersion`: what stands behind the name of Kedge in a list of dependencies. */
export function planPackageJsonMigration(file: string, text: string, ownVersion: string): FileMigration {
  const at = (start: number) => ({ file, line: lineNumberOf(text, start) })
  const aliased = hasKedgeAlias(text)
  const own = dependencies(text).filter(({ member }) => member.key === ORIGINAL_PACKAGE)
  const plans = own.map(({ section, member }): FileMigration => {
    const here = { what: 'dependency' as const, name: ORIGINAL_PACKAGE, ...at(member.start) }
    if (aliased) return { findings: [{ ...here, state: 'same', note: 'stands for Kedge' }], changes: [] }
    const change = changeMember(section, member, ownVersion)
    const note =
      change.text === ''
        ? `removed: ${OWN_PACKAGE} is already a dependency`
        : `becomes ${OWN_PACKAGE}; run your package manager afterwards`
    return { findings: [{ ...here, state: 'change', note }], changes: [change] }
  })
  const done = new Set(own.flatMap(({ member }) => [member.start]))
  const root = scanJson(text).root
  const texts = textsIn(root).filter(({ start, value }) => value.includes(ORIGINAL_PACKAGE) && !done.has(start))
  const scripts = root?.kind === 'object' ? objectAt(root, 'scripts') : undefined
  const commands = (scripts?.members ?? []).filter(
    ({ value }) => value.kind === 'scalar' && /(?:^|[\s;&|(])claude(?=\s|$)/.test(String(value.value)),
  )
  return {
    findings: [
      ...plans.flatMap(({ findings }) => findings),
      ...texts.map(({ start }) => look(at(start))),
      ...commands.map(({ key, start }): MigrationFinding => {
        const note = 'runs the command of the original; ours is kedge, with the same flags'
        return {
          what: 'command',
          state: 'look',
          name: key,
          note,
          link: 'docs/compatibility-command.md#flags',
          ...at(start),
        }
      }),
    ],
    changes: plans.flatMap(({ changes }) => changes),
  }
}

/** Plans the changes to a TypeScript configuration: `paths` and `types` of a tsconfig.json. */
export function planTsconfigMigration(file: string, text: string, aliased: boolean): FileMigration {
  const { root } = scanJson(text)
  const options = root?.kind === 'object' ? objectAt(root, 'compilerOptions') : undefined
  const paths = options && objectAt(options, 'paths')
  const types = options?.members.find(({ key }) => key === 'types')?.value
  const named = [
    ...(paths?.members ?? []).map(({ key, start }) => ({ value: key, start })),
    ...(types?.kind === 'array' ? types.items.flatMap(scalarText) : []),
  ]
  const planned: FileMigration = { findings: [], changes: [] }
  const done = new Set<number>()
  for (const { value, start } of named) {
    const own =
      replacementForModule(value) ?? (value === `${ORIGINAL_PACKAGE}/*` ? { name: `${OWN_PACKAGE}/*` } : undefined)
    if (!own || 'missing' in own || aliased) continue
    done.add(start)
    const here = { file, line: lineNumberOf(text, start) }
    planned.findings.push({ what: 'import', state: 'change', name: value, note: `becomes ${own.name}`, ...here })
    planned.changes.push({ start: start + 1, end: start + 1 + value.length, text: own.name })
  }
  for (const { value, start } of aliased ? [] : textsIn(root)) {
    if (value.includes(ORIGINAL_PACKAGE) && !done.has(start))
      planned.findings.push(look({ file, line: lineNumberOf(text, start) }))
  }
  return planned
}

function look(at: { file: string; line: number }): MigrationFinding {
  return { what: 'text', state: 'look', name: ORIGINAL_PACKAGE, note: 'the name in a place that is not changed', ...at }
}

/** Another name in its place, or nothing where ours is there already. */
function changeMember(section: JsonObjectNode, member: JsonMember, ownVersion: string): SourceChange {
  const { members } = section
  const index = members.indexOf(member)
  const end = member.value.end
  if (!members.some(({ key }) => key === OWN_PACKAGE))
    return { start: member.start, end, text: `"${OWN_PACKAGE}": ${JSON.stringify(ownVersion)}` }
  const before = members[index - 1]
  const after = members[index + 1]
  if (before) return { start: before.value.end, end, text: '' }
  return { start: member.start, end: after?.start ?? end, text: '' }
}

function dependencies(text: string): { section: JsonObjectNode; member: JsonMember }[] {
  const { root } = scanJson(text)
  if (root?.kind !== 'object') return []
  return SECTIONS.flatMap((name) => {
    const section = objectAt(root, name)
    return section ? section.members.map((member) => ({ section, member })) : []
  })
}

function objectAt({ members }: JsonObjectNode, name: string): JsonObjectNode | undefined {
  const value = members.find(({ key }) => key === name)?.value
  return value?.kind === 'object' ? value : undefined
}

type Text = { value: string; start: number }

function scalarText(node: JsonNode): Text[] {
  return node.kind === 'scalar' && typeof node.value === 'string' ? [{ value: node.value, start: node.start }] : []
}

/** Keys and values. */
function textsIn(node: JsonNode | undefined): Text[] {
  if (!node) return []
  if (node.kind === 'array') return node.items.flatMap(textsIn)
  if (node.kind === 'scalar') return scalarText(node)
  return node.members.flatMap(({ key, start, value }) => [{ value: key, start }, ...textsIn(value)])
}
