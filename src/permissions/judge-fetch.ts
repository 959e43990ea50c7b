/** Judges web fetches. If a host isn't on the public internet, only a rule that names it allows the fetch. */
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { isLocalName, literalAddress, networkKindOfAddress, toUrlHost } from '../platform/web/web-address.js'
import * as texts from './decision-texts.js'
import { findDomainRule, findExactDomainRule, hostOf } from './domain-rules.js'
import type { JudgingContext } from './judging-context.js'
import { findRuleWithoutContent } from './name-rules.js'
import { suggestDomainRule } from './permission-suggestions.js'
import { allowVerdict, askByDefault, type Verdict } from './verdict.js'

type FetchFacts = Extract<PermissionFacts, { kind: 'fetch' }>

/** Decides about a fetch of a web page: after deny, ask and bypass. */
export function judgeFetch(call: EngineCall, { url, address }: FetchFacts, session: JudgingContext): Verdict {
  const { rules, mode, servers } = session
  const message = texts.notGrantedText(call.name)
  const host = hostOf(url)
  // A rule about the web approves only web addresses.
  if (host === undefined) return askByDefault(message, 'other')
  const nearby = address === undefined ? nearbyHost(host) : nearbyAddress(host, address)
  const broad = findRuleWithoutContent(rules, 'allow', call.name, servers) ?? findDomainRule(rules, 'allow', url)
  const allowed = nearby
    ? nearby.names.map((name) => findExactDomainRule(rules, name)).find((rule) => rule !== undefined)
    : broad
  if (allowed && mode !== 'plan') return allowVerdict('allow', allowed)
  if (!nearby) return askByDefault(message, 'other', { suggestions: suggestDomainRule(host) })
  const [name = host] = nearby.names
  // A user with a rule for this host needs to know why the rule isn't enough.
  const fix = broad ? ` ${nearby.reason}. To allow it, add the rule WebFetch(domain:${name}).` : ''
  const asked = askByDefault(message + fix, 'other', {
    decisionReason: nearby.reason,
    suggestions: suggestDomainRule(name),
  })
  // A hook that allowed the call has seen the name, not where it leads.
  return address === undefined ? asked : { ...asked, layer: 'safety' }
}

/** `names`: the hosts of which one has to be named by a rule. */
type Nearby = { names: string[]; reason: string }

function nearbyHost(host: string): Nearby | undefined {
  const address = literalAddress(host)
  if (address !== undefined) {
    if (networkKindOfAddress(address) === 'public') return undefined
    return { names: [host], reason: `${address} is not an address of the public internet` }
  }
  return isLocalName(host) ? { names: [host], reason: `${host} is a name of this computer or network` } : undefined
}

/** A rule for a public name was given to what is out there; it does not follow the name home. */
function nearbyAddress(host: string, address: string): Nearby {
  const names = [toUrlHost(address), ...(isLocalName(host) ? [host] : [])]
  return { names, reason: `${host} leads to the private address ${address}` }
}
