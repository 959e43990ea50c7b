/** What a hostile repository is, for the tables of them. */
import type { Place } from './place.js'

export type Hostile = {
  id: string
  /** What the repository holds. */
  mechanism: string
  /** What would happen if an agent acted on it. */
  would: string
  /** Fills `at.repo`. */
  make(at: Place): void
  /** How it is opened, where that matters. */
  opened?(at: Place): Opened
}

export type Opened = {
  /** The working directory; the repository itself unless told otherwise. */
  cwd?: string
  /** What the user's own environment holds. */
  env?: Record<string, string>
  prompt?: string
  /** A prompt that the library, which reads no commands, answers without the model. */
  answeredLocally?: true
  /** Further arguments for the command. */
  args?: string[]
}
