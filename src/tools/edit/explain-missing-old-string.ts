/** Why a text is not in a file although its writer thought so, with the lines that come closest to it. */

/** Larger files are not searched for what is merely alike. */
const MAX_LINES = 20_000
/** Maximum characters of the file's own lines that are shown for copying. */
const MAX_QUOTED = 1200
/** Less alike than this is no help. */
const MIN_LIKENESS = 0.55

/** One or two sentences with the lines as they are; empty where nothing is close. */
export function explainMissingOldString(text: string, wanted: string): string {
  const numbered = /^ *\d+→/m.test(wanted)
  const bare = numbered ? wanted.replace(/^ *\d+→/gm, '') : wanted
  const about = numbered ? 'It contains the line numbers of Read; leave out the number and the arrow. ' : ''
  const lines = text.split('\n')
  const at = numbered ? text.indexOf(bare) : -1
  if (at >= 0) return `${about}Without them it stands at line ${lineOf(text, at)}.`
  if (lines.length > MAX_LINES) return about.trim()
  const asked = bare.replace(/^\n+|\n+$/g, '').split('\n')
  const spaced = findLines(lines, asked, (line) => line.replace(/\s+/g, ' ').trim())
  if (spaced !== undefined) return `${about}${quote(lines, spaced, asked.length, 'match but for spaces')}`
  const marked = findLines(lines, asked, (line) => plainMarks(line).replace(/\s+/g, ' ').trim().toLowerCase())
  if (marked !== undefined) return `${about}${quote(lines, marked, asked.length, 'match but for case or quotes')}`
  const near = nearest(lines, asked)
  return `${about}${near === undefined ? '' : quote(lines, near, asked.length, 'come closest')}`.trim()
}

function lineOf(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function findLines(lines: readonly string[], asked: readonly string[], plain: (line: string) => string) {
  const wanted = asked.map(plain)
  if (wanted.every((line) => line === '')) return undefined
  const all = lines.map(plain)
  const at = all.findIndex((_, i) => i + wanted.length <= all.length && wanted.every((line, j) => all[i + j] === line))
  return at < 0 ? undefined : at
}

function plainMarks(line: string): string {
  return line
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[–—]/g, '-')
}

/** Where the longest line of what was asked for has its closest relative. */
function nearest(lines: readonly string[], asked: readonly string[]): number | undefined {
  const key = asked.reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest), '')
  const pairs = pairsOf(key)
  if (pairs.size < 3) return undefined
  let best = { at: -1, likeness: MIN_LIKENESS }
  for (const [at, line] of lines.entries()) {
    const likeness = compare(pairs, pairsOf(line))
    if (likeness > best.likeness) best = { at, likeness }
  }
  return best.at < 0 ? undefined : Math.max(0, best.at - asked.indexOf(key))
}

function pairsOf(line: string): Set<string> {
  const text = line.trim().toLowerCase().slice(0, 300)
  const pairs = new Set<string>()
  for (let at = 0; at + 2 <= text.length; at += 1) pairs.add(text.slice(at, at + 2))
  return pairs
}

/** 1 for the same pairs of letters, 0 for none in common. */
function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared += 1
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size)
}

function quote(lines: readonly string[], at: number, count: number, how: string): string {
  const own = lines.slice(at, at + count)
  const text = own.join('\n')
  const shown = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
  const place = own.length === 1 ? `Line ${at + 1}` : `Lines ${at + 1}-${at + own.length}`
  const verb = own.length === 1 ? how.replace('match', 'matches').replace('come', 'comes') : how
  return `${place} ${verb}. In the file:\n${shown}`
}
