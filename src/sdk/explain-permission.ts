/** `explainPermission()`: what would happen to a tool call, and why, without making it. */
import { resolve } from '../platform/paths.js'
import type { Platform } from '../platform/platform.js'
import type { ExplainPermissionOptions, PermissionExplanation } from '../protocol/permission-types.js'
import type { Surroundings } from '../runtime/permission/explain-call.js'

/** Many calls are asked about one after another, and what is around them stays the same. */
let kept: { platform: Platform; around: Surroundings } | undefined

/** Rejects with a `ConfigurationError` that names the field when the question makes no sense. */
export async function explainPermission(options: ExplainPermissionOptions): Promise<PermissionExplanation> {
  // The permission engine and the tools are loaded here, as a query does it, so that importing the library stays cheap.
  const [{ explainPermission: explain, createSurroundings }, { nodePlatform }, { homeFolder }] = await Promise.all([
    import('../runtime/permission/explain-call.js'),
    import('../platform/node-platform.js'),
    import('../platform/home.js'),
  ])
  const given = { ...options }
  const cwd = typeof given.cwd === 'string' ? resolve(process.cwd(), given.cwd) : (given.cwd ?? process.cwd())
  if (!kept) {
    const platform = nodePlatform()
    kept = { platform, around: createSurroundings(platform) }
  }
  return explain({ ...given, cwd, home: given.home ?? homeFolder(process.env) }, kept.platform, kept.around)
}
