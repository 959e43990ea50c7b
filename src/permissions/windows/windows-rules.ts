/** Rules on files as people write them on Windows, in the spelling that permissions are judged in. */
import { UNC_PREFIX } from '../../platform/windows/judged-path.js'
import type { PermissionRuleValue } from '../../protocol/permission-types.js'
import { toolTraits } from '../../protocol/tool-names.js'

/** `Read(C:\x\**)` and `Read(C:/x/**)` are `Read(//c/x/**)`; a backslash separates names, because no name has one. */
export function normalizeWindowsPathInRule(text: string): string {
  const [, tool, content] = /^([^(]*)\(([\s\S]*)\)$/.exec(text) ?? []
  if (tool === undefined || content === undefined || !toolTraits(tool).files) return text
  return `${tool}(${windowsPattern(content)})`
}

export function toWindowsRuleValue(rule: PermissionRuleValue): PermissionRuleValue {
  const { toolName, ruleContent } = rule
  if (ruleContent === undefined || !toolTraits(toolName).files) return rule
  return { toolName, ruleContent: windowsPattern(ruleContent) }
}

function windowsPattern(content: string): string {
  // Brackets are escaped in the text of a rule; everything else a backslash may mean there is a separator here.
  const slashed = content.replace(/^\\\\[?.]\\(?:UNC\\)?/i, (prefix) => (/unc/i.test(prefix) ? '\\\\' : ''))
  const isShare = /^\\{2,4}[^\\()]/.test(slashed)
  const names = slashed.replace(/\\+(?![()])/g, '/')
  if (isShare) return `/${UNC_PREFIX}/${names.replace(/^\/+/, '')}`
  return names.replace(/^([A-Za-z]):\//, (_, drive: string) => `//${drive.toLowerCase()}/`)
}
