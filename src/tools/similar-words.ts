/** Are two words the same but for a slip: one letter more, less or different, or two that changed places? */
export function isSimilarWord(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > 1 || longest < 3) return false
  let head = 0
  while (head < a.length && a[head] === b[head]) head += 1
  const [restA, restB] = [a.slice(head), b.slice(head)]
  if (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]) return true
  // Different words of three letters are often similar.
  if (longest < 4) return false
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}
