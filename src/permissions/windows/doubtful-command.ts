/** What in a command line of Git Bash may be another file than it looks like: shells and programs there know many spellings. */

const DOUBTS: readonly (readonly [RegExp, string])[] = [
  // However it is quoted or put together, neither can be had without its colon.
  [/:/, 'a drive or a stream of a file'],
  [/\\/, 'a path with backslashes'],
  [/(?:^|[\s=(])\/\/[^/\s]/, 'a path of a share'],
  // `/tmp`, `/etc`, `/usr`: folders of Git Bash, each somewhere on a drive. Flags of cmd look the same.
  [/(?:^|[\s=(<>])\/(?![A-Za-z](?:[/\s)]|$)|dev\/null(?![\w/])|\s|$)\S/, 'a folder of Git Bash'],
  [/~\d/, 'a short name'],
  [/(?:^|[\s/=<>])(?:con|prn|aux|nul|com\d|lpt\d)(?:[.\s]|$)/i, 'a device'],
  [/[^\s./]\.+(?:[\s/]|$)/, 'a name that ends with a dot'],
]

/** Returns why a command may mean something else on Windows. Undefined: nothing of the kind. */
export function explainWindowsAmbiguity(command: string): string | undefined {
  // Quotes may stand in the middle of a word.
  const bare = command.replace(/["']/g, '')
  return DOUBTS.find(([pattern]) => pattern.test(bare))?.[1]
}
