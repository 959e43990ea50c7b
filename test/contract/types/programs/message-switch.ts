// A renderer that knows every kind of message.
import type {
  SDKAssistantMessage,
  SDKCompactBoundaryMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKResultMessage,
  SDKSystemMessage,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk'

export function render(message: SDKMessage): string {
  switch (message.type) {
    case 'assistant':
      return assistant(message)
    case 'user':
      return user(message)
    case 'result':
      return result(message)
    case 'stream_event':
      return partial(message)
    case 'tool_progress':
      return `${message.tool_name} ${message.elapsed_time_seconds.toFixed(1)}s`
    case 'auth_status':
      return `${message.isAuthenticating} ${message.output.join('\n')} ${message.error ?? ''}`
    case 'tool_use_summary':
      return `${message.summary} ${message.preceding_tool_use_ids.length}`
    case 'system':
      switch (message.subtype) {
        case 'init':
          return init(message)
        case 'compact_boundary':
          return boundary(message)
        case 'status':
          return message.status ?? 'idle'
        case 'hook_started':
          return `${message.hook_event} ${message.hook_name}`
        case 'hook_progress':
          return message.stdout + message.stderr
        case 'hook_response':
          return `${message.outcome} ${message.exit_code ?? '-'}`
        case 'task_started':
          return `${message.task_id} ${message.description} ${message.task_type ?? ''}`
        case 'task_notification':
          return `${message.status} ${message.summary} ${message.output_file} ${message.usage?.total_tokens ?? 0}`
        case 'files_persisted':
          return `${message.files[0]?.file_id} ${message.failed[0]?.error} ${message.processed_at}`
        default:
          return ''
      }
    default:
      return ''
  }
}

function assistant({ message, parent_tool_use_id: parent, error }: SDKAssistantMessage): string {
  const parts: string[] = []
  for (const block of message.content) {
    if (block.type === 'text') parts.push(block.text)
    else if (block.type === 'thinking') parts.push(`(${block.thinking})`)
    else if (block.type === 'tool_use') parts.push(`${block.name}#${block.id} ${JSON.stringify(block.input)}`)
  }
  return `${parent ?? 'main'} ${message.model} ${message.stop_reason ?? ''} ${error ?? ''} ${parts.join(' ')}`
}

function user({ message, isSynthetic, uuid }: SDKUserMessage): string {
  if (typeof message.content === 'string') return `${message.content} ${isSynthetic === true} ${uuid?.slice(0, 8)}`
  const results: string[] = []
  for (const block of message.content) {
    if (block.type === 'tool_result') {
      results.push(typeof block.content === 'string' ? block.content : `${block.content?.length ?? 0} parts`)
    }
  }
  return results.join('\n')
}

function result(message: SDKResultMessage): string {
  if (message.subtype === 'success') return `${message.result} ${JSON.stringify(message.structured_output)}`
  return `${message.subtype}: ${message.errors.join('; ')} after ${message.num_turns} turns, ${message.stop_reason}`
}

function partial({ event }: SDKPartialAssistantMessage): string {
  if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') return event.content_block.name
  if (event.type === 'message_delta') return `${event.delta.stop_reason} ${event.usage.output_tokens}`
  if (event.type === 'message_start') return `${event.message.id} ${event.message.usage.input_tokens}`
  if (event.type !== 'content_block_delta') return ''
  switch (event.delta.type) {
    case 'text_delta':
      return event.delta.text
    case 'input_json_delta':
      return event.delta.partial_json
    case 'thinking_delta':
      return event.delta.thinking
    default:
      return ''
  }
}

function init(message: SDKSystemMessage): string {
  const servers = message.mcp_servers.map((server) => `${server.name}:${server.status}`)
  return [
    message.model,
    message.cwd,
    message.permissionMode,
    message.tools.length,
    ...servers,
    message.session_id,
  ].join(' ')
}

function boundary({ compact_metadata: { trigger, pre_tokens: tokens } }: SDKCompactBoundaryMessage): string {
  return `${trigger === 'auto' ? 'automatic' : 'asked for'}, ${tokens.toLocaleString()} tokens`
}
