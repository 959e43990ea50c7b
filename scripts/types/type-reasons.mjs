// The rows of reason: which names of the published declarations Kedge doesn't have, and why.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the tables of the pages: exported types by name, members by patterns such as `Settings.*`, types that don't fit. */
export function readReasons(docs) {
  const [, types = ''] = readFileSync(join(docs, 'compatibility.md'), 'utf8').split('\n### Types that are not here\n')
  const page = readFileSync(join(docs, 'compatibility-types.md'), 'utf8')
  const [members = '', unfit = ''] = page.split('\n## Types that differ\n')
  /** Those of one cell of each row: the others say why. */
  const namesIn = (text, cell = 1) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => [...(line.split(' |')[cell - 1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  return { exports: namesIn(types.split('\n## ')[0], 2), members: namesIn(members), unfit: namesIn(unfit) }
}

/** What has no row, and rows that nothing needs. A type with missing members doesn't fit because of them, nor does what names it. */
export function withoutReason(report, reasons) {
  const lost = Object.entries(report.members).flatMap(([type, names]) =>
    names.map((name) => (name.startsWith('=') ? `${type}${name}` : `${type}.${name}`)),
  )
  const patterns = reasons.members.map((text) => ({ text, test: toRegExp(text) }))
  const explained = new Set([...Object.keys(report.members), ...reasons.unfit])
  const unfit = [...new Set([...report.unfit.oursIntoTheirs, ...report.unfit.theirsIntoOurs])]
  return {
    exports: report.exports.missing.filter((name) => !reasons.exports.includes(name)),
    members: lost.filter((name) => !patterns.some(({ test }) => test.test(name))),
    unfit: unfit.filter((name) => !explained.has(name)),
    stale: [
      ...patterns.filter(({ test }) => !lost.some((name) => test.test(name))).map(({ text }) => text),
      ...reasons.unfit.filter((name) => !unfit.includes(name)),
    ],
  }
}

function toRegExp(pattern) {
  const escaped = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}
