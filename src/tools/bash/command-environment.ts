/** The environment commands run in: the session's own, without secrets they do not need and without our internals. */
import type { Environment } from '../../platform/environment.js'
import { PROCESS_MARKS_VARIABLE } from '../../platform/processes/process-marks.js'
import { isVariableOn } from '../../platform/switch.js'
import { onlyAbsolutePathEntries } from './find-shell.js'

/** Nothing a command does needs the keys of the agent that runs it. Keys of other programs are the user's to give. */
const SECRETS =
  /^(?:ANTHROPIC_(?:.*_)?(?:KEY|TOKEN|CUSTOM_HEADERS)|CLAUDE_API_KEY|CLAUDE_CODE_OAUTH_TOKEN|AWS_BEARER_TOKEN_BEDROCK)$/
/** Files bash would read before the command, and what makes it read the command differently than it was judged. */
const SHELL_SETTINGS = ['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'CDPATH', 'GLOBIGNORE', 'POSIXLY_CORRECT']

/** Names, with commas between them: variables whose value is the key of a service that the model is of. */
export const MODEL_KEY_NAMES_VARIABLE = 'KEDGE_KEY_VARIABLES'

export function commandEnvironment(env: Environment, cwd: string): Environment {
  const passSecrets = isVariableOn(env['KEDGE_PASS_SECRETS'])
  const keys = (env[MODEL_KEY_NAMES_VARIABLE] ?? '').split(',')
  const left: Record<string, string | undefined> = {}
  for (const name of Object.keys(env)) {
    if (name.startsWith('KEDGE_') && name !== PROCESS_MARKS_VARIABLE) continue
    if (SHELL_SETTINGS.includes(name) || (!passSecrets && (SECRETS.test(name) || keys.includes(name)))) continue
    left[name] = env[name]
  }
  const certificates = env['KEDGE_EXTRA_CA_CERTS']
  return {
    ...left,
    PATH: onlyAbsolutePathEntries(env['PATH']),
    // Moved aside at our own start, where it costs 80 ms; the programs we start shall see what the user set.
    ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
    // Nobody is there to answer a prompt or to close an editor.
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    CLAUDECODE: '1',
    PWD: cwd,
  }
}
