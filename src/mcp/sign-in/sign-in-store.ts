/** Where sign-ins are kept. A port: a file of the user's today, and a place for a keyring or a database of a cluster. */
import { parseSignIns, type ServerIdentity, type StoredSignIn, signInKey, toSignInFile } from './stored-sign-in.js'

/** One JSON value that several processes read and change. */
export type SignInFile = {
  read(): Promise<unknown>
  /** Changes it while nobody else does. Returns why it could not. */
  update(change: (value: unknown) => object): Promise<string | undefined>
  /** Runs work while no other process does the same under this name. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
}

export interface SignInStore {
  list(): Promise<StoredSignIn[]>
  find(server: ServerIdentity): Promise<StoredSignIn | undefined>
  /** Rejects when it can't be kept. */
  save(signIn: StoredSignIn): Promise<void>
  /** Changes one that is there. */
  change(server: ServerIdentity, change: (signIn: StoredSignIn) => StoredSignIn): Promise<void>
  remove(server: ServerIdentity): Promise<void>
  /** Among all sessions and processes one at a time for a server: a refresh token is good for one use. */
  exclusively<T>(server: ServerIdentity, work: () => Promise<T>): Promise<T>
}

export function createSignInStore(file: SignInFile): SignInStore {
  const all = async () => parseSignIns(await file.read())
  const update = async (change: (signIns: Map<string, StoredSignIn>) => void) => {
    const problem = await file.update((value) => {
      const signIns = parseSignIns(value)
      change(signIns)
      return toSignInFile(signIns)
    })
    if (problem !== undefined) throw new Error(`The sign-in can't be saved: ${problem}`)
  }
  return {
    list: async () => [...(await all()).values()],
    find: async (server) => (await all()).get(signInKey(server)),
    save: (signIn) => update((signIns) => void signIns.set(signInKey(signIn), signIn)),
    change: (server, change) =>
      update((signIns) => {
        const known = signIns.get(signInKey(server))
        if (known) signIns.set(signInKey(server), change(known))
      }),
    remove: (server) => update((signIns) => void signIns.delete(signInKey(server))),
    exclusively: (server, work) => file.exclusively(signInKey(server), work),
  }
}
