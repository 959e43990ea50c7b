// What a tool did, typed by its name.
import type { SDKMessage, ToolInputs, ToolOutputs } from 'kedge'
import type { BashOutput, FileReadInput } from 'kedge/sdk-tools'

export function exitRemark(message: SDKMessage): string | undefined {
  if (message.type !== 'user') return undefined
  const output = message.tool_use_result as ToolOutputs['Bash']
  const same: BashOutput = output
  return same.returnCodeInterpretation
}

export const input: ToolInputs['Read'] = { file_path: '/a', pages: '1-5' }
export const same: FileReadInput = input

export function statusOf(output: ToolOutputs['TaskOutput']): string {
  return `${output.retrieval_status} ${output.task.status} ${output.task.exitCode ?? 'none'}`
}

// @ts-expect-error: there is no such tool.
export type Unknown = ToolOutputs['NoSuchTool']
// @ts-expect-error: a path is text.
export const wrong: ToolInputs['Write'] = { file_path: 5, content: '' }
