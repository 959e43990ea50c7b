/** A page of the documentation: whatever has a `message` has its content. */
import { query } from '@anthropic-ai/claude-agent-sdk'

export async function texts(prompt: string): Promise<string[]> {
  const found: string[] = []
  for await (const message of query({ prompt })) {
    if (!('message' in message)) continue
    const { content } = message.message
    if (typeof content === 'string') found.push(content)
    else for (const block of content) if (block.type === 'text') found.push(block.text)
  }
  return found
}
