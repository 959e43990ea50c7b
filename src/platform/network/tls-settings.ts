/**
 * Whom encrypted connections believe, and who we say we are: further authorities and a certificate of our own, as the environment
 * names them. One context for all connections of a session: Node would read every authority again for each of them.
 */
import type { SecureContext } from 'node:tls'
import { ConfigurationError } from '../../errors.js'
import type { SyncFiles } from '../files/file-system.js'

/** The TLS settings of a request. For a request. The texts are for runtimes that do not know contexts. */
export type TlsSettings = {
  readonly ca?: string[]
  readonly cert?: string
  readonly key?: string
  readonly passphrase?: string
  readonly secureContext: SecureContext
}

type Pair = { cert: string; key: string }
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns a function that reads the TLS settings for requests. Undefined: as Node does it by itself. Rejects when a
 * certificate can't be used. The pair is read anew: certificates are renewed.
 */
export function createTlsSettingsReader(
  env: Environment,
  files: Pick<SyncFiles, 'readTextSync'>,
): () => Promise<TlsSettings | undefined> {
  const bundle = env['KEDGE_EXTRA_CA_CERTS']
  const paths = pathsOf(env)
  const passphrase = env['CLAUDE_CODE_CLIENT_KEY_PASSPHRASE']
  if (!bundle && !paths) return async () => undefined
  let known: { pair: Pair | undefined; secured: TlsSettings } | undefined
  return async () => {
    try {
      const pair = paths && { cert: files.readTextSync(paths.cert), key: files.readTextSync(paths.key) }
      if (known && known.pair?.cert === pair?.cert && known.pair?.key === pair?.key) return known.secured
      const authorities = bundle ? readCertificates(bundle, files) : undefined
      if (!pair && authorities === undefined) return undefined
      const secured = await secure(authorities, pair && { ...pair, ...(passphrase ? { passphrase } : {}) })
      known = { pair, secured }
      return secured
    } catch (error) {
      // Between the renewal of one file and of the other they do not match: the old pair counts until both are there.
      if (known) return known.secured
      throw paths ? Object.assign(new Error('the client certificate'), { code: 'CLIENT_CERTIFICATE' }) : error
    }
  }
}

async function secure(authorities: string | undefined, own: (Pair & { passphrase?: string }) | undefined) {
  const { createSecureContext, rootCertificates } = await import('node:tls')
  if (authorities === undefined) return { ...own, secureContext: createSecureContext({ ...own }) }
  const secureContext = createSecureContext({ ...own })
  const native: { addCACert?: (certificate: string) => void } = secureContext.context
  if (native.addCACert) {
    for (const certificate of missingOf(authorities, rootCertificates)) native.addCACert(certificate)
    return { ...own, secureContext }
  }
  // `ca` replaces the built-in authorities, so these are named again.
  const options = { ca: [...rootCertificates, authorities], ...own }
  return { ...options, secureContext: createSecureContext(options) }
}

/**
 * Those of a bundle that are not built in. Most bundles are the system's own list with a company's authority in it, and each costs
 * as much as reading a file: naming the built-in ones again would take 50 ms of processor time.
 */
function missingOf(bundle: string, builtIn: readonly string[]): string[] {
  const bare = (certificate: string) => certificate.replaceAll(/\s/g, '')
  const known = new Set(builtIn.map(bare))
  const all = bundle.match(/-----BEGIN (?:\w+ )?CERTIFICATE-----[^-]+-----END (?:\w+ )?CERTIFICATE-----/g) ?? []
  return all.filter((certificate) => !known.has(bare(certificate)))
}

/** Our SDK hands the bundle over under a name of ours, because Node would otherwise parse it at every start. */
function readCertificates(path: string, files: Pick<SyncFiles, 'readTextSync'>): string | undefined {
  try {
    return files.readTextSync(path)
  } catch {
    // As Node itself: a bundle that can't be read is as good as none.
    return undefined
  }
}

function pathsOf(env: Environment): Pair | undefined {
  const [cert, key] = [env['CLAUDE_CODE_CLIENT_CERT']?.trim(), env['CLAUDE_CODE_CLIENT_KEY']?.trim()]
  if (cert && key) return { cert, key }
  if (!cert && !key) return undefined
  const [there, missing] = cert ? ['CERT', 'KEY'] : ['KEY', 'CERT']
  const text = `CLAUDE_CODE_CLIENT_${there} is set and CLAUDE_CODE_CLIENT_${missing} is not: name both PEM files, or neither.`
  throw new ConfigurationError(`CLAUDE_CODE_CLIENT_${missing}`, text)
}
