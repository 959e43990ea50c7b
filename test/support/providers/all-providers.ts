/** The providers every scenario runs for. Another API is another `Spoken` here. */
import { MESSAGES_FAMILY } from './messages-family.js'
import { OPENAI_FAMILY } from './openai-family.js'
import type { Spoken } from './spoken-server.js'

export const PROVIDERS: readonly Spoken[] = [...MESSAGES_FAMILY, ...OPENAI_FAMILY]
