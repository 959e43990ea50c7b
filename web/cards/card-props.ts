/** What every kind of card is given. */
import type { Ask } from '../state/server-types.js'
import type { Answering } from './answering.js'

export type CardProps = { ask: Ask; answering: Answering; isActive: boolean }
