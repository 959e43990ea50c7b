/** Text of strangers made fit for a model: no longer than agreed, and nothing in it that can't be seen. */

/** Without what a reader can't see: escapes for terminals, changes of direction, characters made for hiding text. */
export function removeHiddenCharacters(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
      '',
    )
}

/** Not between the two halves of a character. */
export function cutAtCharacter(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
