/** The engine's answer to a case in the small world. */
import type { PermissionDecision } from '../../src/engine/ports.js'
import { createPermissions } from '../../src/permissions/permission-engine.js'
import { bashCall, fakeLinks } from '../../src/permissions/test-engine.js'
import type { Case } from './generate-rules.js'
import { FILES, HOME, LINKS, REPO, ROOTS, TRAPS } from './world.js'

/** What the project has in its `.git`, as far as paths are concerned. */
const GIT = ['HEAD', 'config', 'index', 'refs/heads/main', 'objects', 'hooks'].map((name) => `${REPO}/.git/${name}`)

const files = fakeLinks([...Object.keys(FILES), ...TRAPS, ...GIT, ...ROOTS, '/tmp', '/etc/hostname', '/usr/bin'], LINKS)

export async function judge({ command, rules, mode, cwd }: Case): Promise<PermissionDecision['behavior']> {
  const permissions = createPermissions({ files, cwd: REPO, home: HOME, mode, allowBypass: true, ...rules })
  return (await permissions.decide(...bashCall(command, cwd ?? REPO))).behavior
}
