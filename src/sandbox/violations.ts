/** Did a command fail because of the sandbox? Told from what it printed, because nobody else says. */
import type { SandboxSettings } from '../protocol/options.js'

type Kind = 'file' | 'network'

/** How programs and runtimes put it. A file that may not be read is, to a command, one it has no right to. */
const SIGNS: readonly (readonly [Kind, RegExp])[] = [
  ['file', /read-only file system|operation not permitted|permission denied|\b(?:EROFS|EPERM|EACCES)\b/i],
  [
    'network',
    /network is unreachable|(?:could not|couldn't|unable to|failed to) (?:resolve|look ?up)|name resolution|getaddrinfo|no route to host|network allowlist|\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i,
  ],
]

/** The kinds of trouble the output tells of that the user did not say to pass over. */
export function findViolations(command: string, output: string, settings: SandboxSettings): Kind[] {
  const lines = output.split('\n')
  return SIGNS.flatMap(([kind, sign]) =>
    lines.some((line) => sign.test(line) && !isIgnoredViolation(command, kind, line, settings)) ? [kind] : [],
  )
}

/**
 * `ignoreViolations` has lists of texts (a path, a host) by `file`, by `network`, by the beginning of a command, or by `*` for all
 * of them. A `*` in a text stands for anything.
 */
export function isIgnoredViolation(
  command: string,
  kind: Kind,
  line: string,
  { ignoreViolations = {} }: SandboxSettings,
): boolean {
  const words = command.trim().split(/\s+/)
  return Object.entries(ignoreViolations).some(([key, texts]) => {
    const start = key.trim().split(/\s+/)
    const applies = key === '*' || key === kind || start.every((word, i) => word === words[i])
    return applies && texts.some((text) => contains(line, text))
  })
}

function contains(line: string, text: string): boolean {
  let at = 0
  for (const part of text.split('*')) {
    at = line.indexOf(part, at)
    if (at < 0) return false
    at += part.length
  }
  return true
}
