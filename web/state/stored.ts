/** What this browser keeps for itself: drafts, and prompts that the server has not confirmed yet. */

export function store(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`kedge:${key}`)
    else localStorage.setItem(`kedge:${key}`, JSON.stringify(value))
  } catch {
    // Full, or not allowed: it is a convenience only.
  }
}

export function stored<V>(key: string): V | undefined {
  try {
    const text = localStorage.getItem(`kedge:${key}`)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function storedKeys(start: string): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(`kedge:${start}`) ? [key.slice(6)] : []))
  } catch {
    return []
  }
}
