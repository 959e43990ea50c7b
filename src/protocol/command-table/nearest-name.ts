/** Finds the name that a misspelled word was probably meant to be. */

/**
 * Returns how many letters have to be inserted, removed, replaced, or swapped with their neighbor to make `b` of `a`
 * (Damerau and Levenshtein): `tset` is one step from `test`.
 */
export function editDistance(a: string, b: string): number {
  const farthest = a.length + b.length
  /** One row and column before the first letter, and one more for what can't be swapped. */
  const rows: number[][] = [Array.from({ length: b.length + 2 }, () => farthest)]
  rows.push([farthest, ...Array.from({ length: b.length + 1 }, (_, j) => j)])
  const cost = (i: number, j: number) => rows[i]?.[j] ?? farthest
  /** The last row in which a letter was seen. */
  const lastRows = new Map<string, number>()
  for (let i = 1; i <= a.length; i += 1) {
    const row = [farthest, i]
    rows.push(row)
    let lastColumn = 0
    for (let j = 1; j <= b.length; j += 1) {
      const swapRow = lastRows.get(b[j - 1] ?? '') ?? 0
      const swapColumn = lastColumn
      const isSame = a[i - 1] === b[j - 1]
      if (isSame) lastColumn = j
      row.push(
        Math.min(
          cost(i, j) + (isSame ? 0 : 1),
          cost(i + 1, j) + 1,
          cost(i, j + 1) + 1,
          cost(swapRow, swapColumn) + (i - swapRow - 1) + 1 + (j - swapColumn - 1),
        ),
      )
    }
    lastRows.set(a[i - 1] ?? '', i)
  }
  return cost(a.length + 1, b.length + 1)
}

/**
 * Returns the nearest of the names; among equals, the first one whose length is closest. Undefined: none is within a
 * third of the word's letters, or `most`.
 */
export function nearestName(
  word: string,
  names: Iterable<string>,
  most = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  let nearest: string | undefined
  let best = most + 1
  for (const name of names) {
    const longer = Math.abs(name.length - word.length)
    if (longer > most) continue
    const distance = editDistance(word, name)
    const isCloser = distance === best && nearest !== undefined && longer < Math.abs(nearest.length - word.length)
    if (distance < best || isCloser) {
      best = distance
      nearest = name
    }
  }
  return nearest
}
