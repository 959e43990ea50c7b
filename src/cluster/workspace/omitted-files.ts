/** Which files are not saved, and why. Pure. */
import type { OmittedFile } from './session-workspace.js'

/** Names of files that hold credentials as a rule. Examples of them hold none. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?:\..+)?$/i,
  /^[._](?:npmrc|pypirc|netrc|pgpass|git-credentials|dockercfg|htpasswd|erlang\.cookie|my\.cnf|mylogin\.cnf|authinfo)$/i,
  /^\.(?:vault-token|vault_pass|s3cfg|boto|databrickscfg|Xauthority|terraformrc|smbcredentials|passwd-s3fs|msmtprc)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/i,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/i,
  /^service[-_]account.*\.json$/i,
]
const EXAMPLE = /\.(?:example|sample|template|dist|defaults?)$/i
const SECRET_FOLDERS = /^\.(?:ssh|aws|gnupg|kube|azure|oci|password-store|snowflake|step)$/i

export function mayHoldSecrets(path: string): boolean {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if (parts.some((part) => SECRET_FOLDERS.test(part))) return true
  return !EXAMPLE.test(name) && SECRET_NAMES.some((shape) => shape.test(name))
}

export const SECRET_REASON = 'it may hold secrets'

export type SizedFile = { path: string; size: number }

/** Leaves out files that are too large, and the largest ones while the total is too large. */
export function findFilesToOmitBySize(
  files: readonly SizedFile[],
  { fileBytes, allBytes }: { fileBytes: number; allBytes: number },
): OmittedFile[] {
  const left: OmittedFile[] = []
  const rest = files.filter(({ path, size }) => {
    if (size > fileBytes) left.push({ path, why: `${megabytes(size)}, more than ${megabytes(fileBytes)} for one file` })
    return size <= fileBytes
  })
  let sum = rest.reduce((all, { size }) => all + size, 0)
  const largest = sum > allBytes ? [...rest].sort((one, other) => other.size - one.size) : []
  for (const { path, size } of largest) {
    if (sum <= allBytes) break
    sum -= size
    left.push({ path, why: `${megabytes(size)}, and all files together are more than ${megabytes(allBytes)}` })
  }
  return left
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** A row is kept for each session: what matters is that something is missing, and where to look. */
const MOST = 200

export function limitOmittedFileList(leftOut: readonly OmittedFile[]): OmittedFile[] {
  if (leftOut.length <= MOST) return [...leftOut]
  return [...leftOut.slice(0, MOST), { path: '', why: `${leftOut.length - MOST} more` }]
}
