/** Further certificate authorities, for every connection of a session. */
import type { SyncFiles } from '../files/file-system.js'

/** Our SDK hands the bundle over under this name, because Node would otherwise parse it at every start. */
export function readCertificates(
  { KEDGE_EXTRA_CA_CERTS: path }: { readonly KEDGE_EXTRA_CA_CERTS?: string | undefined },
  files: Pick<SyncFiles, 'readTextSync'>,
): string | undefined {
  if (!path) return undefined
  try {
    return files.readTextSync(path)
  } catch {
    // As Node itself: a bundle that can't be read is as good as none.
    return undefined
  }
}
