/** What the model reads about Bash. */
import type { BashSandbox } from './sandbox-port.js'

/** Without `sandbox` nothing is said about one. */
export function bashPrompt(sandbox: BashSandbox['rules'] | undefined): string {
  return sandbox ? `${PROMPT}\n${sandboxPrompt(sandbox)}` : PROMPT
}

const PROMPT = `Runs a command line in bash and returns what it prints, stdout and stderr together in order.

- Each call starts a new shell. The working directory carries over from call to call; variables, functions and aliases do not. No start-up files are read, but what the user's login shell exports is set.
- The directory must stay inside the working directories: a command that ends elsewhere is followed by a reset, and the result says so. Absolute paths save most uses of cd.
- Prefer the dedicated tools where there is one: Read instead of cat or head, Edit instead of sed, Write instead of echo with a redirect, Glob instead of find, Grep instead of grep or rg.
- Put paths with blanks in double quotes. Join commands that depend on each other with &&, and send independent ones as separate calls in one message.
- There is no terminal and no input: programs that ask questions see the end of their input. Use options such as --yes, and never open an editor or a pager.
- A command is waited for two minutes, or for the given timeout (at most ten minutes); one that takes longer goes on in the background as a task.
- Use run_in_background for what runs long or for ever, such as servers and watchers; no & is needed. You get a task id and a file that fills with the output, and you are told when the task ends. Do not wait for it with sleep.
- Processes that a command leaves running with & stay until the session ends; what they print later is lost.
- Output beyond 30000 characters is shortened in the middle; the result then names a file that holds all of it.
- A command whose whole output is an image (its bytes, or a data URL) shows you that image.
- API keys of this session are not in the environment of commands.
- Do not commit, push, or change anything outside the task unless you were asked to.`

function sandboxPrompt({ hosts, writable, excluded, mayLeave }: BashSandbox['rules']): string {
  const folders = ['the working directories', ...writable, '$TMPDIR'].join(', ')
  const network = hosts
    ? `Of the network they reach these hosts only: ${hosts.join(', ')}.`
    : 'They have no network; servers they start are reachable by the same command only.'
  const outside = mayLeave
    ? '- Set dangerouslyDisableSandbox only for a command that failed because of the sandbox (as "Read-only file system", "Operation not permitted" or a host that can not be reached tell) or that the user asked to be run outside. The user then decides about that one call; it says nothing about the next.'
    : '- Nothing turns the sandbox off: dangerouslyDisableSandbox has no effect. When a command can not work inside, say so to the user.'
  return [
    'Commands run in a sandbox:',
    `- They can write to ${folders} and to a /tmp of their own, which the other tools do not see. Everything else is read-only; so are, inside the working directories, files that others act upon, such as .git/hooks, .git/config, .claude, .vscode and .mcp.json. Credentials can not be read.`,
    `- ${network}`,
    '- What a command leaves running with & ends with it: use run_in_background instead.',
    ...(excluded.length > 0
      ? [`- Outside the sandbox, when nothing else is on the command line, run: ${excluded.join(', ')}.`]
      : []),
    outside,
  ].join('\n')
}
