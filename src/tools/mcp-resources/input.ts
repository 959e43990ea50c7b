/** What the two tools for resources of MCP servers are asked for. */
import type { InputSchema } from '../input-schema.js'

export interface ListMcpResourcesInput {
  /** Only resources of this server. */
  server?: string
}

export interface ReadMcpResourceInput {
  /** The server that has it. */
  server: string
  /** The address of the resource. */
  uri: string
}

export const listMcpResourcesInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { server: { description: 'Only the resources of this server.', type: 'string' } },
  additionalProperties: false,
} satisfies InputSchema<ListMcpResourcesInput>

export const readMcpResourceInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    server: { description: 'The server that has the resource.', type: 'string' },
    uri: { description: 'The address of the resource, as it was listed.', type: 'string' },
  },
  required: ['server', 'uri'],
  additionalProperties: false,
} satisfies InputSchema<ReadMcpResourceInput>
