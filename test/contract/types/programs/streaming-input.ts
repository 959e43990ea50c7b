// A chat that feeds messages in while the agent works, and steers it.
import { type Options, type Query, query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'

class Inbox implements AsyncIterable<SDKUserMessage> {
  private readonly waiting: SDKUserMessage[] = []
  private wake: (() => void) | undefined
  private ended = false

  push(text: string, sessionId = ''): void {
    this.waiting.push({
      type: 'user',
      session_id: sessionId,
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'text', text }] },
    })
    this.wake?.()
  }

  end(): void {
    this.ended = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void> {
    while (true) {
      const next = this.waiting.shift()
      if (next) yield next
      else if (this.ended) return
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
  }
}

export async function chat(options: Options): Promise<string[]> {
  const inbox = new Inbox()
  const running: Query = query({ prompt: inbox, options: { ...options, includePartialMessages: true, maxTurns: 5 } })
  inbox.push('hello')
  const texts: string[] = []
  for await (const message of running) {
    if (message.type === 'assistant') {
      for (const block of message.message.content) if (block.type === 'text') texts.push(block.text)
    }
    if (message.type === 'stream_event' && message.event.type === 'content_block_delta') {
      if (message.event.delta.type === 'text_delta') process.stdout.write(message.event.delta.text)
    }
    if (message.type === 'result') {
      await running.setModel('claude-sonnet-4-6')
      await running.setModel()
      await running.setPermissionMode('acceptEdits')
      await running.setMaxThinkingTokens(null)
      await running.interrupt()
      inbox.end()
    }
  }
  running.close()
  return texts
}

export async function more(running: Query, texts: string[]): Promise<void> {
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    for (const content of texts) {
      yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: 'default' }
    }
  }
  await running.streamInput(messages())
  const models = await running.supportedModels()
  const commands = (await running.supportedCommands()).map((command) => `/${command.name} ${command.argumentHint}`)
  const account = await running.accountInfo()
  const init = await running.initializationResult()
  console.log(
    models[0]?.displayName,
    commands,
    account.email ?? account.tokenSource,
    init.output_style,
    init.models.length,
  )
  const rewound = await running.rewindFiles('id', { dryRun: true })
  if (!rewound.canRewind) throw new Error(rewound.error ?? 'no')
  console.log(rewound.filesChanged?.length ?? 0, rewound.insertions, rewound.deletions)
}
