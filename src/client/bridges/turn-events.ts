/** What happens in one turn of a session: the events that each bridge translates into a protocol of others. */
import type {
  NoticeItem,
  PromptItem,
  RequestItem,
  TextItem,
  ToolItem,
  TurnItem,
  TurnOutcome,
} from '../public-client.js'

/**
 * Events of the main thread and of sub-agents, whose items have a `parent`. The first is `begin`, the last `end`,
 * `paused`, or `failed`.
 */
export type TurnEvent =
  /** `turn` is the id of its prompt, or that of the turn before for one that a background task began. */
  | { what: 'begin'; turn: string; prompt: PromptItem | undefined }
  /** More text of the model, or of its thinking. The first piece can be empty. */
  | { what: 'text'; item: TextItem; piece: string }
  | { what: 'text-end'; item: TextItem }
  /** What was shown of a text or call isn't part of the conversation: another attempt takes its place. */
  | { what: 'dropped'; item: TextItem | ToolItem }
  /** A call that the model begins to write. */
  | { what: 'call'; item: ToolItem }
  /** A piece of the call's input, which is JSON. */
  | { what: 'input'; item: ToolItem; piece: string }
  /** The input is complete. */
  | { what: 'called'; item: ToolItem }
  /** What the call printed while it runs. */
  | { what: 'output'; item: ToolItem; piece: string }
  /** The call has its result, or never will have one. */
  | { what: 'call-end'; item: ToolItem }
  /** Its sub-agent, or its work in the background, did something. */
  | { what: 'task'; item: ToolItem }
  | { what: 'request'; item: RequestItem }
  | { what: 'request-end'; item: RequestItem }
  | { what: 'notice'; item: NoticeItem }
  /** A prompt that joined the turn. */
  | { what: 'prompt'; item: PromptItem }
  /** The connection to the server is lost, or there again. */
  | { what: 'connection'; isLost: boolean; error: Error | undefined }
  /** The turn waits for these answers. */
  | { what: 'paused'; requests: readonly RequestItem[] }
  | { what: 'end'; outcome: TurnEndKind; turn: TurnItem | undefined; problem: string | undefined }
  /** The turn can't be followed any more. It continues on the server. */
  | { what: 'failed'; error: Error }

/** `interrupted`: its process ended. `removed`: the prompt was taken out of the queue, or the session was rewound. */
export type TurnEndKind = TurnOutcome | 'interrupted' | 'removed'

/** A turn, by its prompt; without one the turn that is under way. */
export type TurnTarget = {
  prompt?: string | undefined
  /** Number of a log entry: what the view shows before it isn't current. */
  since?: number | undefined
}

/** What the reader of a turn has of it already, by the key of the item. */
export type KnownItems = ReadonlyMap<string, KnownItem>

export type KnownItem = {
  /** The length of the text. */
  length?: number
  /** The input of the call is complete. */
  isCalled?: boolean
  /** Nothing more is needed of it. */
  isOver?: boolean
}

/** Returns the key of a call's item. */
export const callKey = (useId: string): string => `call-${useId}`

/** Returns the key of a request's item. */
export const requestKey = (ask: string): string => `request-${ask}`

/** Returns a notice as one sentence. */
export function noticeSentence({ text, detail, fix }: Pick<NoticeItem, 'text' | 'detail' | 'fix'>): string {
  const what = detail === undefined ? text : `${text.replace(/\.$/, '')}: ${detail}`
  return fix === undefined ? what : `${what} ${fix}`
}
