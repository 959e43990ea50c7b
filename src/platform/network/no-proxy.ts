/** Which hosts are reached without a proxy: `NO_PROXY`, which every program reads a little differently. Names are not looked up for it. */
import { addressBytes, isLocalhostName, literalAddress } from '../web/web-address.js'

type Entry = { port?: number } & ({ name: string } | { bytes: readonly number[]; bits: number })

/** Is the host one of `list`? `example.com`, `.example.com` and `*.example.com` all mean it and every name below it. */
export function createNoProxyMatcher(list: string | undefined): (url: URL) => boolean {
  const texts = (list ?? '').split(/[\s,]+/).filter((text) => text !== '')
  if (texts.includes('*')) return () => true
  const entries = texts.flatMap((text) => readEntry(text.toLowerCase()) ?? [])
  return (url) => {
    const host = url.hostname.toLowerCase().replace(/\.$/, '')
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const bytes = addressBytes(literalAddress(host) ?? '')
    return entries.some(
      (entry) =>
        (entry.port === undefined || entry.port === port) &&
        ('name' in entry
          ? host === entry.name || host.endsWith(`.${entry.name}`)
          : bytes !== undefined && hasPrefix(bytes, entry.bytes, entry.bits)),
    )
  }
}

/** This computer, and where clouds hand out credentials: no proxy could reach them for us. */
export function isNeverProxied({ hostname }: URL): boolean {
  if (isLocalhostName(hostname) || hostname === 'metadata.google.internal') return true
  const bytes = addressBytes(literalAddress(hostname) ?? '')
  if (bytes?.length === 4) return bytes[0] === 127 || (bytes[0] === 169 && bytes[1] === 254)
  return bytes !== undefined && bytes.every((byte, at) => byte === (at === 15 ? 1 : 0))
}

function readEntry(text: string): Entry | undefined {
  const [, spelled = '', slash] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const whole = addressBytes(withoutBrackets(spelled))
  if (whole) return { bytes: whole, bits: Math.min(slash === undefined ? 128 : Number(slash), whole.length * 8) }
  if (slash !== undefined) return undefined
  const [, host = text, digits] = /^(.*):(\d{1,5})$/.exec(text) ?? []
  const port = digits === undefined ? {} : { port: Number(digits) }
  const bytes = addressBytes(withoutBrackets(host))
  if (bytes) return { bytes, bits: bytes.length * 8, ...port }
  const name = host.replace(/^\*?\./, '').replace(/\.$/, '')
  return name === '' || name.includes('*') ? undefined : { name, ...port }
}

function withoutBrackets(host: string): string {
  return literalAddress(host) ?? host
}

function hasPrefix(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  if (bytes.length !== prefix.length) return false
  for (let at = 0; at * 8 < bits; at++) {
    const shift = Math.max(0, 8 - (bits - at * 8))
    if ((bytes[at] ?? 0) >> shift !== (prefix[at] ?? 0) >> shift) return false
  }
  return true
}
