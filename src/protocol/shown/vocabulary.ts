/** The words for decisions, modes, states and notices. Every interface uses them: one thing has one name everywhere. */
import type { PermissionMode, PermissionUpdate } from '../permission-types.js'

/** What a user can answer to a permission request. */
export const PERMISSION_DECISIONS = {
  allowOnce: 'Allow once',
  alwaysAllow: 'Always allow',
  editThenAllow: 'Edit, then allow',
  deny: 'Deny',
  denyWithMessage: 'Deny with a message',
  denyAndStop: 'Deny and stop',
} as const

/** What a user can answer to a plan. */
export const PLAN_DECISIONS = {
  approve: 'Approve',
  approveEdited: 'Approve as edited',
  edit: 'Edit the plan',
  sendBack: 'Send back',
  sendBackWithComments: 'Send back with comments',
} as const

/** What a user can answer to questions and forms. */
export const QUESTION_AND_FORM_ANSWERS = {
  ownAnswer: 'In your own words…',
  leaveOut: 'Leave out',
  send: 'Send answers',
  change: 'Change answers',
  dontAnswer: "Don't answer",
  accept: 'Accept',
  /** The page that a form names. */
  visited: 'I have been there',
  decline: 'Decline',
} as const

/** What a user can do about a sign-in to an MCP server, and what is said on the way. */
export const SIGN_IN_TEXTS = {
  start: 'Sign in',
  startWithCode: 'Sign in with a code',
  notNow: 'Not now',
  cancel: 'Cancel sign-in',
  paste: 'Paste the address',
  finish: 'Finish sign-in',
  openPage: 'Open sign-in page',
  offer: (url: string) => `The MCP server at ${url} needs a sign-in. Its tools are available after that.`,
  visit: 'Sign in on this page. Kedge continues when you are back.',
  code: (code: string) => `The page asks for this code, or shows it: ${code}`,
  pasteHint: "If your browser can't open the page it ends at, paste its address here:",
  pasteExample: 'http://localhost:…/callback?code=…',
  failed: (problem: string) => `Not signed in: ${problem}`,
  started: 'Signing in…',
  finished: 'Address sent.',
  declined: 'Not signed in.',
} as const

/** The modes in which a session can continue after a plan, the narrowest first. */
export const MODES_AFTER_PLAN: readonly { mode: PermissionMode; label: string }[] = [
  { mode: 'default', label: 'Approve, ask before edits' },
  { mode: 'acceptEdits', label: 'Approve, accept edits' },
  { mode: 'bypassPermissions', label: 'Approve, bypass permissions' },
]

export const MODE_NAMES: Readonly<Record<PermissionMode, { name: string; description: string }>> = {
  default: { name: 'Ask first', description: 'Asks before anything that can do harm' },
  acceptEdits: { name: 'Accept edits', description: 'Edits files of the project without asking' },
  plan: { name: 'Plan only', description: 'Reads and plans, changes nothing' },
  dontAsk: { name: 'Deny instead of asking', description: 'Denies what it would have to ask about' },
  delegate: { name: 'Delegate', description: 'Reads, and hands the work to sub-agents' },
  bypassPermissions: { name: 'Bypass permissions', description: 'Runs everything without asking' },
}

/** Returns what a suggested change allows beyond its name, in one line. Undefined: its name says all of it. */
export function suggestionCoverage(update: PermissionUpdate): string | undefined {
  return update.type === 'setMode' && update.mode === 'acceptEdits' ? ACCEPT_EDITS_COVERAGE : undefined
}

/** The programs are those whose `edits` the permission checks know. */
export const ACCEPT_EDITS_COVERAGE = 'file edits, and mkdir, touch, rm, mv, cp, sed in this folder'

/** Returns a mode's name, or the mode itself if it's unknown. */
export function modeName(mode: string): string {
  return (Object.hasOwn(MODE_NAMES, mode) ? MODE_NAMES[mode as PermissionMode] : undefined)?.name ?? mode
}

/** The kinds of requests that a user answers. */
export const REQUEST_KINDS = {
  permission: 'Permission request',
  question: 'Question',
  plan: 'Plan',
  elicitation: 'Form',
  'sign-in': 'Sign-in',
} as const

/** What a request asks, where the tool call doesn't say it. */
export const REQUEST_TITLES = {
  question: 'A question for you',
  elicitation: (server: string) => `${server} asks for input`,
  signIn: (server: string) => `Sign in to ${server}`,
}

/** Where a rule is saved and for whom it applies. */
export const RULE_SCOPES = {
  session: 'for this session',
  local: 'for you in this project, saved to .claude/settings.local.json',
  project: 'for everyone in this project, saved to .claude/settings.json',
  user: 'for you in every project, saved to ~/.claude/settings.json',
} as const

export const SESSION_STATES = {
  running: 'Running',
  'needs-you': 'Needs you',
  idle: 'Idle',
  done: 'Done',
  error: 'Failed',
} as const

export const CALL_STATES = {
  writing: 'being written',
  called: 'running',
  waiting: 'waiting for you',
  running: 'running',
  background: 'running in the background',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  unfinished: 'not finished',
} as const

export const TASK_STATES = {
  running: 'running',
  pending: 'waiting',
  paused: 'paused',
  completed: 'done',
  failed: 'failed',
  killed: 'stopped',
  stopped: 'stopped',
} as const

/** What happens to a session, in a sentence. */
export const NOTICE_TEXTS = {
  compacting: 'Summarizing the conversation…',
  compacted: 'The conversation was summarized.',
  compactedFrom: (tokens: number, isAutomatic: boolean) =>
    `${isAutomatic ? 'automatically' : 'on request'}, from ${Math.round(tokens / 1000)}k tokens`,
  notCompacted: "The conversation couldn't be summarized.",
  cleared: 'The conversation was cleared.',
  stopped: 'Stopped.',
  notFinished: 'It was not finished.',
  continuesInBackground: 'Continues in the background',
  endedBefore: 'The turn ended before this was done.',
  stoppedWithSession: 'It was stopped when the session ended, unless it had ended before.',
  retry: (attempt: number, most: number) => `The model did not respond: attempt ${attempt} of ${most} failed.`,
  retryIn: (seconds: number) => `next attempt in ${seconds} s`,
  hookFailed: (hook: string) => `Hook ${hook} failed.`,
  /** It ended with code 2, by which a hook stops an action or a turn's end. */
  hookObjected: (hook: string) => `Hook ${hook} objected.`,
  deniedByRule: (tool: string) => `${tool} was denied by a rule.`,
  serverFailed: (server: string) => `MCP server ${server} could not be connected.`,
  serverNeedsSignIn: (server: string) => `MCP server ${server} needs a sign-in.`,
  someServer: 'An MCP server',
  notMirrored: 'The session was not saved everywhere.',
  fileNotKept: (file: string) => `${file} was not saved.`,
  rateLimited: 'The rate limit is reached.',
  rateLimitNear: 'The rate limit is near.',
  rateLimitUntil: (time: string) => `until ${time}`,
  agentFailed: 'The agent failed.',
  promptInterrupted: 'A prompt was not finished.',
  rewound: 'Gone back to before this point.',
  modelFailed: (reason: string) => `The model request failed: ${reason}`,
  beforeLog: 'This was said before this session was opened here',
  earlierLeftOut: (count: number) => `${count} earlier ${count === 1 ? 'message is' : 'messages are'} in the export`,
} as const
