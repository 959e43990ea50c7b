/** Rules for fetching: `domain:` patterns against the host as a browser would read it. */
import { parseUrl } from '../platform/web/parse-url.js'
import {
  embeddedIpv4,
  isLocalhostName,
  literalAddress,
  networkKindOfAddress,
  toUrlHost,
} from '../platform/web/web-address.js'
import type { PermissionBehavior } from '../protocol/permission-types.js'
import type { Rule, RuleSet } from './rule-set.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'

const LONGEST_HOST = 5000

/** The ASCII host without a trailing dot; undefined when there is none or the address is not for the web. */
export function hostOf(url: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(url) || hasLongHost(url)) return undefined
  const parsed = parseUrl(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined
  const host = parsed.hostname.replace(/\.$/, '')
  // A name with an empty part isn't a host; where it would lead is unknown.
  return host === '' || host.split('.').includes('') ? undefined : host
}

/** A name has at most 253 characters, which may be written with more; making sense of a megabyte of it takes its time. */
function hasLongHost(url: string): boolean {
  const authority = /^\s*[a-z][a-z0-9+.-]*:[\\/]*/i.exec(url.slice(0, 2000))?.[0].length ?? 0
  const rest = url.slice(authority, authority + LONGEST_HOST)
  return rest.length === LONGEST_HOST && !/[/\\?#]/.test(rest)
}

/**
 * Returns the rule that covers a web address. `address`: where the host is known to lead; a rule against that address
 * is one against the fetch.
 */
export function findDomainRule(
  rules: RuleSet,
  behavior: PermissionBehavior,
  url: string,
  address?: string,
): Rule | undefined {
  const host = hostOf(url)
  const hosts = host === undefined ? [] : behavior === 'allow' ? [host] : [...spellings(host), ...spellings(address)]
  const written = host === undefined ? [url] : [url, new URL(url).href]
  return rules.scoped(behavior, ['WebFetch']).find((rule) => {
    const domain = domainOf(rule.content, behavior)
    // Written as an address, a rule can forbid, but it approves nothing.
    if (domain === undefined)
      return behavior !== 'allow' && written.some((text) => matchesWildcard(compileWildcard(rule.content), text))
    // An address without a host might be a forbidden one.
    if (host === undefined) return behavior !== 'allow'
    return hosts.some((spelling) => matchesDomain(domain, spelling))
  })
}

/** The allow rule that names this very host, without a wildcard. */
export function findExactDomainRule(rules: RuleSet, host: string): Rule | undefined {
  return rules.scoped('allow', ['WebFetch']).find((rule) => {
    const domain = domainOf(rule.content, 'allow')
    return domain !== undefined && !domain.includes('*') && matchesDomain(domain, host)
  })
}

/** The host after `domain:`. One with more around it, as a port or a path, still forbids its host, but allows nothing. */
function domainOf(content: string, behavior: PermissionBehavior): string | undefined {
  const written = /^\s*domain\s*:\s*(\S+)\s*$/.exec(content)?.[1]
  if (written === undefined || /^(?:[^/:@?#[]+|\[[^\]]*\])$/.test(written)) return written
  if (behavior === 'allow') return undefined
  return /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(written)?.[1]
}

/** The ways to write a host or an address that lead to the same machine. */
function spellings(written: string | undefined): string[] {
  if (written === undefined) return []
  const host = written.startsWith('[') ? written : toUrlHost(written)
  const address = literalAddress(host)
  const inner = address === undefined ? undefined : embeddedIpv4(address)
  // The unspecified address reaches this computer too.
  const isThisComputer =
    isLocalhostName(host) ||
    ['0.0.0.0', '::'].includes(inner ?? address ?? '') ||
    (address !== undefined && networkKindOfAddress(address) === 'loopback')
  return [host, ...(inner ? [inner] : []), ...(isThisComputer ? ['localhost', '127.0.0.1', '[::1]'] : [])]
}

/**
 * Returns whether a domain pattern covers a host: `*` alone is any host, a leading `*.` any depth of subdomain, any
 * other `*` stays between two dots.
 */
export function matchesDomain(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  const anyDepth = pattern.startsWith('*.')
  const wanted = normalLabels(anyDepth ? pattern.slice(2) : pattern)
  const labels = host.split('.')
  if (!wanted || (anyDepth ? labels.length <= wanted.length : labels.length !== wanted.length)) return false
  const named = labels.slice(labels.length - wanted.length)
  return named.every((label, i) => matchesWildcard(compileWildcard(String(wanted[i])), label))
}

function normalLabels(pattern: string): string[] | undefined {
  const bare = pattern.replace(/\.$/, '').toLowerCase()
  if (!bare.includes('*')) return hostOf(`https://${bare}`)?.split('.')
  return bare
    .split('.')
    .map((label) => (label.includes('*') ? label : (hostOf(`https://x.${label}`)?.slice(2) ?? label)))
}
