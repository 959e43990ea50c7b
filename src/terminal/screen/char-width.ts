/** How many columns characters take on a terminal. Sums of code points: never less than what a terminal takes. */

/** First and last code points that take two columns: East Asian wide and full-width, and emoji shown as images. */
const WIDE: readonly number[] = [
  ...[0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3, 0x25fd, 0x25fe],
  ...[0x2614, 0x2615, 0x2648, 0x2653, 0x267f, 0x267f, 0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be],
  ...[0x26c4, 0x26c5, 0x26ce, 0x26ce, 0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa],
  ...[0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755],
  ...[0x2757, 0x2757, 0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55],
  ...[0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff],
  ...[0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18cff, 0x1aff0, 0x1b2ff],
  ...[0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f1e6, 0x1f202, 0x1f210, 0x1f23b],
  ...[0x1f240, 0x1f248, 0x1f250, 0x1f251, 0x1f260, 0x1f265, 0x1f300, 0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c],
  ...[0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf, 0x1f3d3, 0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e],
  ...[0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff, 0x1f53d, 0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a],
  ...[0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4, 0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2],
  ...[0x1f6d5, 0x1f6d7, 0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4, 0x1f6fc, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0],
  ...[0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1faff, 0x20000, 0x3fffd],
]
/** Marks that stand on the character before them, and what joins and varies emoji. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const PICTURE = 0xfe0f

export function codePointWidth(code: number): 0 | 1 | 2 {
  if (code < 0x300) return code === 0xad ? 1 : code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1
  if (code >= 0x1100 && isWide(code)) return 2
  return NO_WIDTH.test(String.fromCodePoint(code)) ? 0 : 1
}

function isWide(code: number): boolean {
  let low = 0
  let high = WIDE.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (code < (WIDE[middle * 2] ?? 0)) high = middle - 1
    else if (code > (WIDE[middle * 2 + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}

/** Returns the width of text without escapes, in columns. */
export function unstyledTextWidth(text: string): number {
  let sum = 0
  let last = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    // With this selector, a narrow character is shown as an image, which is wide.
    if (code === PICTURE && last === 1) sum += 1
    last = codePointWidth(code)
    sum += last
  }
  return sum
}

/** Every place in it where a cursor may stand: after whole characters with all that belongs to them. */
export function nextCharacterOffset(text: string, at: number): number {
  let end = at
  let isJoined = true
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0
    const joins = end > at && (codePointWidth(code) === 0 || isJoined)
    if (end > at && (!joins || code < 0x20)) break
    isJoined = code === 0x200d
    end += code > 0xffff ? 2 : 1
  }
  return end
}

export function previousCharacterOffset(text: string, at: number): number {
  let from = Math.max(0, at - 64)
  // From a place that is certainly between characters.
  while (from > 0 && text.charCodeAt(from - 1) >= 0x80) from = Math.max(0, from - 64)
  let last = from
  for (let next = nextCharacterOffset(text, from); next < at; next = nextCharacterOffset(text, next)) last = next
  return at === 0 ? 0 : last
}
