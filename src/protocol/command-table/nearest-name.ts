/** Finds the name that a misspelled word was probably meant to be. */

/** Returns how many letters have to be inserted, removed, or replaced to make `b` of `a`. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns the first of the nearest names. Undefined: none is within a third of the word's letters, or `most`. */
export function nearestName(
  word: string,
  names: Iterable<string>,
  most = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  let nearest: string | undefined
  let best = most + 1
  for (const name of names) {
    const distance = editDistance(word, name)
    if (distance < best) {
      best = distance
      nearest = name
    }
  }
  return nearest
}
