/**
 * Git and npm for commands that only look. npm does not ask for news of itself. Git: whatever the repository's settings say by the time it runs, it starts no hook and no
 * watcher, asks no server, signs nothing, writes nothing down, and takes no folder for a repository that merely looks like one.
 * Settings that have names of their own (filters, drivers) can't be overruled this way: those are asked about beforehand.
 */
import type { Environment } from '../../platform/environment.js'

const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
]

export function readOnlyGitEnvironment(env: Environment): Environment {
  // The user's own come first, and the last one counts.
  const first = /^\d{1,4}$/.test(env['GIT_CONFIG_COUNT'] ?? '') ? Number(env['GIT_CONFIG_COUNT']) : 0
  const settings = SETTINGS.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${first + i}`, key],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ])
  return {
    ...env,
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(first + SETTINGS.length),
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    // No protocol has this name. Missing objects would be fetched while looking.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    npm_config_update_notifier: 'false',
  }
}
