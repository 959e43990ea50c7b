/** What the model reads about Bash. */
import type { BashSandbox } from './sandbox-port.js'

/** Without `sandbox` nothing is said about one, and without a background nothing about that. */
export function bashToolDescription(sandbox: BashSandbox['rules'] | undefined, background = true): string {
  const prompt = [...FIRST, ...(background ? BACKGROUND : FOREGROUND), ...LAST].join('\n')
  return sandbox ? `${prompt}\n${sandboxPrompt(sandbox)}` : prompt
}

const FIRST = [
  'Runs a command line in bash and returns its output, stdout and stderr together in order.',
  '',
  "- Each call starts a new shell. The working directory carries over to the next call; variables, functions and aliases do not. Exports of the user's login shell are set.",
  "- Relative paths of all tools start at the working directory. It stays inside the session's folders: a command that ends elsewhere is followed by a reset, and the result says so.",
  '- To look at files use Read, not cat or head.',
  '- To change files use Edit or Write, not sed or echo.',
  '- To search use Glob and Grep, not find, grep or rg.',
  '- Quote paths with spaces. Join commands that depend on each other with &&; send independent ones as separate calls in one message.',
  '- There is no terminal and no input: a program that asks a question sees the end of its input. Use options such as --yes, and never open an editor or a pager.',
]

const BACKGROUND = [
  '- A command may take two minutes, or the given timeout, at most ten minutes. One that takes longer continues in the background as a task.',
  "- Use run_in_background for a command that runs for a long time or never ends, such as a server; don't add &. The result names a task id and an output file, and you are told when the task ends. Don't wait for it with sleep.",
]

const FOREGROUND = ['- A command may take two minutes, or the given timeout, at most ten minutes; then it is ended.']

const LAST = [
  '- Processes left running with & stay until the session ends, and what they print later is lost.',
  '- Output beyond 30000 characters is cut in the middle; the result then names a file that has all of it.',
  '- A command that prints an image and nothing else shows that image.',
  '- API keys of this session are not in the environment of commands.',
  "- Don't commit, push or change anything outside the task unless you were asked to.",
]

function sandboxPrompt({ hosts, writable, excluded, mayLeave }: BashSandbox['rules']): string {
  const folders = ['the working directories', ...writable, '$TMPDIR'].join(', ')
  const network = hosts
    ? `Of the network they reach these hosts only: ${hosts.join(', ')}.`
    : 'They have no network; servers they start are reachable by the same command only.'
  const outside = mayLeave
    ? '- Set dangerouslyDisableSandbox only for a command that failed because of the sandbox ("Read-only file system", "Operation not permitted", a host out of reach), or that the user wants to run outside. The user decides about each such call.'
    : '- Nothing turns the sandbox off. If a command does not work inside, tell the user.'
  return [
    'Commands run in a sandbox:',
    `- They can write to ${folders} and to a /tmp of their own, which the other tools do not see. Everything else is read-only, and so are files that other programs act upon, such as .git/hooks, .git/config, .claude, .vscode and .mcp.json. Credentials can't be read.`,
    `- ${network}`,
    '- What a command leaves running with & ends with it: use run_in_background instead.',
    ...(excluded.length > 0
      ? [`- Outside the sandbox, when nothing else is on the command line, run: ${excluded.join(', ')}.`]
      : []),
    outside,
  ].join('\n')
}
