/** PostgreSQL refuses to run as root, so it runs as a user without other rights. */
import { chownSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { KedgeError } from '../../errors.js'

export type ProcessUser = { uid: number; gid: number; name: string }

/** Returns a user for the embedded database, which can't run as root. Undefined: we are not root. */
export function unprivilegedUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid), name }
  }
  throw new KedgeError(
    'database_refused',
    'An embedded database does not run as root, and this machine has no user `nobody` to run it.',
  )
}

/** The folder becomes theirs. Throws when they could not get to it. */
export function changeOwner(folder: string, { uid, gid }: Omit<ProcessUser, 'name'>): void {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) !== 0) continue
    const text = `As root, the embedded database runs as another user, who can't enter ${at}. Choose another folder: --database embedded:FOLDER`
    throw new KedgeError('database_refused', text)
  }
  chownSync(folder, uid, gid)
}
