/**
 * One of a kind for all sessions of a process, whichever copy of this code they run: a server and the library beside it are bundled
 * apart, and share their limits toward the same API all the same.
 */
export function processWide<T>(name: string, make: () => T): T {
  const place: { [key: symbol]: unknown } = globalThis
  const key = Symbol.for(`kedge.${name}`)
  place[key] ??= make()
  // Made by `make` of the same name.
  return place[key] as T
}
