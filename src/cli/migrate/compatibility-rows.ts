/** What `compat.json` of the package says of a name of the original: as it was, different, or not there. */

export type CompatibilityRow = 'works' | { state: 'differs' | 'refused' | 'later'; note: string }

export type CompatibilityTable = {
  version: string
  /** Which page of docs/ has the rows of a heading. */
  pages: Readonly<Record<string, string>>
  missingTypes: Readonly<Record<string, string>>
  names: Readonly<Record<string, Readonly<Record<string, CompatibilityRow>>>>
}

export type MigrationVerdict = { state: 'same' | 'differs' | 'unsupported'; note: string; link?: string }

/** The headings a name may stand under, by what it is. */
const HEADINGS = {
  option: ['Options', 'Further options'],
  export: ['Exports', 'Further exports'],
  method: ['Methods of a query', 'Further methods of a query'],
  hook: ['Hook events', 'Further hook events'],
  mode: ['Permission modes', 'Further permission modes'],
  variable: ['Environment variables'],
} as const

export type SdkNameKind = keyof typeof HEADINGS

/** Returns what `compat.json` says about a name. Undefined: no row has that name. */
export function verdictFor(
  compatibility: CompatibilityTable,
  kind: SdkNameKind,
  name: string,
): MigrationVerdict | undefined {
  for (const heading of HEADINGS[kind]) {
    const rows = compatibility.names[heading] ?? {}
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row === undefined) continue
    const link = linkTo(compatibility, heading)
    if (row === 'works') return { state: 'same', note: '', link }
    return { state: row.state === 'differs' ? 'differs' : 'unsupported', note: row.note, link }
  }
  return undefined
}

/** Names of a kind that a program can't use here. */
export function unsupportedSdkNames(compatibility: CompatibilityTable, kind: SdkNameKind): string[] {
  return HEADINGS[kind].flatMap((heading) =>
    Object.entries(compatibility.names[heading] ?? {}).flatMap(([name, row]) =>
      row !== 'works' && row.state !== 'differs' ? [name] : [],
    ),
  )
}

/** A type of the newer line that is not exported here. */
export function missingTypeVerdict(compatibility: CompatibilityTable, name: string): MigrationVerdict | undefined {
  if (!Object.hasOwn(compatibility.missingTypes, name)) return undefined
  const note = compatibility.missingTypes[name] ?? ''
  return { state: 'unsupported', note, link: linkTo(compatibility, 'Types that are not here') }
}

function linkTo({ pages }: CompatibilityTable, heading: string): string {
  return `${pages[heading]}#${heading.toLowerCase().replaceAll(' ', '-')}`
}
