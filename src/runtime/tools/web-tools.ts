/** WebFetch and WebSearch of one session, connected to its model, its rules and the network. */
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Platform } from '../../platform/platform.js'
import { VERSION } from '../../platform/version.js'
import { createWebClient } from '../../platform/web/web-client.js'
import type { Tool } from '../../tools/tool.js'
import { createWebFetchTool } from '../../tools/web-fetch/web-fetch.js'
import { createWebSearchTool } from '../../tools/web-search/web-search.js'
import type { ModelSetup } from '../model-setup.js'
import { createModelWebSearch, createWebPageAnswerer } from './ask-model.js'

export type WebToolPorts = {
  platform: Pick<Platform, 'network' | 'identity'>
  model: Pick<ModelSetup, 'port' | 'current' | 'small' | 'endpoint'>
  permissions: Pick<Permissions, 'decide'>
}

export function createWebTools({ platform, model, permissions }: WebToolPorts): {
  fetch: Tool
  search: Tool
} {
  return {
    fetch: createWebFetchTool({
      web: createWebClient({ network: platform.network }),
      digest: createWebPageAnswerer(model, platform.identity),
      async isDenied(url) {
        const call = { id: '', name: 'WebFetch', input: { url } }
        return (await permissions.decide(call, { kind: 'fetch', url })).behavior === 'deny'
      },
      userAgent: `kedge/${VERSION} (on behalf of a user of an AI assistant)`,
    }),
    search: createWebSearchTool({ search: createModelWebSearch(model) }),
  }
}
