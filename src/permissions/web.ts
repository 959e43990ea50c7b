/** Rules for fetching: `domain:` patterns against the host as a browser would read it. */
import { addressKind, embeddedIpv4, hostOfAddress, isLocalhostName, literalAddress } from '../platform/web-address.js'
import type { PermissionBehavior } from '../protocol/permissions.js'
import type { Rule, RuleSet } from './rule-set.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'

/** The ASCII host without a trailing dot; undefined when there is none or the address is not for the web. */
export function hostOf(url: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(url) || !URL.canParse(url)) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return hostname.replace(/\.$/, '') || undefined
}

/** `address`: where the host is known to lead; a rule against that address is one against the fetch. */
export function domainRule(
  rules: RuleSet,
  behavior: PermissionBehavior,
  url: string,
  address?: string,
): Rule | undefined {
  const host = hostOf(url)
  const hosts = host === undefined ? [] : behavior === 'allow' ? [host] : [...spellings(host), ...spellings(address)]
  return rules.scoped(behavior, ['WebFetch']).find((rule) => {
    const domain = domainOf(rule.content)
    // Written as an address, a rule can forbid, but it approves nothing.
    if (domain === undefined) return behavior !== 'allow' && matchesWildcard(compileWildcard(rule.content), url)
    // An address without a host can't be told apart from a forbidden one.
    if (host === undefined) return behavior !== 'allow'
    return hosts.some((spelling) => matchesDomain(domain, spelling))
  })
}

/** The allow rule that names this very host, without a wildcard. */
export function exactDomainRule(rules: RuleSet, host: string): Rule | undefined {
  return rules.scoped('allow', ['WebFetch']).find((rule) => {
    const domain = domainOf(rule.content)
    return domain !== undefined && !domain.includes('*') && matchesDomain(domain, host)
  })
}

function domainOf(content: string): string | undefined {
  return /^\s*domain\s*:\s*(\S+)\s*$/.exec(content)?.[1]
}

/** The ways to write a host or an address that lead to the same machine. */
function spellings(written: string | undefined): string[] {
  if (written === undefined) return []
  const host = written.startsWith('[') ? written : hostOfAddress(written)
  const address = literalAddress(host)
  const inner = address === undefined ? undefined : embeddedIpv4(address)
  // The unspecified address reaches this computer too.
  const isThisComputer =
    isLocalhostName(host) ||
    ['0.0.0.0', '::'].includes(inner ?? address ?? '') ||
    (address !== undefined && addressKind(address) === 'loopback')
  return [host, ...(inner ? [inner] : []), ...(isThisComputer ? ['localhost', '127.0.0.1', '[::1]'] : [])]
}

/** `*` alone is any host, a leading `*.` any depth of subdomain, any other `*` stays between two dots. */
export function matchesDomain(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  const anyDepth = pattern.startsWith('*.')
  const wanted = normalLabels(anyDepth ? pattern.slice(2) : pattern)
  const labels = host.split('.')
  if (!wanted || (anyDepth ? labels.length <= wanted.length : labels.length !== wanted.length)) return false
  const offset = labels.length - wanted.length
  return wanted.every((label, i) => matchesWildcard(compileWildcard(label), labels[offset + i] ?? ''))
}

function normalLabels(pattern: string): string[] | undefined {
  const bare = pattern.replace(/\.$/, '').toLowerCase()
  if (bare.includes('*')) return bare.split('.')
  const host = hostOf(`https://${bare}`)
  return host?.split('.')
}
