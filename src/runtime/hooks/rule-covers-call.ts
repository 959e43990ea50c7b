/** Whether a permission rule covers a tool call, for the `if` of hooks: judged like a deny rule, so any part of a command counts. */
import type { Platform } from '../../platform/platform.js'
import { isObject } from '../../protocol/json.js'
import type { SessionLocation } from '../configuration.js'
import { createCallExplainer } from '../permission/explain-call.js'

export async function ruleCoversCall(
  rule: string,
  { tool, input }: { tool: string; input: unknown },
  { cwd, home, configDir }: SessionLocation,
  platform: Platform,
): Promise<boolean> {
  try {
    const request = { tool, input: isObject(input) ? input : {}, cwd, home, configDir, rules: { deny: [rule] } }
    return (await createCallExplainer(platform)(request)).layer === 'deny'
  } catch {
    // A rule that can't be read, or a tool nobody knows: the hook may be a guard, so it runs.
    return true
  }
}
