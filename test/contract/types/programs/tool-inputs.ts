// A viewer for tool calls, typed with the tools' own inputs and outputs.
import { query } from '@anthropic-ai/claude-agent-sdk'
import type {
  AgentInput,
  AgentOutput,
  AskUserQuestionInput,
  BashInput,
  BashOutput,
  FileEditInput,
  FileEditOutput,
  FileReadInput,
  FileReadOutput,
  FileWriteInput,
  GlobInput,
  GrepInput,
  GrepOutput,
  NotebookEditInput,
  TodoWriteInput,
  ToolInputSchemas,
  ToolOutputSchemas,
  WebSearchOutput,
} from '@anthropic-ai/claude-agent-sdk/sdk-tools.js'

type Inputs = {
  Bash: BashInput
  Edit: FileEditInput
  Glob: GlobInput
  Grep: GrepInput
  NotebookEdit: NotebookEditInput
  Read: FileReadInput
  Task: AgentInput
  TodoWrite: TodoWriteInput
  Write: FileWriteInput
}

const titles: { [Name in keyof Inputs]: (input: Inputs[Name]) => string } = {
  Bash: (input) => `${input.description ?? input.command} ${input.timeout ?? 0} ${input.run_in_background === true}`,
  Edit: (input) =>
    `${input.file_path}: ${input.old_string.length} → ${input.new_string.length} ${input.replace_all ?? false}`,
  Glob: (input) => `${input.pattern} in ${input.path ?? '.'}`,
  Grep: (input) =>
    `${input.pattern} ${input.output_mode ?? 'files_with_matches'} ${input['-i'] ?? false} ${input.head_limit ?? 0}`,
  NotebookEdit: (input) => `${input.notebook_path} ${input.cell_id ?? ''} ${input.edit_mode ?? 'replace'}`,
  Read: (input) => `${input.file_path} ${input.offset ?? 0}+${input.limit ?? 2000} ${input.pages ?? ''}`,
  Task: (input) => `${input.subagent_type}: ${input.description}`,
  TodoWrite: (input) => input.todos.map((todo) => (todo.status === 'completed' ? '✓' : todo.activeForm)).join(),
  Write: (input) => `${input.file_path} ${input.content.length}`,
}

export function title(name: string, input: unknown): string {
  if (name === 'Bash') return titles.Bash(input as BashInput)
  return name in titles ? ((titles as Record<string, (input: unknown) => string>)[name]?.(input) ?? name) : name
}

export function first(question: AskUserQuestionInput): string {
  const [{ header, options, multiSelect }] = question.questions
  return `${header} ${options[0].label} ${options[1].description} ${multiSelect} ${question.answers?.[header] ?? ''}`
}

export function show(
  output: BashOutput | FileReadOutput | FileEditOutput | GrepOutput | AgentOutput | WebSearchOutput,
): string {
  if ('stdout' in output)
    return output.interrupted ? 'interrupted' : output.stdout + output.stderr + (output.backgroundTaskId ?? '')
  if ('structuredPatch' in output) return output.structuredPatch.flatMap((hunk) => hunk.lines).join('\n')
  if ('file' in output)
    return output.type === 'text' ? `${output.file.numLines}/${output.file.totalLines}` : output.type
  if ('filenames' in output) return `${output.numFiles} ${output.content ?? ''} ${output.mode ?? ''}`
  if ('status' in output)
    return output.status === 'completed' ? `${output.totalTokens} ${output.usage.input_tokens}` : output.description
  return output.results
    .map((hit) => (typeof hit === 'string' ? hit : hit.content.map((page) => page.url).join()))
    .join()
}

export const known: ToolInputSchemas = { command: 'ls' } satisfies BashInput
export const done: ToolOutputSchemas = { stdout: '', stderr: '', interrupted: false } satisfies BashOutput

export async function watch(): Promise<void> {
  for await (const message of query({ prompt: 'ls' })) {
    if (message.type === 'assistant') {
      for (const block of message.message.content)
        if (block.type === 'tool_use') console.log(title(block.name, block.input))
    }
    if (message.type === 'user' && message.tool_use_result) console.log(show(message.tool_use_result as BashOutput))
  }
}
