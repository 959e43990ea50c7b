/** What every kind of card is given. */
import type { Ask } from '../state/server-types.js'
import type { AnswerGuard } from './answering.js'

export type CardProps = { ask: Ask; guard: AnswerGuard; isActive: boolean }
