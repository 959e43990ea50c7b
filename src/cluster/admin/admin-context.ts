/** What a command of an operator is given, and what it answers. */
import type { Cluster } from '../open-cluster.js'

export type AdminContext = {
  cluster: Cluster
  tenant: string
  words: readonly string[]
  values: Readonly<Record<string, unknown>>
  environment: NodeJS.ProcessEnv
}

/** `shown`: the same for programs. */
export type AdminAnswer = { shown: unknown; text: string; code?: number }
