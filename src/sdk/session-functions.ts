/** The functions for stored sessions. They run here, without an agent, and are loaded when the first is called. */
import type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionMutationOptions,
  SessionStore,
} from '../protocol/stored-sessions.js'

async function library() {
  const [
    { createSessionFunctions },
    { configFolder },
    { nodeFiles },
    { nodeClock, createPlatformIdentity },
    { homeFolder },
  ] = await Promise.all([
    import('../sessions/create-session-functions.js'),
    import('../sessions/transcript-paths.js'),
    import('../platform/files/files.js'),
    import('../platform/node-platform.js'),
    import('../platform/home.js'),
  ])
  const { uuid } = createPlatformIdentity()
  const { env } = process
  return createSessionFunctions({
    files: nodeFiles,
    clock: nodeClock,
    newId: uuid,
    configDir: configFolder(env, homeFolder(env)),
    cwd: process.cwd(),
  })
}

/** Newest first; with `dir` only those of that folder and the worktrees of its repository. */
export async function listSessions(options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  return (await library()).listSessions(options)
}

/** Undefined when there is no such session, or nothing was said in it. */
export async function getSessionInfo(
  sessionId: string,
  options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  return (await library()).getSessionInfo(sessionId, options)
}

/** The conversation up to its latest message; empty when there is no such session. */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  return (await library()).getSessionMessages(sessionId, options)
}

/** Copies a session, whole or up to a message; the copy can be resumed at once. */
export async function forkSession(sessionId: string, options?: ForkSessionOptions): Promise<ForkSessionResult> {
  return (await library()).forkSession(sessionId, options)
}

/** Gives a session a title. */
export async function renameSession(sessionId: string, title: string, options?: SessionMutationOptions): Promise<void> {
  await (await library()).renameSession(sessionId, title, options)
}

/** Gives a session a tag; `null` takes it away. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options?: SessionMutationOptions,
): Promise<void> {
  await (await library()).tagSession(sessionId, tag, options)
}

/** Marks a session as put away; lists still have it. The next prompt in it takes that back. */
export async function archiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  await (await library()).archiveSession(sessionId, true, options)
}

/** Puts an archived session back among the others. */
export async function unarchiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  await (await library()).archiveSession(sessionId, false, options)
}

/** Removes a session with all that belongs to it. Rejects when it is in use (`session_in_use`). */
export async function deleteSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  await (await library()).deleteSession(sessionId, options)
}

/** Copies a session of this disk into a store, from where it can be resumed. */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options?: ImportSessionToStoreOptions,
): Promise<void> {
  await (await library()).importSessionToStore(sessionId, store, options)
}

/** Ids of the sub-agents a session had. */
export async function listSubagents(sessionId: string, options?: ListSubagentsOptions): Promise<string[]> {
  return (await library()).listSubagents(sessionId, options)
}

/** What a sub-agent and its model said. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options?: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  return (await library()).getSubagentMessages(sessionId, agentId, options)
}
