/** What is wrong with settings, in words for people: each problem names its file, its place and its key. */
import { lineAndColumnAt } from './json-tree.js'

/** `note`: nothing is lost. `warning`: something is not used. `refuse`: the session must not start like this. */
export type ProblemSeverity = 'note' | 'warning' | 'refuse'

export type SettingsSource = 'managedSettings' | 'flagSettings' | 'localSettings' | 'projectSettings' | 'userSettings'

export type SettingsProblem = {
  severity: ProblemSeverity
  source: SettingsSource
  /** The file, or `--settings` for text on the command line. */
  file: string
  line?: number
  column?: number
  /** Such as `permissions.allow[2]`. */
  key?: string
  /** Right in itself, but not for a file that came with the folder. */
  withheld?: true
  /** A whole sentence that starts with the place. Holds no values but rules. */
  message: string
}

export type ReportProblem = (
  severity: ProblemSeverity,
  problem: { offset?: number; key?: string; withheld?: true; text: string },
) => void

/** Maximum problems reported per severity; a count stands for the rest. */
const MAX_TOLD = 25

/** Collects the problems of one file. `text` is what offsets point into. */
export function createProblemList(source: SettingsSource, file: string, text = '') {
  const told: SettingsProblem[] = []
  const counts: Record<ProblemSeverity, number> = { note: 0, warning: 0, refuse: 0 }
  const name = printableValue(file, 4096)
  const report: ReportProblem = (severity, { offset, key, withheld, text: what }) => {
    counts[severity] += 1
    if (counts[severity] > MAX_TOLD) return
    const place = offset === undefined ? undefined : lineAndColumnAt(text, offset)
    const at = place ? `${name}:${place.line}:${place.column}` : name
    told.push({
      severity,
      source,
      file,
      ...place,
      ...(key && { key }),
      ...(withheld && { withheld }),
      message: `${at}: ${key ? `${key} ` : ''}${what}`,
    })
  }
  const problems = (): SettingsProblem[] => {
    const more = (['refuse', 'warning'] as const).flatMap((severity) => {
      const rest = counts[severity] - MAX_TOLD
      return rest > 0 ? [fileProblem(severity, source, file, `and ${rest} more like these.`)] : []
    })
    return [...told, ...more]
  }
  return { report, problems }
}

/** A problem of the file as a whole. */
export function fileProblem(
  severity: ProblemSeverity,
  source: SettingsSource,
  file: string,
  text: string,
): SettingsProblem {
  return { severity, source, file, message: `${printableValue(file, 4096)}: ${text}` }
}

/** `permissions.allow[2]`; what isn't a plain word is quoted. */
export function childKeyPath(parent: string, part: string | number): string {
  if (typeof part === 'number') return `${parent}[${part}]`
  if (!/^[\w$-]{1,100}$/.test(part)) return `${parent}[${JSON.stringify(printableValue(part, 100))}]`
  return parent === '' ? part : `${parent}.${part}`
}

/** Without anything that moves a terminal's cursor or hides text, and not too long. */
export function printableValue(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd')
}
