/** What a person can do about a request that failed, in one or two sentences. Loaded when one has. */
import type { ModelFailure } from '../../engine/ports.js'
import { nameOfProxy, type ProxyServer } from '../../platform/network/proxies.js'
import type { ApiKeySource } from '../../protocol/messages.js'

export type FailureFacts = Pick<ModelFailure, 'code' | 'reason'> & {
  model: string
  /** Where requests go. */
  baseUrl: URL
  /** The user chose that address. */
  ownEndpoint: boolean
  keySource: ApiKeySource
  /** On the way to it. */
  proxy?: ProxyServer
}

const KEYS = 'https://console.anthropic.com/settings/keys'

export function fixForFailure(facts: FailureFacts): string | undefined {
  const { proxy, code, reason = '' } = facts
  if (!proxy || (code !== 'connection_failed' && code !== 'timeout')) return plainFix(facts)
  if (reason.startsWith('PROXY_')) return proxyFix(reason.slice('PROXY_'.length), proxy)
  return `${plainFix(facts)} The way there leads through the proxy ${nameOfProxy(proxy)}; NO_PROXY leaves hosts out.`
}

/** What the proxy itself did. */
function proxyFix(what: string, proxy: ProxyServer): string {
  const { variable } = proxy
  const name = `The proxy ${nameOfProxy(proxy)}`
  const leaveOut = 'or leave the host out with NO_PROXY'
  if (what === 'AUTH')
    return proxy.authorization === undefined
      ? `${name} wants a user and a password: put them into ${variable}, as http://user:password@host:port.`
      : `${name} refused the user or the password in ${variable}: correct them (percent-encoded).`
  if (what.startsWith('STATUS_'))
    return `${name} did not open the way (status ${what.slice('STATUS_'.length)}): ask who runs it to allow the host, ${leaveOut}.`
  if (what === 'SILENT') return `${name} does not answer: check ${variable}, ${leaveOut}.`
  if (what === 'NO_TUNNEL') return `What answers at ${variable} is no proxy: correct ${variable}, ${leaveOut}.`
  if (what === 'CUT') return `${name} cut the connection: try again, ${leaveOut}.`
  return `${name} can't be reached (${what}): correct ${variable}, ${leaveOut}.`
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

const CLIENT_CERTIFICATE =
  "CLAUDE_CODE_CLIENT_CERT and CLAUDE_CODE_CLIENT_KEY can't be used: check that both PEM files can be read and belong together, and CLAUDE_CODE_CLIENT_KEY_PASSPHRASE."
const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']
const NO_WAY = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENETDOWN']
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/
const NO_TLS = /^(?:EPROTO|ERR_SSL)/

function connectionFix({ reason = '', baseUrl, ownEndpoint }: FailureFacts, endpoint: string): string {
  const { host, hostname } = baseUrl
  if (reason === 'CLIENT_CERTIFICATE') return CLIENT_CERTIFICATE
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
