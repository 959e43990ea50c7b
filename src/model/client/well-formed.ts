/**
 * Half a surrogate pair is written as an escape that APIs refuse, in this and every later request. A backslash in the text itself
 * comes as two.
 */
export function escapeLoneSurrogates(json: string): string {
  return json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json
}
