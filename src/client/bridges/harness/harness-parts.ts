/** The shapes of the AI SDK's harness specification, `harness-v1`, as far as a session uses them. */

export type HarnessJson = null | string | number | boolean | HarnessJson[] | { [key: string]: HarnessJson | undefined }

/** An event of a turn. */
export type HarnessPart =
  | { type: 'stream-start'; modelId?: string }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string; providerExecuted: true; dynamic: true }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string; providerExecuted?: true; dynamic?: true }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | {
      type: 'tool-result'
      toolCallId: string
      toolName: string
      result: NonNullable<HarnessJson>
      isError?: true
      dynamic: true
    }
  | { type: 'finish-step'; finishReason: HarnessFinishReason; usage: HarnessUsage }
  | { type: 'finish'; finishReason: HarnessFinishReason; totalUsage: HarnessUsage }
  | { type: 'compaction'; trigger: 'manual' | 'auto'; summary: string }
  | { type: 'raw'; rawValue: unknown }

export type HarnessFinishReason = { unified: 'stop' | 'tool-calls' | 'other'; raw: string | undefined }

export type HarnessUsage = {
  inputTokens: {
    total: number | undefined
    noCache: number | undefined
    cacheRead: number | undefined
    cacheWrite: number | undefined
  }
  outputTokens: { total: number | undefined; text: undefined; reasoning: undefined }
}

/** What a turn is asked for. Settings that a session can't take are refused by name. */
export type HarnessTurnOptions = {
  model?: string
  instructions?: string
  tools: readonly unknown[]
  skills: readonly unknown[]
  responseFormat?: { type: string }
  abortSignal?: AbortSignal
  emit(part: HarnessPart): void
}

/** What the program sends while a turn runs. */
export type HarnessTurnControl = {
  submitToolResult(input: { toolCallId: string; output: unknown; isError?: boolean }): Promise<void>
  submitToolApproval(input: { approvalId: string; approved: boolean; reason?: string }): Promise<void>
  submitUserMessage(text: string): Promise<void>
  readonly done: Promise<void>
}

type HarnessState = { harnessId: string; specificationVersion: 'harness-v1'; data: HarnessJson }
export type HarnessResumeState = HarnessState & { type: 'resume-session' }
export type HarnessContinueState = HarnessState & { type: 'continue-turn' }

/** `allow-reads` asks before edits and commands, `allow-edits` before commands, `allow-all` before nothing. */
export type HarnessPermissionMode = 'allow-reads' | 'allow-edits' | 'allow-all'

export type HarnessStartOptions = {
  sessionId: string
  sessionWorkDir: string
  resumeFrom?: { data: unknown }
  continueFrom?: { data: unknown }
  permissionMode?: HarnessPermissionMode
  builtinToolFiltering?: unknown
  /** What `serverFolder()` returned, or the sandbox of a provider. */
  sandboxSession?: unknown
  abortSignal?: AbortSignal
}

/** A session for the framework. */
export type HarnessSession = {
  readonly sessionId: string
  readonly isResume: boolean
  doPromptTurn(options: HarnessTurnOptions & { prompt: string | HarnessUserMessage }): Promise<HarnessTurnControl>
  doContinueTurn(options: HarnessTurnOptions): Promise<HarnessTurnControl>
  doCompact(customInstructions?: string): Promise<void>
  doSuspendTurn(): Promise<HarnessContinueState>
  doDetach(): Promise<HarnessResumeState>
  doStop(): Promise<HarnessResumeState>
  doDestroy(): Promise<void>
}

export type HarnessUserMessage = { role: 'user'; content: string | readonly { type: string }[] }

const UNSUPPORTED = Symbol.for('vercel.ai.error.AI_HarnessCapabilityUnsupportedError')
const AI_ERROR = Symbol.for('vercel.ai.error')

/** Returns the framework's error for what an adapter can't do: it knows it by these marks. */
export function createHarnessUnsupportedError(message: string): Error {
  const marks = { [UNSUPPORTED]: true, [AI_ERROR]: true, harnessId: HARNESS_ID }
  return Object.assign(new Error(message), marks, { name: 'AI_HarnessCapabilityUnsupportedError' })
}

export const HARNESS_ID = 'kedge'
