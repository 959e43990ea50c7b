// Medians with their spread, and runs that take turns.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values.length }
}

/**
 * Every subject once per round, so that what else the machine does hits all of them. `measure` resolves to figures by name; for each
 * subject and name there is a summary in the end. `roundsOf(subject)` may give one fewer rounds than another.
 */
export async function interleaved(subjects, roundsOf, measure) {
  const figures = new Map(subjects.map((subject) => [subject.name, {}]))
  const most = Math.max(...subjects.map(roundsOf))
  for (let round = 0; round < most; round += 1) {
    for (const subject of subjects) {
      if (round >= roundsOf(subject)) continue
      for (const [name, value] of Object.entries(await measure(subject, round))) {
        if (value === undefined) continue
        figures.get(subject.name)[name] ??= []
        figures.get(subject.name)[name].push(value)
      }
    }
  }
  const summaries = (byName) => Object.fromEntries(Object.entries(byName).map(([name, all]) => [name, summary(all)]))
  return Object.fromEntries([...figures].map(([subject, byName]) => [subject, summaries(byName)]))
}
