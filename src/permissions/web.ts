/** Rules for fetching: `domain:` patterns against the host as a browser would read it. */
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

export function domainRule(rules: RuleSet, behavior: PermissionBehavior, url: string): Rule | undefined {
  const host = hostOf(url)
  return rules.scoped(behavior, ['WebFetch']).find((rule) => {
    const domain = /^\s*domain\s*:\s*(\S+)\s*$/.exec(rule.content)?.[1]
    // Written as an address, a rule can forbid, but it approves nothing.
    if (domain === undefined) return behavior !== 'allow' && matchesWildcard(compileWildcard(rule.content), url)
    // An address without a host can't be told apart from a forbidden one.
    if (host === undefined) return behavior !== 'allow'
    return matchesDomain(domain, host) || (behavior !== 'allow' && matchesDomain(domain, mappedAddress(host) ?? host))
  })
}

/** The IPv4 address inside an IPv6 one: another way to the same host. */
function mappedAddress(host: string): string | undefined {
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(host) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
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
