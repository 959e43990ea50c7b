/** The sentences of decisions. Those the protocol quotes are verbatim; hosts and models have learned them. */

export const OUTSIDE_DIRECTORIES = 'Path is outside allowed working directories'
export const NEEDS_APPROVAL = 'This command requires approval'
export const gitMayRunPrograms = (why: string) => `Git may run programs that the repository names: ${why}`
export const SEVERAL_FOLDER_CHANGES = 'The command changes its directory more than once'
export const WRITE_AFTER_FOLDER_CHANGE = 'The command changes its directory before it writes'
export const REDIRECT_AFTER_FOLDER_CHANGE = 'The command changes its directory and redirects its output'
export const MOVED_FOLDER = 'The working directory was moved, or a link took its place, while the command was judged'
export const LONG_PATH = 'The path is longer than any file can have'
export const SHARED_FILE = 'The file has other names (hard links), which may be outside the working directories'
export const SEVERAL_SERVERS =
  'The name can mean tools of more than one MCP server, so no rule approves it. Rename one of the servers.'
export const DENIED_FILE = 'File is in a directory that is denied by your permission settings.'

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

export function writeNotGranted(path: string): string {
  return `Claude requested permissions to write to ${path}, but you haven't granted it yet.`
}

export function readNotGranted(path: string): string {
  return `Claude requested permissions to read from ${path}, but you haven't granted it yet.`
}

export function commandTouchesText(path: string, action: 'read' | 'write'): string {
  return `This command would ${action === 'read' ? 'read from' : 'write to'} ${path}, which needs approval first.`
}

export function commandDenied(command: string): string {
  return `Permission to use Bash with command ${command} has been denied.`
}

export function searchDenied(path: string): string {
  return `Permission to read ${path} has been denied.`
}

export function domainDenied(domain: string): string {
  return `WebFetch denied access to ${domain}.`
}

export function toolDenied(toolName: string): string {
  return `Permission to use ${toolName} has been denied.`
}

export function dontAskDenied(toolName: string): string {
  return `Permission to use ${toolName} has been denied because this session runs in don't-ask mode, where everything that would need a question is refused.`
}

export function delegateDenied(toolName: string): string {
  return `Permission to use ${toolName} has been denied because this session is in delegate mode, where the main thread only reads, asks and hands work on. Delegate this to an agent with the Task tool.`
}

export const SANDBOX_MISSING =
  "The sandbox is turned on but can't be used here, so a person must approve running this command without it."

export const LEAVES_SANDBOX = 'This command asks to run outside the sandbox, so a person must approve it.'

export function protectedPath(path: string): string {
  return `${path} can change how this or other programs run, so a person must approve writing to it.`
}

export function criticalRemoval(what: string): string {
  return `"${what}" removes something that the system, the home folder or this project depends on, so a person must approve it.`
}

export function notUnderstoodReason(problem: string): string {
  return `The command can't be judged because ${problem}.`
}
