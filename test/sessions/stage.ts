/** Runs an agent in this process with a file system of the test's own, one prompt at a time. */
import { runAgent } from '../../src/agent/run-agent.js'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { nodePlatform } from '../../src/platform/node-platform.js'
import { createChannelPair } from '../../src/transport/channel.js'

export type StageOptions = {
  cwd: string
  env: Record<string, string | undefined>
  files?: FileSystem
  argv?: readonly string[]
  /** Called with each message just before it goes out. */
  onMessage?(message: Message): void
}

export type Message = {
  type: string
  subtype?: string
  uuid?: string
  session_id?: string
  content?: string
  result?: string
  errors?: string[]
  filePath?: string
  entries?: unknown[]
  is_error?: boolean
}

export const FLAGS = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
  '--model',
  'claude-sonnet-4-5-20250929',
  '--permission-mode',
  'default',
  '--setting-sources',
  '',
  '--allowedTools',
  'Bash,Read',
]

/** One prompt; resolves with everything that was said when the agent has ended. */
export async function ask(prompt: string, { cwd, env, files = nodeFiles, argv = [], onMessage }: StageOptions) {
  const [host, agent] = createChannelPair<object, object>()
  const messages: Message[] = []
  let stderr = ''
  const reading = (async () => {
    // The agent's own messages; the tests look at few of their fields.
    for await (const message of host.incoming) messages.push(message as Message)
  })()
  void host.send({ type: 'user', session_id: '', message: { role: 'user', content: prompt }, parent_tool_use_id: null })
  host.end()
  const code = await runAgent({
    argv: [...FLAGS, ...argv],
    env,
    cwd,
    home: env.HOME ?? '',
    platform: { ...nodePlatform(), files },
    channel: {
      ...agent,
      send(message) {
        onMessage?.(message as Message)
        return agent.send(message)
      },
    },
    stderr: (text) => {
      stderr += text
    },
    signal: new AbortController().signal,
  })
  await reading
  const result = messages.find(({ type }) => type === 'result')
  return { code, messages, stderr, result, sessionId: result?.session_id ?? '' }
}

/** Ids of messages that say: this is part of the session now. */
export function acknowledged(messages: readonly Message[]): string[] {
  return messages.flatMap(({ type, uuid }) => ((type === 'assistant' || type === 'user') && uuid ? uuid : []))
}

/** What the model does: looks at a file, says what it saw; the same for every prompt. */
export function lookAround({ index, toolResults }: { index: number; toolResults: readonly { isError: boolean }[] }) {
  if (toolResults.some(({ isError }) => !isError)) return `Seen ${index}.`
  return { text: `Look ${index}.`, tools: [{ id: `toolu_${index}`, name: 'Read', input: { file_path: 'notes.txt' } }] }
}
