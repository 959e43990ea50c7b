/** What a permission question is about, for those who show it to a person (`askDetails`). */

/** What would happen, computed before anybody is asked. */
export type AskPreview =
  | {
      type: 'diff'
      path: string
      /** Null: there is no such file yet. */
      oldText: string | null
      newText: string
      /** Lines. */
      added: number
      removed: number
      /** The texts were too long to show whole: they end early. */
      cut?: true
    }
  | { type: 'command'; command: string; parts: AskCommandPart[] }
  | { type: 'address'; url: string; host: string }
  | { type: 'document'; text: string; cut?: true }
  /** It could not be computed. */
  | { type: 'none'; reason: string }

/** One command of a command line, with what it would get by itself. */
export type AskCommandPart = { command: string; behavior: 'allow' | 'ask' | 'deny'; reason: string }

/** Why somebody is asked. `tool`: nothing allows the call. */
export type AskReason = {
  layer: 'rule' | 'mode' | 'path' | 'hook' | 'sandbox' | 'tool'
  text: string
  /** As the user wrote it. */
  rule?: string
  /** Where that rule came from. */
  source?: string
}
