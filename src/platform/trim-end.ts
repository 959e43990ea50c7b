/** A text without the characters of `ending` that stand at its end. An expression such as `/[.!]+$/` tries every run of
 *  them in the middle from each of its characters on: a run of 100,000 takes minutes. */
export function trimTrailingCharacters(text: string, ending: string): string {
  let end = text.length
  while (end > 0 && ending.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
