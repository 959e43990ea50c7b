/** Names of teams and their members, as they may stand in paths and in lists. */

/** Name of every team's lead. */
export const LEAD_NAME = 'team-lead'

const MAX_LENGTH = 64

/**
 * Returns the folder name of a team. As observed: lower case, everything but letters and digits becomes a dash.
 * Undefined: too long, or nothing is left.
 */
export function teamFolderName(team: string): string | undefined {
  if (team.length > MAX_LENGTH) return undefined
  const name = team.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')
  return /[a-z0-9]/.test(name) ? name : undefined
}

/** The name a member gets: one that can be a file name, and that nobody else has, also where files know no upper case. */
export function chooseMemberName(wanted: string, taken: readonly string[]): string | undefined {
  const base = wanted
    .trim()
    .slice(0, MAX_LENGTH)
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
  if (!/[A-Za-z0-9]/.test(base)) return undefined
  const others = new Set(taken.map((name) => name.toLowerCase()))
  let name = base
  for (let count = 2; others.has(name.toLowerCase()); count += 1) name = `${base}-${count}`
  return name
}

/** As observed: the lead takes the first, members the others in turn, then from the start again. */
const COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan'] as const

/** Returns the color of the member that joined as the `count`th after the lead. */
export function memberColor(count: number): string {
  return COLORS[count % COLORS.length] ?? COLORS[0]
}
