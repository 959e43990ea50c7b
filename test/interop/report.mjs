// What `npm run interop` prints: a line per run with its differences, the deliberate ones by entry, N of M at the end.

const directions = {
  A: 'A original SDK, our CLI',
  B: 'B our SDK, original CLI',
  C: 'C our SDK, our CLI',
  D: 'D our SDK, in-process',
  O: 'O the originals again',
  T: 'T recordings made elsewhere',
}

export function createReport(scenarios, { verbose }) {
  /** By pair and release: { equal, all }. */
  const counts = new Map()
  const left = []

  return { add, end }

  function add({ id, pair, version, unexplained, explained = [], adopted = [], again = false }) {
    const count = counts.get(`${pair} ${version}`) ?? { equal: 0, all: 0 }
    counts.set(`${pair} ${version}`, count)
    count.all += 1
    if (unexplained.length === 0) count.equal += 1
    else left.push(`${pair} ${version} ${id}`)
    const verdict = unexplained.length === 0 ? 'ok  ' : 'DIFF'
    const notes = [
      [explained, 'known'],
      [adopted, `as in ${version}`],
    ].filter(([list]) => list.length > 0)
    const counted = notes.map(([list, name]) => `${list.length} ${name}`)
    const more = [...counted, ...(again ? ['second run'] : [])].join(', ')
    console.log(`${pair} ${version.padEnd(7)} ${verdict} ${id.padEnd(5)} ${scenarios[id].title}${more && ` (${more})`}`)
    if (unexplained.length > 0) process.exitCode = 1
    const shown = verbose ? unexplained : unexplained.slice(0, 3)
    for (const { path, kind, expected, got, line } of shown) {
      console.log(`       ${path} (line ${(line ?? 0) + 1}, ${kind})`)
      if (expected !== undefined) console.log(`         original ${brief(expected)}`)
      if (got !== undefined) console.log(`         ours     ${brief(got)}`)
    }
    if (shown.length < unexplained.length) console.log(`       … ${unexplained.length - shown.length} more (--verbose)`)
    if (!verbose) return
    for (const { path, kind, entry } of explained) console.log(`       known: ${path} (${kind}): ${entry}`)
    for (const { path, kind } of adopted) console.log(`       as in ${version}: ${path} (${kind})`)
  }

  /** @param complete whether all was run, so that an entry nothing matched is not needed */
  function end(entries, complete) {
    console.log('')
    for (const entry of entries.filter(({ used }) => used > 0))
      console.log(`  ${String(entry.used).padStart(4)} × ${entry.id}: ${entry.why} (${entry.source})`)
    const unused = entries.filter(({ used }) => used === 0)
    if (complete && unused.length > 0) console.log(`unused entries: ${unused.map(({ id }) => id).join(', ')}`)
    if (left.length > 0) console.log(`\nwith differences nobody decided:\n  ${left.join('\n  ')}`)
    console.log('')
    for (const [name, { equal, all }] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
      const [pair, version] = name.split(' ')
      console.log(`${directions[pair].padEnd(28)} ${version.padEnd(7)} ${equal} of ${all}`)
    }
  }

  function brief(value) {
    const text = JSON.stringify(value)
    return verbose || text.length <= 300 ? text : `${text.slice(0, 300)}…`
  }
}
