/** WebFetch and WebSearch of one session, connected to its model, its rules and the network. */
import type { Permissions } from '../../permissions/permission-engine.js'
import { readCertificates } from '../../platform/http/extra-certificates.js'
import type { Platform } from '../../platform/platform.js'
import { createWebClient } from '../../platform/web/web-client.js'
import { VERSION } from '../../protocol/version.js'
import type { Tool } from '../../tools/tool.js'
import { createWebFetchTool } from '../../tools/web-fetch/web-fetch.js'
import { createWebSearchTool } from '../../tools/web-search/web-search.js'
import type { Place } from '../configuration.js'
import type { ModelSetup } from '../model-setup.js'
import { createDigest, createWebSearch } from './ask-model.js'

export type WebToolParts = {
  settings: Pick<Place, 'env'>
  platform: Pick<Platform, 'files' | 'identity'>
  model: Pick<ModelSetup, 'port' | 'current' | 'small' | 'endpoint'>
  permissions: Pick<Permissions, 'decide'>
}

export function createWebTools({ settings, platform, model, permissions }: WebToolParts): {
  fetch: Tool
  search: Tool
} {
  const { env } = settings
  return {
    fetch: createWebFetchTool({
      web: createWebClient({ extraCertificates: () => readCertificates(env, platform.files) }),
      digest: createDigest(model, platform.identity),
      async isDenied(url) {
        const call = { id: '', name: 'WebFetch', input: { url } }
        return (await permissions.decide(call, { kind: 'fetch', url })).behavior === 'deny'
      },
      userAgent: `kedge/${VERSION} (on behalf of a user of an AI assistant)`,
    }),
    search: createWebSearchTool({ search: createWebSearch(model) }),
  }
}
