/** Notifies a user who looks elsewhere: a bell, a terminal notification, or the user's own program. */
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'

export type AttentionPorts = {
  env: Readonly<Record<string, string | undefined>>
  write(text: string): void
  now(): number
  command: ((title: string, text: string) => void) | undefined
}

/** How long after a keypress the user counts as present. */
const THERE_MS = 8000
/** A turn that took less was waited for. */
const LONG_MS = 10_000

export class AttentionSignals {
  readonly #ports: AttentionPorts
  /** Undefined: the terminal does not tell. */
  #isLookedAt: boolean | undefined
  #lastKey = Number.NEGATIVE_INFINITY

  constructor(ports: AttentionPorts) {
    this.#ports = ports
  }

  looked(isLookedAt: boolean): void {
    this.#isLookedAt = isLookedAt
  }

  typed(): void {
    this.#lastKey = this.#ports.now()
  }

  needed(what: string): void {
    this.#tell('Kedge needs you', what)
  }

  ended(tookMs: number, title: string | undefined): void {
    if (tookMs >= LONG_MS) this.#tell('Kedge is done', title ?? '')
  }

  #tell(title: string, text: string): void {
    const { env, write, now, command } = this.#ports
    if (this.#isLookedAt ?? now() - this.#lastKey < THERE_MS) return
    const way = env['KEDGE_NOTIFY'] ?? ''
    if (way === 'off') return
    const words = toTerminalSafeLine(text === '' ? title : `${title}: ${text}`).slice(0, 200)
    command?.(title, toTerminalSafeLine(text))
    write(notification(way || wayOf(env), words, toTerminalSafeLine(title)))
  }
}

/** What the terminal is known to understand; a bell is understood by all. */
function wayOf(env: AttentionPorts['env']): string {
  const program = `${env['TERM_PROGRAM'] ?? ''} ${env['TERM'] ?? ''}`
  if (/iTerm|WezTerm|ghostty|kitty/i.test(program)) return 'osc9'
  return /rxvt|foot/i.test(program) ? 'osc777' : 'bell'
}

function notification(way: string, words: string, title: string): string {
  const safe = words.replaceAll(/[;\u0007\u001b]/g, ' ')
  if (way === 'osc9') return `\u001b]9;${safe}\u0007`
  if (way === 'osc777') return `\u001b]777;notify;${title};${safe}\u0007`
  return '\u0007'
}
