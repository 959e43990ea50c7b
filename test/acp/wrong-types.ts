/** Generated bad input: every method with parameters that are not what they should be. */
export const METHODS: Record<string, Record<string, unknown>> = {
  initialize: { protocolVersion: 1 },
  authenticate: { methodId: 'none' },
  logout: {},
  'session/new': { cwd: '/', mcpServers: [] },
  'session/load': { sessionId: 'none', cwd: '/', mcpServers: [] },
  'session/resume': { sessionId: 'none', cwd: '/' },
  'session/list': {},
  'session/close': { sessionId: 'none' },
  'session/delete': { sessionId: 'none' },
  'session/fork': { sessionId: 'none', cwd: '/' },
  'session/prompt': { sessionId: 'none', prompt: [{ type: 'text', text: 'Hi.' }] },
  'session/set_mode': { sessionId: 'none', modeId: 'plan' },
  'session/set_config_option': { sessionId: 'none', configId: 'mode', value: 'plan' },
  'session/set_title': { sessionId: 'none', title: 'A title' },
  'session/status': { sessionId: 'none' },
  'session/archive': { sessionId: 'none' },
  'session/unarchive': { sessionId: 'none' },
  'auth/status': {},
  'providers/list': {},
  'providers/set': { providerId: 'none', apiType: 'anthropic', baseUrl: 'http://127.0.0.1:9', headers: {} },
  'providers/disable': { providerId: 'none' },
  '_session/steering': { sessionId: 'none', prompt: [{ type: 'text', text: 'Hi.' }] },
  '_kedge/session/rewind': { sessionId: 'none', messageId: 'none', mode: 'both' },
  '_kedge/mcp/set_servers': { sessionId: 'none', mcpServers: [] },
}

/** A value of another type than this one has, for every field in turn. */
export function wrongTypes(params: Record<string, unknown>): { what: string; params: unknown }[] {
  const fields = Object.keys(params)
  const wrongs: [string, unknown][] = [
    ['null', null],
    ['a number', 7.5],
    ['a list', [[]]],
    ['an object', { __proto__: null, constructor: { prototype: {} } }],
  ]
  return [
    ...['text', 7, [], true].map((params) => ({ what: `params ${JSON.stringify(params)}`, params })),
    ...fields.flatMap((field) =>
      wrongs
        .filter(([, value]) => kindOf(value) !== kindOf(params[field]))
        .map(([what, value]) => ({ what: `${field} is ${what}`, params: { ...params, [field]: value } })),
    ),
  ]
}

/** Without each of its fields in turn. */
export function missing(params: Record<string, unknown>): { what: string; params: unknown }[] {
  return [
    { what: 'no params', params: undefined },
    ...Object.keys(params).map((field) => {
      const { [field]: _, ...rest } = params
      return { what: `no ${field}`, params: rest }
    }),
  ]
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)
