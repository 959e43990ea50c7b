/** Microsoft's door to the models: the Messages API as it is, under names of deployments, with keys or tokens of Azure. */
import { ConfigurationError } from '../../../errors.js'
import { classifyResponse } from '../../client/failure.js'
import { joinEndpointPath, nonBlankVariable } from '../../messages-api/client-environment.js'
import { toSendableSecret } from '../../messages-api/credentials/credential.js'
import type { CloudSetup } from '../../provider.js'
import { cacheCredential } from '../cached-credential.js'
import { isSwitchedOn } from '../choose.js'
import { type CloudAccess, readVendorEvents, tokenCountBody, withoutVendorBetas } from '../cloud-api-adapter.js'
import { customCloudUrl } from '../cloud-environment.js'
import { findEntraToken } from './entra.js'

const ADDRESS = 'ANTHROPIC_FOUNDRY_BASE_URL'
const RESOURCE = 'ANTHROPIC_FOUNDRY_RESOURCE'
const TOKEN = 'ANTHROPIC_FOUNDRY_AUTH_TOKEN'
const KEY = 'ANTHROPIC_FOUNDRY_API_KEY'

export type FoundryAccess = CloudAccess & { baseUrl: URL; isOwn: boolean; source(): string; variable: string }

export function createFoundryAccess(setup: CloudSetup, wireId: (model: string) => string): FoundryAccess {
  const { env } = setup
  const own = customCloudUrl(env, ADDRESS)
  const baseUrl = own ?? ofResource(env)
  if (own && nonBlankVariable(env, RESOURCE)) {
    throw new ConfigurationError(ADDRESS, `${ADDRESS} and ${RESOURCE} are both set: unset one of them.`)
  }
  const token = secretOf(env, TOKEN)
  const key = token === undefined ? secretOf(env, KEY) : undefined
  const skip = isSwitchedOn(env, 'CLAUDE_CODE_SKIP_FOUNDRY_AUTH') && token === undefined && key === undefined
  const gatewayToken = skip ? secretOf(env, 'ANTHROPIC_AUTH_TOKEN') : undefined
  const entra = cacheCredential(setup.platform.clock, (signal) => findEntraToken(setup, signal))
  const fixed = token ?? key ?? gatewayToken
  const url = joinEndpointPath(baseUrl, '/v1/messages')

  return {
    baseUrl,
    isOwn: own !== undefined,
    variable: own ? ADDRESS : RESOURCE,
    source: () => (token ? TOKEN : key ? KEY : skip ? 'the gateway' : 'Microsoft Entra'),
    async open(signal) {
      const found = fixed === undefined && !skip ? await entra.current(signal) : undefined
      if (found && 'reason' in found) return { ok: false, reason: found.reason }
      const bearer = token ?? gatewayToken ?? found?.token
      const secret = fixed ?? found?.token
      return {
        ok: true,
        secrets: secret === undefined ? [] : [secret],
        form: (plan) => ({
          url,
          head: `{"model":${JSON.stringify(wireId(plan.model))}`,
          saysStream: true,
          headers: {
            ...(key === undefined ? {} : { 'x-api-key': key }),
            ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          },
          count: {
            url: joinEndpointPath(baseUrl, '/v1/messages/count_tokens'),
            body: tokenCountBody,
            field: 'input_tokens',
          },
        }),
      }
    },
    adapt: withoutVendorBetas,
    events: readVendorEvents,
    trouble: classifyResponse,
    refused({ status }) {
      if (status !== 401 || fixed !== undefined || skip) return false
      entra.forget()
      return true
    },
  }
}

function ofResource(env: CloudSetup['env']): URL {
  const resource = nonBlankVariable(env, RESOURCE)?.trim()
  if (resource === undefined) {
    throw new ConfigurationError(RESOURCE, `${RESOURCE} or ${ADDRESS} must be set with CLAUDE_CODE_USE_FOUNDRY.`)
  }
  if (/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(resource)) return new URL(`https://${resource}.services.ai.azure.com/anthropic`)
  throw new ConfigurationError(
    RESOURCE,
    `${RESOURCE} must be the bare name of a resource; for an address use ${ADDRESS}.`,
  )
}

function secretOf(env: CloudSetup['env'], name: string): string | undefined {
  const value = nonBlankVariable(env, name)
  if (value === undefined) return undefined
  const secret = toSendableSecret(value)
  if (secret !== undefined) return secret
  throw new ConfigurationError(name, `${name} holds characters that no key has.`)
}
