/** Whether a permission rule covers a tool call, for the `if` of hooks: judged like a deny rule, so any part of a command counts. */
import type { EngineCall } from '../../engine/ports.js'
import { createPermissionsForSystem } from '../../permissions/windows/windows-permissions.js'
import { isObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'

export async function ruleCoversCall(
  rule: string,
  { tool: name, input }: { tool: string; input: unknown },
  { shared, ports }: Conversation,
): Promise<boolean> {
  const { settings, platform } = shared
  try {
    const tool = ports.tools.find(name)
    if (!tool || !isObject(input)) return true
    const { cwd, home } = settings
    const { workspace, identity } = platform
    const options = { files: workspace.files, cwd, home, mode: 'default' as const, allowBypass: false, deny: [rule] }
    const call: EngineCall = { id: '', name: tool.name, input }
    const { layer } = await createPermissionsForSystem(identity.os, options).explain(call, tool.facts(input))
    return layer === 'deny'
  } catch {
    // A rule that can't be read: the hook may be a guard, so it runs.
    return true
  }
}
