// Prompts with pictures and documents, built from the API library's own types.
import { readFile } from 'node:fs/promises'
import { query, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import type Anthropic from '@anthropic-ai/sdk'
import type { Base64ImageSource, ContentBlockParam, ImageBlockParam, MessageParam } from '@anthropic-ai/sdk/resources'

async function image(path: string, mediaType: Base64ImageSource['media_type']): Promise<ImageBlockParam> {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: await readFile(path, 'base64') } }
}

function wrap(message: MessageParam): SDKUserMessage {
  return { type: 'user', session_id: '', parent_tool_use_id: null, message }
}

function toolResult(id: string, content: Anthropic.ToolResultBlockParam['content']): SDKUserMessage {
  return wrap({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
}

export async function* prompts(paths: string[]): AsyncGenerator<SDKUserMessage> {
  const content: ContentBlockParam[] = [
    { type: 'text', text: 'What is on these?', cache_control: { type: 'ephemeral' } },
  ]
  for (const path of paths) content.push(await image(path, 'image/png'))
  content.push({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' }, title: 'A' })
  yield wrap({ role: 'user', content })
  yield toolResult('toolu_1', [{ type: 'text', text: 'done' }])
}

export async function run(): Promise<string[]> {
  const texts: string[] = []
  for await (const message of query({ prompt: prompts(['a.png']) })) {
    if (message.type !== 'assistant') continue
    const blocks = message.message.content as { type: string; text?: string }[]
    texts.push(...blocks.map((block) => block.text ?? ''))
  }
  return texts
}
