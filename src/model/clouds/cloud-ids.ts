/** What clouds call the models: ids of the vendor become theirs, and ids that are theirs already stay. */
import { modelFacts, splitLongContextSuffix, vendorModelId } from '../model-facts.js'
import type { CloudName } from './choose.js'

/** Returns the ID that a cloud has for a model. `prefix` of Bedrock's inference profiles, such as `us.`. */
export function cloudModelId(cloud: CloudName, model: string, prefix = ''): string {
  const { id, longContext } = splitLongContextSuffix(model)
  const own = id.startsWith('claude-') ? named(cloud, id, prefix) : id
  return longContext ? `${own}[1m]` : own
}

function named(cloud: CloudName, id: string, prefix: string): string {
  // What a deployment is called is up to who made it.
  if (cloud === 'foundry' || cloud === 'anthropicAws') return id
  if (id.includes('@')) return id
  // A short name of ours has a date there.
  const dated = /-\d{8}$/.test(id) ? id : (modelFacts(id)?.id ?? id)
  if (cloud === 'vertex') return dated.replace(/-(\d{8})$/, '@$1')
  if (cloud === 'mantle') return `anthropic.${dated.replace(/-\d{8}$/, '')}`
  return `${prefix}anthropic.${dated}${suffix(dated)}`
}

/** Since 4.6 there is neither date nor version, except in one. */
function suffix(id: string): string {
  if (/-\d{8}$/.test(id)) return '-v1:0'
  return id === 'claude-opus-4-6' ? '-v1' : ''
}

/**
 * Prefix of an inference profile, by the region a request starts from: neighboring regions can answer too, and newer
 * models are only available this way.
 */
export function inferenceProfilePrefix(region: string): string {
  if (region.startsWith('us-gov-')) return 'us-gov.'
  if (region.startsWith('us-')) return 'us.'
  if (region.startsWith('eu-')) return 'eu.'
  return region.startsWith('ap-') ? 'apac.' : 'global.'
}

/** A name that only Mantle knows: no region before it, no version after it. */
export function isMantleModelId(model: string): boolean {
  const { id } = splitLongContextSuffix(model)
  return /^anthropic\.claude-[\w-]+$/.test(id) && !/-v\d+$/.test(id) && !/-\d{8}$/.test(id)
}

/** Returns the names of the variables that can set the region of a model, such as `VERTEX_REGION_CLAUDE_4_5_SONNET`. */
export function listVertexRegionVariables(model: string): string[] {
  const id = vendorModelId(splitLongContextSuffix(model).id).replace(/-\d{8}$/, '')
  const older = /^claude-(\d)-(\d)-([a-z]+)(?:-v\d+)?$/.exec(id)
  if (older) return [`VERTEX_REGION_CLAUDE_${older[1]}_${older[2]}_${older[3]?.toUpperCase()}`]
  const newer = /^claude-([a-z]+)-(\d+)(?:-(\d+))?$/.exec(id)
  if (!newer) return []
  const [, family = '', major = '', minor] = newer
  const name = family.toUpperCase()
  const versions = minor === undefined ? [major, `${major}_0`] : [`${major}_${minor}`]
  return versions.flatMap((version) => [
    `VERTEX_REGION_CLAUDE_${version}_${name}`,
    `VERTEX_REGION_CLAUDE_${name}_${version}`,
  ])
}
