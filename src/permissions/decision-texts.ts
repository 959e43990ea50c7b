/** The sentences of decisions. Those the protocol quotes are verbatim; hosts and models have learned them. */

export const OUTSIDE_DIRECTORIES_TEXT = 'Path is outside allowed working directories'
export const NEEDS_APPROVAL_TEXT = 'This command requires approval'
export const gitMayRunProgramsText = (why: string) => `Git may run programs that the repository names: ${why}`
export const SEVERAL_FOLDER_CHANGES_TEXT = 'The command changes its directory more than once'
export const WRITE_AFTER_FOLDER_CHANGE_TEXT = 'The command changes its directory before it writes'
export const REDIRECT_AFTER_FOLDER_CHANGE_TEXT = 'The command changes its directory and redirects its output'
export const REPLACED_WORKING_DIRECTORY_TEXT =
  'The working directory was moved, or a link took its place, while the command was judged'
export const LONG_PATH_TEXT = 'The path is longer than any file can have'
export const HARD_LINKED_FILE_TEXT =
  'The file has other names (hard links), which may be outside the working directories'
export const AMBIGUOUS_MCP_SERVER_TEXT =
  'The name can mean tools of more than one MCP server, so no rule approves it. Rename one of the servers.'
export const DENIED_FILE_TEXT = 'File is in a directory that is denied by your permission settings.'

export function notGrantedText(toolName: string): string {
  return `Claude requested permissions to use ${toolName}, but you haven't granted it yet.`
}

/** Returns the message of a call that only the user can answer, if no user is there. */
export function noUserToAnswerText(toolName: string): string {
  const questions = new Map([
    ['AskUserQuestion', 'Answer questions?'],
    ['ExitPlanMode', 'Exit plan mode?'],
  ])
  return questions.get(toolName) ?? notGrantedText(toolName)
}

export function writeNotGrantedText(path: string): string {
  return `Claude requested permissions to write to ${path}, but you haven't granted it yet.`
}

export function readNotGrantedText(path: string): string {
  return `Claude requested permissions to read from ${path}, but you haven't granted it yet.`
}

export function commandTouchesText(path: string, action: 'read' | 'write'): string {
  return `This command would ${action === 'read' ? 'read from' : 'write to'} ${path}, which needs approval first.`
}

export function commandDeniedText(command: string): string {
  return `Permission to use Bash with command ${command} has been denied.`
}

export function searchDeniedText(path: string): string {
  return `Permission to read ${path} has been denied.`
}

export function domainDeniedText(domain: string): string {
  return `WebFetch denied access to ${domain}.`
}

export function toolDeniedText(toolName: string): string {
  return `Permission to use ${toolName} has been denied.`
}

export function dontAskDeniedText(toolName: string): string {
  return `Permission to use ${toolName} has been denied because this session runs in don't-ask mode, where everything that would need a question is refused.`
}

export function delegateDeniedText(toolName: string): string {
  return `Permission to use ${toolName} has been denied because this session is in delegate mode, where the main thread only reads, asks and hands work on. Delegate this to an agent with the Task tool.`
}

export const SANDBOX_MISSING_TEXT =
  "The sandbox is turned on but can't be used here, so a person must approve running this command without it."

export const LEAVES_SANDBOX_TEXT = 'This command asks to run outside the sandbox, so a person must approve it.'

export function protectedPathText(path: string): string {
  return `${path} can change how this or other programs run, so a person must approve writing to it.`
}

export function criticalRemovalText(what: string): string {
  return `"${what}" removes something that the system, the home folder or this project depends on, so a person must approve it.`
}

export function notUnderstoodReason(problem: string): string {
  return `The command can't be judged because ${problem}.`
}
