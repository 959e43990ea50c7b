/** The clouds there are: each is a door, what its models are called, and what is told about it. Loaded when one is chosen. */

import type { Environment } from '../../platform/environment.js'
import { nonBlankVariable, readModelEnvironment } from '../messages-api/client-environment.js'
import { type ModelAliases, resolveModel, splitLongContextSuffix, withoutModelDate } from '../model-facts.js'
import type { Cloud, CloudFactory, CloudSetup } from '../provider.js'
import { type AwsAccess, createAwsAccess } from './aws/aws-access.js'
import { awsRegion } from './aws/aws-region.js'
import { type CloudChoice, type CloudName, readCloudChoice } from './choose.js'
import { createCloudApiAdapter } from './cloud-api-adapter.js'
import { readEnumVariable } from './cloud-environment.js'
import { cloudFailureFix } from './cloud-failure-fix.js'
import { cloudModelId, inferenceProfilePrefix, isMantleModelId } from './cloud-ids.js'
import { createFoundryAccess } from './foundry/foundry-access.js'
import { createVertexAccess, vertexRegion } from './vertex/vertex-access.js'

const TITLE: Readonly<Record<CloudName, string>> = {
  bedrock: 'Amazon Bedrock',
  mantle: 'Amazon Bedrock (Mantle)',
  anthropicAws: 'the Claude Platform on AWS',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
}
const PREFIXES = ['us', 'eu', 'apac', 'jp', 'au', 'global', 'us-gov'] as const

/**
 * Returns the factory of the cloud that the environment chooses. Undefined when no switch says yes. Throws a
 * `ConfigurationError`.
 */
export function chooseCloudFactory(env: Environment): CloudFactory | undefined {
  const choice = readCloudChoice(env)
  return choice && ((setup) => createCloud(setup, choice))
}

/** Throws a `ConfigurationError` for a variable that means nothing. */
function createCloud(setup: CloudSetup, choice: CloudChoice): Cloud {
  const { env } = setup
  const { cloud } = choice
  const environment = readModelEnvironment(env)
  const { aliases } = environment
  const region = regionOf(setup, cloud)
  const title = TITLE[cloud]
  const names = createNames(setup, choice, region?.name ?? '', aliases)
  const door = openDoor(setup, choice, region?.name ?? '', names.onTheWire)
  const wire = createCloudApiAdapter(door, {
    environment,
    title,
    version: setup.version,
    sessionId: setup.sessionId,
    userId: `${setup.home}:${setup.platform.identity.uid ?? ''}`,
  })
  const { baseUrl } = door
  return {
    wire,
    // Its streams have no signs of life in between.
    ...(cloud === 'bedrock' ? { idleMs: 300_000 } : {}),
    models: { resolve: names.resolve, small: names.small, aliases: names.aliases },
    about: {
      title,
      ...(region ? { region } : {}),
      async credential(signal) {
        const open = await door.open(signal)
        return open.ok ? { ok: true, text: `of ${door.source()}` } : { ok: false, text: open.reason }
      },
    },
    credentials: () => ({ source: 'none', tokenSource: door.source(), apiProvider: cloud }),
    endpoint: () => ({
      baseUrl,
      isOwn: door.isOwn,
      isOfficial: cloud === 'anthropicAws',
      ...(cloud === 'bedrock' || cloud === 'mantle' ? { hasNoServerTools: true as const } : {}),
    }),
    fixFor: (failure, model) =>
      cloudFailureFix(failure, model, {
        cloud,
        title,
        region: region?.name,
        host: baseUrl.host,
        source: door.source(),
      }),
  }
}

function regionOf({ env, home, platform }: CloudSetup, cloud: CloudName): { name: string; from: string } | undefined {
  if (cloud === 'foundry') return undefined
  return cloud === 'vertex' ? vertexRegion(env) : awsRegion(env, home, platform.files)
}

function openDoor(
  setup: CloudSetup,
  choice: CloudChoice,
  region: string,
  onTheWire: (model: string) => string,
): AwsAccess {
  if (choice.cloud === 'vertex') return createVertexAccess(setup, region, onTheWire)
  if (choice.cloud === 'foundry') return createFoundryAccess(setup, onTheWire)
  return createAwsAccess(setup, choice, region, onTheWire)
}

/** A model with an override keeps the vendor's name everywhere but on the wire: what is known of it is known by that name. */
function createNames(
  { env, modelOverrides = {} }: CloudSetup,
  choice: CloudChoice,
  region: string,
  aliases: ModelAliases,
) {
  const { cloud } = choice
  const prefix = readEnumVariable(env, 'ANTHROPIC_BEDROCK_REGION_PREFIX', PREFIXES)
  const profile = prefix === undefined ? inferenceProfilePrefix(region) : `${prefix}.`
  const overrideOf = (id: string): string | undefined => {
    const name = [id, withoutModelDate(id)].find((known) => Object.hasOwn(modelOverrides, known))
    return name === undefined ? undefined : modelOverrides[name]
  }
  const resolve = (name: string | undefined): string => {
    const id = resolveModel(name, aliases)
    return overrideOf(splitLongContextSuffix(id).id) === undefined ? cloudModelId(cloud, id, profile) : id
  }
  const named =
    nonBlankVariable(env, 'ANTHROPIC_DEFAULT_HAIKU_MODEL')?.trim() ??
    nonBlankVariable(env, 'ANTHROPIC_SMALL_FAST_MODEL')?.trim()
  return {
    resolve,
    onTheWire: (model: string) => overrideOf(model) ?? model,
    small(current: string): string {
      // Nobody can know what a deployment of a small model would be called; and Mantle's names say which door it is.
      if (named === undefined && cloud === 'foundry') return current
      return named === undefined && isMantleModelId(current)
        ? cloudModelId('mantle', resolveModel('haiku'))
        : resolve(named ?? 'haiku')
    },
    aliases: {
      default: resolve('default'),
      sonnet: resolve('sonnet'),
      opus: resolve('opus'),
      haiku: resolve('haiku'),
    },
  }
}
