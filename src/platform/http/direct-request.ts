/** Starts a request to an address that was judged before: the name is only announced, never looked up again. */
import type { ClientRequest, RequestOptions } from 'node:http'
import { literalAddress } from '../web/web-address.js'

export type StartRequest = (settings: RequestOptions) => ClientRequest

/** `extraCertificates`: PEM text of further certificate authorities. */
export async function directRequest(url: URL, extraCertificates: string | undefined): Promise<StartRequest> {
  if (url.protocol !== 'https:') return (await import('node:http')).request
  const { request } = await import('node:https')
  // `ca` replaces the built-in authorities, so these are named again.
  const ca = extraCertificates ? [...(await import('node:tls')).rootCertificates, extraCertificates] : undefined
  // Certificates for bare addresses are checked against the address, and those are not announced by name.
  const servername = literalAddress(url.hostname) === undefined ? url.hostname : ''
  return (settings) => request({ ...settings, servername, ca })
}
