/**
 * Which network a host or address belongs to: the public internet, this computer, or some other network that a page out
 * there must not reach through us. What can't be read counts as not public.
 */

export type AddressNetworkKind = 'public' | 'loopback' | 'private'

/** `address` as DNS gives it, without brackets. */
export function networkKindOfAddress(address: string): AddressNetworkKind {
  const v4 = parseIpv4(address)
  if (v4) return kindOfIpv4(v4)
  const v6 = parseIpv6(address)
  return v6 ? kindOfIpv6(v6) : 'private'
}

/** The address a URL's host spells out, without brackets; undefined for a name. */
export function literalAddress(host: string): string | undefined {
  if (host.startsWith('[') && host.endsWith(']')) return host.slice(1, -1)
  return parseIpv4(host) ? host : undefined
}

/** The host of a URL that leads to an address. */
export function toUrlHost(address: string): string {
  if (!address.includes(':')) return address
  const host = `[${address.replace(/%.*$/s, '')}]`
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : host
}

/** `localhost` and the names below it: this computer, by definition. */
export function isLocalhostName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Names that no public registry hands out, so that they can only mean something nearby. */
export function isLocalName(host: string): boolean {
  if (literalAddress(host) !== undefined) return false
  return !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(host)
}

/** The IPv4 address inside an IPv6 one: another way to the same host. */
export function embeddedIpv4(address: string): string | undefined {
  const groups = parseIpv6(address)
  const bytes = groups && embedded(groups)
  return bytes?.join('.')
}

type Bytes = readonly [number, number, number, number]

/** Start and length of the blocks that are not for the public, as registered with IANA. */
const NOT_PUBLIC_V4: readonly (readonly [Bytes, number])[] = [
  [[0, 0, 0, 0], 8], // this network; 0.0.0.0 reaches this computer
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10], // between a provider and its customers
  [[169, 254, 0, 0], 16], // link-local, where clouds serve their credentials
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24], // examples
  [[192, 88, 99, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15], // benchmarks
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 4], // multicast
  [[240, 0, 0, 0], 4], // reserved, broadcast
]

function kindOfIpv4(bytes: Bytes): AddressNetworkKind {
  if (bytes[0] === 127) return 'loopback'
  const value = toNumber(bytes)
  const special = NOT_PUBLIC_V4.some(([start, length]) => {
    const size = 2 ** (32 - length)
    return value >= toNumber(start) && value < toNumber(start) + size
  })
  return special ? 'private' : 'public'
}

function kindOfIpv6(groups: readonly number[]): AddressNetworkKind {
  const inner = embedded(groups)
  if (inner) return kindOfIpv4(inner)
  const [a = 0, b = 0] = groups
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return 'loopback'
  // Only 2000::/3 is handed out to the public; in it, what is for protocols, documentation and old tunnels is not.
  if (a < 0x2000 || a > 0x3fff) return 'private'
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return 'private'
  if (a === 0x3fff && b < 0x1000) return 'private'
  return 'public'
}

/** In ::ffff:0:0/96 (mapped), 64:ff9b::/96 (NAT64) and 2002::/16 (6to4). */
function embedded(groups: readonly number[]): Bytes | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  if (a === 0x2002) return toBytes(b, c)
  const middle = c === 0 && d === 0 && e === 0
  if (a === 0 && b === 0 && middle && f === 0xffff) return toBytes(g, h)
  if (a === 0x64 && b === 0xff9b && middle && f === 0) return toBytes(g, h)
  return undefined
}

/** Four bytes, or sixteen; undefined for what isn't an address. */
export function addressBytes(address: string): number[] | undefined {
  const v4 = parseIpv4(address)
  return v4 ? [...v4] : parseIpv6(address)?.flatMap((group) => [group >> 8, group & 255])
}

/** Without leading zeros: some programs read those as octal. */
function parseIpv4(text: string): Bytes | undefined {
  const [, a, b, c, d] = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const bytes = [Number(a), Number(b), Number(c), Number(d)] as const
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** Eight groups; a zone after `%` is left out. */
function parseIpv6(text: string): number[] | undefined {
  if (!text.includes(':')) return undefined
  const host = `[${text.replace(/%.*$/s, '')}]`
  if (!URL.canParse(`http://${host}/`)) return undefined
  // The URL parser brings every spelling to one form: hex groups, at most one `::`.
  const [head = '', tail] = new URL(`http://${host}/`).hostname.slice(1, -1).split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [read(head), read(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => 0), ...after]
}

function toBytes(high: number, low: number): Bytes {
  return [high >> 8, high & 255, low >> 8, low & 255]
}

function toNumber([a, b, c, d]: Bytes): number {
  return ((a * 256 + b) * 256 + c) * 256 + d
}
