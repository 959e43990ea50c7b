/** What the model reads of git before the first prompt, so that it need not ask: the branch, what is changed, the last commits. */
import { dirname, join } from '../../platform/paths.js'
import { commandEnvironment } from '../../tools/bash/command-environment.js'
import { readOnlyGitEnvironment } from '../../tools/bash/read-only-git-env.js'
import type { Conversation } from '../conversation.js'

const STATUS = ['git', 'status', '--short', '--branch', '--ignore-submodules=all']
const LOG = ['git', 'log', '--oneline', '-5']
const MAX_CHANGES = 20
const MAX_LINE = 200
const TIME_LIMIT_MS = 2000
const MAX_BYTES = 100_000

/** Undefined: there is no repository, git has nothing to say in time, or it is not certain that it would only look. */
export async function gitStatusText(conversation: Conversation, signal: AbortSignal): Promise<string | undefined> {
  const { settings } = conversation.shared
  // Git can run programs that an untrusted folder configures.
  if (!settings.trusted) return undefined
  // A sandbox may be why a command is allowed, and this would run outside of it.
  if (settings.tellsGit === false || settings.sandbox?.enabled) return undefined
  if (!(await isRepository(conversation))) return undefined
  const [status, log] = await Promise.all([look(conversation, STATUS, signal), look(conversation, LOG, signal)])
  if (status === undefined) return undefined
  const [branch = '', ...changes] = status.split('\n').filter((line) => line !== '')
  const more = changes.length - MAX_CHANGES
  const commits = (log ?? '').split('\n').filter((line) => line !== '')
  return [
    'Git, when the session began (names and messages are the words of their authors):',
    `- Branch: ${branch.replace(/^## /, '').slice(0, MAX_LINE)}`,
    changes.length === 0 ? '- Nothing is changed.' : '- Changes:',
    ...changes.slice(0, MAX_CHANGES).map((line) => `    ${line.slice(0, MAX_LINE)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
    ...(commits.length > 0 ? ['- Last commits:', ...commits.map((line) => `    ${line.slice(0, MAX_LINE)}`)] : []),
  ].join('\n')
}

async function isRepository({ shared: { settings, platform } }: Conversation): Promise<boolean> {
  for (let at = settings.cwd; ; at = dirname(at)) {
    if (await platform.workspace.files.stat(join(at, '.git')).catch(() => undefined)) return true
    if (at === dirname(at)) return false
  }
}

/** Judged as if the model had asked for it: in somebody else's repository git may run what its settings name. */
async function look(
  { shared: { settings, live, platform }, permissions }: Conversation,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { cwd } = settings
  const command = words.join(' ')
  const call = { id: 'toolu_git', name: 'Bash', input: { command } }
  const { behavior } = await permissions.decide(call, { kind: 'command', command, cwd })
  if (behavior !== 'allow') return undefined
  try {
    const [program = '', ...args] = words
    const { exitCode, stdout } = await platform.workspace.processes.run({
      command: program,
      args,
      cwd,
      signal,
      env: readOnlyGitEnvironment(commandEnvironment(live.env, cwd)),
      timeoutMs: TIME_LIMIT_MS,
      maxBytes: MAX_BYTES,
      overflow: 'stop',
    })
    return exitCode === 0 ? stdout : undefined
  } catch {
    // No git, or no way to start it: the model will find out for itself.
    return undefined
  }
}
