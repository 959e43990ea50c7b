/** The hub as faces see it: that of this machine, or one whose sessions run on many. */
import type { Hub } from './hub.js'

export type SessionHub = Pick<Hub, keyof Hub>
