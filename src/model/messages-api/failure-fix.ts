/** What a person can do about a request that failed, in one or two sentences. Loaded when one has. */
import type { ModelFailure } from '../../engine/ports.js'
import type { ApiKeySource } from '../../protocol/messages.js'

export type FailureFacts = Pick<ModelFailure, 'code' | 'reason'> & {
  model: string
  /** Where requests go. */
  baseUrl: URL
  /** The user chose that address. */
  ownEndpoint: boolean
  keySource: ApiKeySource
  /** Variables for proxies that are set. */
  proxies?: readonly string[]
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']

/** Known to many programs, so people expect them of ours. */
export function proxyVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return PROXIES.filter((name) => env[name])
}

const KEYS = 'https://console.anthropic.com/settings/keys'

export function fixFor(facts: FailureFacts): string | undefined {
  const fix = plainFix(facts)
  const { proxies = [], code } = facts
  if (proxies.length === 0 || (code !== 'connection_failed' && code !== 'timeout')) return fix
  return `${fix} ${proxies.join(', ')}: set, and not used by Kedge; name a gateway with ANTHROPIC_BASE_URL instead.`
}

function plainFix(facts: FailureFacts): string | undefined {
  const { code, model, ownEndpoint } = facts
  const where = facts.baseUrl.host
  const endpoint = ownEndpoint ? ', or correct or unset ANTHROPIC_BASE_URL' : ''
  switch (code) {
    case 'not_authenticated':
      return `Set ANTHROPIC_API_KEY (${KEYS}), or use the model practice to go on offline; \`kedge doctor\` shows where a key was looked for.`
    case 'invalid_api_key':
      return `${where} refused the key of ${facts.keySource}: check that it is whole and not revoked (${KEYS})${endpoint}.`
    case 'permission_denied':
      return `The key of ${facts.keySource} may not do this at ${where}: take another model (\`kedge models\`) or another key (${KEYS}).`
    case 'model_not_found':
      return ownEndpoint
        ? `Choose a model that ${where} offers, with --model, the option model or ANTHROPIC_MODEL; it does not know ${model}.`
        : `Choose another model than ${model}: \`kedge models\` lists those of your key, sonnet, opus and haiku are short names.`
    case 'connection_failed':
      return connectionFix(facts, endpoint)
    case 'timeout':
      return `${where} took too long: try again, or raise API_TIMEOUT_MS${endpoint}.`
    case 'rate_limited':
      return 'Wait a minute, send fewer requests at once, or ask for a higher limit (https://console.anthropic.com/settings/limits).'
    case 'overloaded':
      return 'Try again later, or name a second model with --fallback-model (the option fallbackModel).'
    case 'server_error':
      return `Try again later${ownEndpoint ? `; the log of ${where} says more` : '; https://status.anthropic.com says more'}.`
    case 'billing':
      return 'Add credit or raise the spend limit of your account: https://console.anthropic.com/settings/billing'
    case 'prompt_too_long':
      return 'Say /compact, begin a new session, or give it less to read at once.'
    case 'request_too_large':
      return `The request has more bytes than ${where} takes, mostly of pictures and documents: say /clear or /compact, or begin a new session with fewer of them.`
    case 'unexpected_response':
      return `Something that is no model answered at ${where}, such as the login page of a network: open it in a browser${endpoint}.`
    default:
      return undefined
  }
}

const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']
const NO_WAY = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENETDOWN']
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/
const NO_TLS = /^(?:EPROTO|ERR_SSL)/

function connectionFix({ reason = '', baseUrl, ownEndpoint }: FailureFacts, endpoint: string): string {
  const { host, hostname } = baseUrl
  if (reason === 'ECONNREFUSED') {
    return ownEndpoint
      ? `Nothing listens at ${host}: start that endpoint${endpoint}.`
      : `${host} refuses connections: check firewall, VPN and hosts file of this machine.`
  }
  if (NO_NAME.includes(reason)) {
    return `The name ${hostname} could not be looked up: check that this machine is online and its DNS works${endpoint}.`
  }
  if (reason === 'CERT_HAS_EXPIRED' || reason === 'CERT_NOT_YET_VALID') {
    return `The certificate of ${host} is not valid today: check the clock of this machine, else renew the certificate.`
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${host} is for another name: somebody answers in its place${endpoint}.`
  }
  if (UNTRUSTED.test(reason)) {
    return `The certificate of ${host} is not trusted: set NODE_EXTRA_CA_CERTS to the PEM file of the authority that signed it (a company proxy has one).`
  }
  if (NO_TLS.test(reason)) return `${host} does not speak TLS: begin ANTHROPIC_BASE_URL with http:// if that is meant.`
  if (NO_WAY.includes(reason)) {
    return `${host} can't be reached: check network, VPN and firewall${endpoint}.`
  }
  return `The connection to ${host} broke: check the network and try again${endpoint}.`
}
