/** What commands in the sandbox may not read or change beside what the settings of the sandbox say. */
import { fixedPathOfPattern, matchesFile } from '../../permissions/file-pattern.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { dirname, isInside, join } from '../../platform/paths.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { isVariableOn } from '../../platform/switch.js'
import type { SandboxRequest } from '../../sandbox/sandbox-request.js'
import type { SessionLocation } from '../configuration.js'

type Patterns = NonNullable<SandboxRequest['hiddenPatterns']>

/** In the home folder and in ours: the keys this program itself goes by. */
const OWN_SECRETS = ['.credentials.json', '.claude-oauth-credentials.json', '.claude.json', '.claude.json.api']

type Guarded = Pick<SandboxRequest, 'hiddenPaths' | 'hiddenPatterns' | 'protectedPaths' | 'protectedPatterns'>

/** As the rules are at the moment. */
export async function findSandboxGuardedFiles(
  { home, configDir, env }: Omit<SessionLocation, 'cwd'>,
  directories: readonly string[],
  deniedFiles: Permissions['deniedFiles'],
): Promise<Guarded> {
  const folders = [...new Set([home, join(home, '.claude'), configDir])]
  const { listSecretPaths } = await import('../../sandbox/open-sandbox.js')
  const secrets = isVariableOn(env['KEDGE_PASS_SECRETS']) ? [] : listSecretPaths(home)
  const ripgrep = findRipgrep(env)
  return {
    hiddenPaths: [
      ...folders.flatMap((folder) => OWN_SECRETS.map((name) => join(folder, name))),
      // In a working directory, the user wants the agent to see these files.
      ...secrets.filter((path) => !directories.some((directory) => isInside(directory, path))),
    ],
    hiddenPatterns: toPatterns(await deniedFiles('read')),
    protectedPaths: [configDir, codeCache(home, env), ...(ripgrep === undefined ? [] : [dirname(ripgrep)])],
    protectedPatterns: toPatterns(await deniedFiles('edit')),
  }
}

function toPatterns(denied: Awaited<ReturnType<Permissions['deniedFiles']>>): Patterns {
  return denied.map(({ pattern, text }) => {
    const firm = pattern.segments.findIndex((segment) => /[*?[\\]/.test(segment))
    // The place itself, or all that is below it.
    const all = firm < 0 || pattern.segments.slice(firm).every((segment) => /^\*\*?$/.test(segment))
    return { start: fixedPathOfPattern(pattern), all, matches: (path) => matchesFile(pattern, path), text }
  })
}

/** What is in it is run without a further look. */
function codeCache(home: string, env: SessionLocation['env']): string {
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'kedge')
}
