/** The home folder of a session: from its own environment first, so that two sessions can have two homes. */
import { userInfo } from 'node:os'

export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.HOME || env.USERPROFILE
  if (named) return named
  try {
    return userInfo().homedir
  } catch {
    // A uid without an entry in the user database, as containers have them.
    return '/'
  }
}
