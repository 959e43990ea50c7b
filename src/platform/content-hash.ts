/** A hash of file content, to notice changes. `node:crypto` is loaded at the first use: start-up does not pay for it. */

export interface ContentHash {
  update(bytes: Uint8Array): void
  digest(): string
}

export async function createContentHash(): Promise<ContentHash> {
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
}

export async function hashContent(bytes: Uint8Array): Promise<string> {
  const hash = await createContentHash()
  hash.update(bytes)
  return hash.digest()
}
