// Known, deliberate differences are data (differences.json): each entry says where it may appear, why, and who decided it.
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} where path pattern: `*` within a segment, `**` any number of segments, `{a,b}` alternatives
 * @property {string} kind missing | extra | value | order, or several with `|`
 * @property {string[]} [scenarios] patterns of scenario ids; all when absent
 * @property {string[]} [pairs] A, B, C, D; all when absent
 * @property {string[]} [versions] releases of the original; all when absent
 * @property {string} [expected] regular expression on the JSON of the original's value
 * @property {string} [got] regular expression on the JSON of our value
 * @property {string} why
 * @property {string} source
 */

export function loadDifferences() {
  const entries = JSON.parse(readFileSync(new URL('differences.json', import.meta.url), 'utf8'))
  return entries.map((entry) => ({ ...entry, used: 0, matches: matcher(entry) }))
}

/** Splits differences into those an entry explains and those nobody decided. Counts the use of each entry. */
export function explain(found, { scenario, pair, version }, entries) {
  const unexplained = []
  const explained = []
  for (const difference of found) {
    const entry = entries.find((candidate) => candidate.matches(difference, { scenario, pair, version }))
    if (entry === undefined) unexplained.push(difference)
    else {
      entry.used += 1
      explained.push({ ...difference, entry: entry.id })
    }
  }
  return { unexplained, explained }
}

function matcher({ where, kind, scenarios = ['*'], pairs, versions, expected, got }) {
  const path = glob(where)
  const ids = globs(scenarios)
  const kinds = kind.split('|')
  const before = expected === undefined ? undefined : new RegExp(expected)
  const after = got === undefined ? undefined : new RegExp(got)
  return (difference, { scenario, pair, version }) =>
    kinds.includes(difference.kind) &&
    path.test(difference.path) &&
    ids.some((id) => id.test(scenario)) &&
    (pairs === undefined || pairs.includes(pair)) &&
    (versions === undefined || versions.includes(version)) &&
    (before === undefined || before.test(JSON.stringify(difference.expected) ?? '')) &&
    (after === undefined || after.test(JSON.stringify(difference.got) ?? ''))
}

/** Patterns as regular expressions. */
export function globs(patterns) {
  return patterns.map(glob)
}

function glob(pattern) {
  const source = pattern
    .replace(/[.+^$()|[\]\\?]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, list) => `(?:${list.split(',').join('|')})`)
    .replace(/\*\*\/?|\*/g, (stars) => (stars === '*' ? '[^/]*' : stars === '**' ? '.*' : '(?:[^/]*/)*'))
  return new RegExp(`^${source}$`, 's')
}
