/** The few colors there are: those every terminal has, so that they fit light and dark backgrounds. */

export type Styles = {
  bold(text: string): string
  dim(text: string): string
  italic(text: string): string
  underline(text: string): string
  inverse(text: string): string
  strike(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  magenta(text: string): string
  /** Signs, or plain characters where the terminal has no others. */
  sign: Readonly<Record<TerminalSign, string>>
}

export type TerminalSign =
  | 'dot'
  | 'ring'
  | 'tick'
  | 'cross'
  | 'arrow'
  | 'corner'
  | 'rule'
  | 'bar'
  | 'box'
  | 'boxed'
  | 'more'

const SIGNS: Styles['sign'] = {
  dot: '●',
  ring: '○',
  tick: '✓',
  cross: '✗',
  arrow: '❯',
  corner: '⎿',
  rule: '─',
  bar: '│',
  box: '☐',
  boxed: '☒',
  more: '…',
}
const PLAIN_SIGNS: Styles['sign'] = {
  dot: '*',
  ring: 'o',
  tick: '+',
  cross: 'x',
  arrow: '>',
  corner: '`',
  rule: '-',
  bar: '|',
  box: '[ ]',
  boxed: '[x]',
  more: '...',
}

export type TerminalAbilities = { hasColor: boolean; hasUnicode: boolean }

export function createStyles({ hasColor, hasUnicode }: TerminalAbilities): Styles {
  const pair = (on: number, off: number) => (text: string) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`)
  const color = (on: number) => (hasColor ? pair(on, 39) : (text: string) => text)
  return {
    bold: pair(1, 22),
    dim: pair(2, 22),
    italic: pair(3, 23),
    underline: pair(4, 24),
    inverse: pair(7, 27),
    strike: pair(9, 29),
    red: color(31),
    green: color(32),
    yellow: color(33),
    magenta: color(35),
    cyan: color(36),
    sign: hasUnicode ? SIGNS : PLAIN_SIGNS,
  }
}

/** `NO_COLOR` turns off colors, not bold and dim. If the locale names no encoding, UTF-8 is assumed. */
export function detectTerminalAbilities(env: Readonly<Record<string, string | undefined>>): TerminalAbilities {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return {
    hasColor: !env['NO_COLOR'],
    hasUnicode: env['TERM'] !== 'linux' && !/^(?:C|POSIX)$|\.(?:iso|latin)/i.test(locale),
  }
}

/** Nothing but words: for screen readers and terminals that can't do more. */
export function plainStyles(): Styles {
  const same = (text: string) => text
  return {
    bold: same,
    dim: same,
    italic: same,
    underline: same,
    inverse: same,
    strike: same,
    red: same,
    green: same,
    yellow: same,
    cyan: same,
    magenta: same,
    sign: PLAIN_SIGNS,
  }
}
