/** Starts requests to addresses that were judged before: the name is only announced, never looked up again. */
import type { ClientRequest, RequestOptions } from 'node:http'
import { literalAddress } from '../web/web-address.js'
import { createAuthorities } from './authorities.js'

export type StartRequest = (settings: RequestOptions) => ClientRequest

/** `extraCertificates`: PEM text of further certificate authorities. */
export function createDirectRequests(
  extraCertificates: (() => string | undefined) | undefined,
): (url: URL) => Promise<StartRequest> {
  const authoritiesWith = createAuthorities()
  return async (url) => {
    if (url.protocol !== 'https:') return (await import('node:http')).request
    const { request } = await import('node:https')
    const certificates = extraCertificates?.()
    const authorities = certificates ? await authoritiesWith(certificates) : undefined
    // Certificates for bare addresses are checked against the address, and those are not announced by name.
    const servername = literalAddress(url.hostname) === undefined ? url.hostname : ''
    return (settings) => request({ ...settings, servername, ...authorities?.() })
  }
}
