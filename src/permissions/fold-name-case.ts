/** Names as disks compare them that take `A` and `a`, or two forms of one letter, for the same. */
export function foldNameCase(text: string): string {
  // Up and down: some letters, such as the long s, have a capital but are none.
  return text.normalize('NFC').toUpperCase().toLowerCase()
}
