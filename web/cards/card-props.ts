/** What every kind of card is given. */
import type { Ask } from '../state/server-types.js'
import type { Guard } from './answering.js'

export type CardProps = { ask: Ask; guard: Guard; isActive: boolean }
