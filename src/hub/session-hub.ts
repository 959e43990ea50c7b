/** The sessions that an interface works with: the hub of this process, or the hub of a cluster. */
import type { Hub } from './hub.js'

export type SessionHub = Pick<Hub, keyof Hub>
