/** Where in AWS requests go: the variables, then the profile in use, then the first of all regions. */

import type { Environment } from '../../../platform/environment.js'
import { join } from '../../../platform/paths.js'
import type { Platform } from '../../../platform/platform.js'
import { nonBlankVariable } from '../../messages-api/client-environment.js'
import { readRegionName } from '../cloud-environment.js'

export type AwsRegion = { name: string; from: string }

export function awsRegion(env: Environment, home: string, files: Pick<Platform['files'], 'readTextSync'>): AwsRegion {
  for (const variable of ['AWS_REGION', 'AWS_DEFAULT_REGION']) {
    const name = readRegionName(nonBlankVariable(env, variable))
    if (name !== undefined) return { name, from: variable }
  }
  const profile = nonBlankVariable(env, 'AWS_PROFILE')?.trim() ?? 'default'
  const places = [
    [nonBlankVariable(env, 'AWS_SHARED_CREDENTIALS_FILE') ?? join(home, '.aws', 'credentials'), profile],
    [
      nonBlankVariable(env, 'AWS_CONFIG_FILE') ?? join(home, '.aws', 'config'),
      profile === 'default' ? profile : `profile ${profile}`,
    ],
  ] as const
  for (const [path, section] of places) {
    const name = readRegionName(inProfile(path, section, files))
    if (name !== undefined) return { name, from: `the profile ${profile}` }
  }
  return { name: 'us-east-1', from: 'the default' }
}

function inProfile(path: string, section: string, files: Pick<Platform['files'], 'readTextSync'>): string | undefined {
  let content: string
  try {
    content = files.readTextSync(path)
  } catch {
    return undefined
  }
  let isHere = false
  for (const line of content.split(/\r?\n/)) {
    const heading = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)
    if (heading) isHere = heading[1]?.replace(/\s+/g, ' ') === section
    // What is indented belongs to the key above it.
    else if (isHere) {
      const region = /^region\s*=\s*([^\s#;]+)/.exec(line)
      if (region) return region[1]
    }
  }
  return undefined
}
