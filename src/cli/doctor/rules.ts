/**
 * Permission rules that can never do anything, because another takes every call they are for. Not worked out from their texts:
 * a call that the rule is for is put to the engine itself, which says what decides it.
 */
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { listToolNamesWhere } from '../../protocol/tool-names.js'
import type { DiscoveredConfiguration } from '../../runtime/configuration.js'
import { explainCallInSession } from '../../runtime/permission/explain-call.js'
import type { PermissionConfiguration } from '../../runtime/permission/permission-configuration.js'
import { createFindingFactory, type DoctorFinding } from './finding.js'

export async function checkPermissionRules(
  settings: PermissionConfiguration & Pick<DiscoveredConfiguration, 'sandbox'>,
  platform: Platform,
): Promise<DoctorFinding[]> {
  const { ok, warn } = createFindingFactory('permissions')
  const findings: DoctorFinding[] = []
  let count = 0
  for (const { source, root, allow = [], ask = [], deny = [] } of settings.layers) {
    count += allow.length + ask.length + deny.length
    for (const [behavior, texts] of [
      ['allow', allow],
      ['ask', ask],
    ] as const) {
      for (const text of texts) {
        const call = sampleOf(text, root)
        if (!call) continue
        const decided = await explainCallInSession({ ...call, ask: [] }, settings, platform).catch(() => undefined)
        if (!decided?.rule || decided.behavior === behavior || decided.behavior === 'allow') continue
        const by = `${decided.behavior} rule ${decided.rule} (${decided.source ?? 'unknown'})`
        findings.push(
          warn(
            `the ${behavior} rule ${text} (${source}) never applies: the ${by} comes first`,
            'remove one of the two',
          ),
        )
      }
    }
  }
  const mode = `mode ${settings.mode}`
  return [
    ...(findings.length === 0 ? [ok(count === 0 ? `no rules, ${mode}` : `${count} rules, ${mode}`)] : []),
    ...findings,
  ]
}

const FILES = listToolNamesWhere(({ files, judgedLike }) => files !== undefined && judgedLike === undefined)

/**
 * A call that a rule is for; undefined for kinds that are not looked at. Wildcards become a word nothing else has. A path with
 * one slash at its start begins at `root`, one with two at the root of the disk.
 */
function sampleOf(rule: string, root: string): { tool: string; input: Record<string, unknown> } | undefined {
  const [, tool = '', content] = /^([\w.:*-]+)(?:\((.*)\))?$/s.exec(rule) ?? []
  const text = content?.replace(/\\([()\\])/g, '$1')
  if (tool === 'Bash')
    return { tool, input: { command: (text ?? 'kedge-doctor').replace(/:\*$/, '').replaceAll('*', 'x') } }
  if (tool === 'WebFetch') {
    const domain = text?.replace(/^domain:/, '').replaceAll('*', 'x') ?? 'kedge-doctor.example'
    return { tool, input: { url: `https://${domain}/`, prompt: '' } }
  }
  if (FILES.includes(tool)) {
    const path = (text ?? 'kedge-doctor').replaceAll('**', 'x').replace(/[*?]/g, 'x')
    const isFromRoot = path.startsWith('/') && !path.startsWith('//')
    return { tool, input: inputFor(tool, isFromRoot ? join(root, path) : path.replace(/^\/\//, '/')) }
  }
  if (tool.startsWith('mcp__')) return { tool: tool.replaceAll('*', 'x'), input: {} }
  return undefined
}

function inputFor(tool: string, path: string): Record<string, unknown> {
  switch (tool) {
    case 'Grep':
    case 'Glob':
      return { pattern: 'x', path }
    case 'NotebookEdit':
      return { notebook_path: path, new_source: '' }
    case 'Edit':
      return { file_path: path, old_string: 'a', new_string: 'b' }
    case 'Write':
      return { file_path: path, content: '' }
    default:
      return { file_path: path }
  }
}
