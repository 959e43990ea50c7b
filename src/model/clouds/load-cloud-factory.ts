/** Whether the models are bought from a cloud, as variables say. Most sessions need none of it, and load nothing for it. */
import type { CloudFactory } from '../provider.js'

/** The variables that ask for one. */
export const CLOUD_SWITCH_PATTERN = /^CLAUDE_CODE_USE_(?:BEDROCK|MANTLE|ANTHROPIC_AWS|VERTEX|FOUNDRY)$/

export function isCloudSelected(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => CLOUD_SWITCH_PATTERN.test(name) && env[name])
}

/**
 * Returns the factory of the cloud that the environment chooses, loaded on demand. Undefined: from the vendor, or a
 * gateway. Rejects with a `ConfigurationError` that names the variable.
 */
export async function loadCloudFactory(
  env: Readonly<Record<string, string | undefined>>,
): Promise<CloudFactory | undefined> {
  if (!isCloudSelected(env)) return undefined
  const { chooseCloudFactory } = await import('./clouds.js')
  return chooseCloudFactory(env)
}
