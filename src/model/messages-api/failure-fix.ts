/** What a user can do about a failed model request, in the words of the library. Loaded after a failure. */
import type { ModelFailure } from '../../engine/ports.js'
import { nameOfProxy, type ProxyServer } from '../../platform/network/proxies.js'
import type { ApiKeySource } from '../../protocol/messages.js'
import { capitalized, FIX_WORDS as W } from '../../protocol/shown/fix-words.js'
import { fixForMeantModel, meantModel, unknownModelFailure } from './unknown-model.js'

export type FailureFacts = Pick<ModelFailure, 'code' | 'reason'> & {
  model: string
  /** Where requests go. */
  baseUrl: URL
  /** The user chose that address. */
  ownEndpoint: boolean
  keySource: ApiKeySource
  /** Names of the setting `modelProviders`. */
  services?: readonly string[]
  /** On the way to it. */
  proxy?: ProxyServer
}

const KEYS = 'https://console.anthropic.com/settings/keys'

export function fixForFailure(facts: FailureFacts): string | undefined {
  const { proxy, code, reason = '' } = facts
  if (!proxy || (code !== 'connection_failed' && code !== 'timeout')) return plainFix(facts)
  if (reason.startsWith('PROXY_')) return proxyFix(reason.slice('PROXY_'.length), proxy)
  return `${plainFix(facts)} Requests go through the proxy ${nameOfProxy(proxy)}. To bypass it, add the host to NO_PROXY.`
}

/** What went wrong at the proxy itself. */
function proxyFix(what: string, proxy: ProxyServer): string {
  const { variable } = proxy
  const name = `The proxy ${nameOfProxy(proxy)}`
  const bypass = 'or add the host to NO_PROXY'
  if (what === 'AUTH')
    return proxy.authorization === undefined
      ? `${name} needs a user and a password. Put them into ${variable}: http://user:password@host:port.`
      : `${name} rejected the user or the password in ${variable}. Correct them; special characters must be percent-encoded.`
  if (what.startsWith('STATUS_'))
    return `${name} rejected the connection (HTTP ${what.slice('STATUS_'.length)}). Ask its administrator to allow the host, ${bypass}.`
  if (what === 'SILENT') return `${name} doesn't answer. Check ${variable}, ${bypass}.`
  if (what === 'NO_TUNNEL') return `The server at ${variable} isn't a proxy. Correct ${variable}, ${bypass}.`
  if (what === 'CUT') return `${name} closed the connection. Try again, ${bypass}.`
  return `${name} can't be reached (${what}). Correct ${variable}, ${bypass}.`
}

function plainFix(facts: FailureFacts): string | undefined {
  const { code, model, ownEndpoint } = facts
  const where = facts.baseUrl.host
  const endpoint = ownEndpoint ? ', or correct or unset ANTHROPIC_BASE_URL' : ''
  switch (code) {
    case 'not_authenticated':
      return `Set ANTHROPIC_API_KEY (create a key at ${KEYS}). To try Kedge without a key, ${W.practice.library}. ${capitalized(W.doctor.library)} shows where Kedge looks for keys.`
    case 'invalid_api_key':
      return `${where} rejected the key of ${facts.keySource}. Check that the key is complete and not revoked (${KEYS})${endpoint}.`
    case 'permission_denied':
      return `The key of ${facts.keySource} isn't allowed to do this at ${where}. Use another model (${W.models.library} lists them) or another key (${KEYS}).`
    case 'model_not_found': {
      const meant = meantModel(facts)
      if (meant !== undefined) return fixForMeantModel(meant)
      if (unknownModelFailure(facts))
        return `To use a model of a service, ${W.anotherModel.library} to service/model. Add other services to the setting \`modelProviders\`.`
      return ownEndpoint
        ? `${where} doesn't have the model ${model}. To use one that it has, ${W.anotherModel.library} or set ANTHROPIC_MODEL.`
        : `Your key has no model ${model}. ${capitalized(W.models.library)} lists its models; sonnet, opus and haiku are short names.`
    }
    case 'connection_failed':
      return connectionFix(facts, endpoint)
    case 'timeout':
      return `${where} took too long. Try again, or raise API_TIMEOUT_MS${endpoint}.`
    case 'rate_limited':
      return 'Wait a minute, send fewer requests at a time, or request a higher limit (https://console.anthropic.com/settings/limits).'
    case 'overloaded':
      return `Try again later. To use a second model at such times, ${W.fallback.library}.`
    case 'server_error':
      return `Try again later. ${ownEndpoint ? `The log of ${where} might show the cause` : 'Status of the API: https://status.anthropic.com'}.`
    case 'billing':
      return 'Add credit or raise the spend limit of your account: https://console.anthropic.com/settings/billing'
    case 'prompt_too_long':
      return `To summarize the conversation, ${W.compact.library}. Or ${W.clear.library}, or give the agent less to read at a time.`
    case 'request_too_large':
      return `The request has more bytes than ${where} accepts, mostly images and documents. To summarize the conversation, ${W.compact.library}. Or ${W.clear.library} with fewer images.`
    case 'unexpected_response':
      return `${where} returned something else than a model response, for example the login page of a network. Open the address in a browser to check${endpoint}.`
    default:
      return undefined
  }
}

const CLIENT_CERTIFICATE =
  "CLAUDE_CODE_CLIENT_CERT and CLAUDE_CODE_CLIENT_KEY can't be used. Check that both PEM files can be read and belong together, and check CLAUDE_CODE_CLIENT_KEY_PASSPHRASE."
const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']
const NO_WAY = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENETDOWN']
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/
const NO_TLS = /^(?:EPROTO|ERR_SSL)/

function connectionFix({ reason = '', baseUrl, ownEndpoint }: FailureFacts, endpoint: string): string {
  const { host, hostname } = baseUrl
  if (reason === 'CLIENT_CERTIFICATE') return CLIENT_CERTIFICATE
  if (reason === 'ECONNREFUSED') {
    return ownEndpoint
      ? `Nothing listens at ${host}. Start that endpoint${endpoint}.`
      : `${host} refuses connections. Check the firewall, VPN, and hosts file of this machine.`
  }
  if (NO_NAME.includes(reason)) {
    return `The name ${hostname} could not be resolved. Check that this machine is online and its DNS works${endpoint}.`
  }
  if (reason === 'CERT_HAS_EXPIRED' || reason === 'CERT_NOT_YET_VALID') {
    return `The certificate of ${host} isn't valid today. Check the clock of this machine, or renew the certificate.`
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${host} is for another name, so another server might answer in its place. Check the address${endpoint}.`
  }
  if (UNTRUSTED.test(reason)) {
    return `The certificate of ${host} isn't trusted. Set NODE_EXTRA_CA_CERTS to the PEM file of the authority that signed it; company proxies have one.`
  }
  if (NO_TLS.test(reason))
    return `${host} doesn't use TLS. If that's intended, start ANTHROPIC_BASE_URL with http:// instead of https://.`
  if (NO_WAY.includes(reason)) {
    return `${host} can't be reached. Check the network, VPN, and firewall${endpoint}.`
  }
  return `The connection to ${host} broke. Check the network and try again${endpoint}.`
}
