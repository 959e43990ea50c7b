/** `explainPermission()`: what would happen to a tool call, and why, without making it. */
import { resolve } from '../platform/paths.js'
import type { ExplainPermissionOptions, PermissionExplanation } from '../protocol/permission-types.js'

type Explain = (request: ExplainPermissionOptions & { cwd: string; home: string }) => Promise<PermissionExplanation>

/** Kept between calls, because programs explain many calls in a row with the same options. */
let explain: Explain | undefined

/** Rejects with a `ConfigurationError` that names the field when the question makes no sense. */
export async function explainPermission(options: ExplainPermissionOptions): Promise<PermissionExplanation> {
  // The permission engine and the tools are loaded here, as a query does it, so that importing the library stays cheap.
  const [{ createCallExplainer }, { nodePlatform }, { homeFolder }] = await Promise.all([
    import('../runtime/permission/explain-call.js'),
    import('../platform/node-platform.js'),
    import('../platform/home.js'),
  ])
  const given = { ...options }
  const cwd = typeof given.cwd === 'string' ? resolve(process.cwd(), given.cwd) : (given.cwd ?? process.cwd())
  explain ??= createCallExplainer(nodePlatform())
  return explain({ ...given, cwd, home: given.home ?? homeFolder(process.env) })
}
