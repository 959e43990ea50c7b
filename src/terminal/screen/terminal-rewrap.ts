/**
 * Whether the terminal wraps long rows again when it becomes narrower. xterm, the console, rxvt, and screen cut them
 * off.
 */
export function doesTerminalRewrapRows(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['TMUX']) return true
  return !env['XTERM_VERSION'] && !env['STY'] && !/^(?:linux|rxvt|screen)/.test(env['TERM'] ?? '')
}
