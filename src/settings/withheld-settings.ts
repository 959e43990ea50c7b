/**
 * What settings that came with a folder may do. Before the folder is trusted they only narrow: deny and ask rules hold,
 * nothing else. After that the table of known keys says what a repository may still not decide, and what no file in a
 * folder ever decides, whoever wrote it.
 */
import type { JsonNode } from './json-tree.js'
import type { Shape } from './keys/shape.js'

export type SettingsFileTrust = {
  trusted: boolean
  /** The file stands in the folder, but is known to be the user's own. */
  own?: boolean
}

/** Returns why an untrusted folder's value is not used. Why this value is left out; undefined when it may be used. */
export function whySettingIsWithheld(
  shape: Shape,
  node: JsonNode,
  repository: SettingsFileTrust | undefined,
): string | undefined {
  if (!repository) return undefined
  if (!repository.trusted) return shape.beforeTrust ? undefined : 'this folder is not trusted yet'
  const { fromRepository } = shape
  if (fromRepository === 'never') return 'no file in a project can set this. Put it into your user settings'
  if (repository.own) return undefined
  if (fromRepository === 'nothing') return 'a repository can not set this. Put it into your user settings'
  if (shape.kind === 'text' && node.kind === 'scalar' && typeof node.value === 'string' && shape.withheld)
    return shape.withheld(node.value)
  if (!fromRepository || node.kind !== 'scalar' || typeof node.value !== 'boolean') return undefined
  return node.value === fromRepository.only ? undefined : `a repository can only set this to ${fromRepository.only}`
}
