/**
 * The file in which sign-ins to MCP servers are kept: the user's own, for nobody else to read. It can be sealed with a
 * key that the system keyring has; it stays what it is, whoever changes it next.
 */
import { sha256 } from '../platform/files/content-hash.js'
import { whileLocked } from '../platform/files/process-lock.js'
import { join } from '../platform/paths.js'
import type { SystemKeyring } from '../platform/programs/system-keyring.js'
import { newSealKey, readSealKey, sealText, unsealText, writeSealKey } from '../platform/sealed-text.js'
import { isObject } from '../protocol/json.js'
import { readUserRecord, type UserRecordPorts, updateUserRecord } from './user-record.js'

/** A refresh of somebody else takes no longer. */
const TURN_MS = 20_000
const ABOUT = 'kedge-mcp-sign-ins'

export type McpSignInFile = ReturnType<typeof openMcpSignInFile>

/** Loaded on first use: most files are not sealed. */
export type McpSignInFilePorts = UserRecordPorts & { keyring(): Promise<SystemKeyring> }

export function mcpSignInPath(configDir: string): string {
  return join(configDir, 'kedge-mcp-sign-ins.json')
}

export function openMcpSignInFile(ports: McpSignInFilePorts) {
  const path = mcpSignInPath(ports.configDir)
  let known: Uint8Array | undefined
  const rawValue = async () => (await readUserRecord(path, ports))?.value
  /** The key of a file that is sealed. Rejects if the keyring doesn't have it. */
  const findKey = async (): Promise<Uint8Array> => {
    if (known) return known
    const found = await (await ports.keyring()).read(path)
    if (typeof found === 'object' && 'problem' in found)
      throw new Error(`The system keyring can't be read (${found.problem}), and ${path} is sealed with a key in it.`)
    known = found === 'missing' ? undefined : readSealKey(found.secret)
    if (!known)
      throw new Error(`The system keyring doesn't have the key of ${path}. Remove that file and sign in again.`)
    return known
  }
  const write = async (change: (value: unknown) => object, key: Uint8Array | undefined, wasSealed: boolean) => {
    const opening = wasSealed ? await findKey() : undefined
    return updateUserRecord(path, ports, (value) => {
      const sealed = sealedIn(value)
      // Another process changed its form just now.
      if (sealed !== undefined && !opening) return undefined
      const plain = sealed === undefined || !opening ? value : unsealed(opening, sealed)
      const next = change(plain)
      return key ? { version: 2, sealed: sealText(key, JSON.stringify(next), ABOUT) } : next
    })
  }
  return {
    path,
    async read(): Promise<unknown> {
      const value = await rawValue()
      const sealed = sealedIn(value)
      return sealed === undefined ? value : unsealed(await findKey(), sealed)
    },
    async update(change: (value: unknown) => object): Promise<string | undefined> {
      const isSealed = sealedIn(await rawValue()) !== undefined
      return write(change, isSealed ? await findKey() : undefined, isSealed)
    },
    /** Seals it with a key in the system keyring, or opens it for good. Returns why that is impossible. */
    async useStorage(storage: 'keyring' | 'file'): Promise<string | undefined> {
      const isSealed = sealedIn(await rawValue()) !== undefined
      if (isSealed === (storage === 'keyring')) return undefined
      const same = (value: unknown): object => (isObject(value) ? value : { version: 1, signIns: [] })
      if (storage === 'file') return write(same, undefined, true)
      const keyring = await ports.keyring()
      const key = newSealKey()
      const written = writeSealKey(key)
      const problem = await keyring.write(path, written)
      if (problem !== undefined) return problem
      // What can't be read back would be lost.
      const found = await keyring.read(path)
      if (typeof found !== 'object' || !('secret' in found) || found.secret !== written)
        return 'it does not return what it was given'
      known = key
      return write(same, key, false)
    },
    async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
      const mark = (await sha256(new TextEncoder().encode(name))).slice(0, 16)
      await ports.files.makeDirectory(ports.configDir, 0o700)
      return whileLocked(`${path}.${mark}`, ports, work, { patienceMs: TURN_MS, otherwise: work })
    },
  }
}

function sealedIn(value: unknown): string | undefined {
  return isObject(value) && typeof value['sealed'] === 'string' ? value['sealed'] : undefined
}

function unsealed(key: Uint8Array, sealed: string): unknown {
  const text = unsealText(key, sealed, ABOUT)
  if (text === undefined) throw new Error('The sign-ins are sealed with another key than that of the system keyring.')
  return JSON.parse(text)
}
