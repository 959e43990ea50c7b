/** Secrets in what people are shown of a session. */

const SHORTEST_SECRET = 8
const SECRET_NAME = /key|token|secret|password|passwd|credential|custom_headers|^authorization$|^cookie$/i

/** Names with values: an environment, or headers. */
type Variables = Readonly<Record<string, unknown>>

/** Keys of APIs, bearer tokens, and what an environment or headers call a key, token, secret or password. */
export function createSecretMask(...all: readonly Variables[]): (text: string) => string {
  const named = all.flatMap((variables) => Object.entries(variables))
  const secrets = named.flatMap(([name, value]) =>
    // A header is a name and a value.
    SECRET_NAME.test(name) && typeof value === 'string' ? [value, ...value.split(/[\s:]+/)] : [],
  )
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return (text) => maskPatterns(longestFirst.reduce((line, secret) => line.replaceAll(secret, '…'), text))
}

/** API keys, bearer tokens, and what OAuth hands out, masked wherever they turn up; also in JSON within JSON. */
function maskPatterns(text: string): string {
  const named = text.replace(/(\\*"(?:access_token|refresh_token|client_secret)\\*":\s*\\*")[^"\\]+/g, '$1…')
  return named.replace(/sk-ant-[\w-]+/g, 'sk-ant-…').replace(/(bearer )[\w.~+/-]+/gi, '$1…')
}

/** The environments and headers in a configuration, which may also be JSON. */
export function collectMaskableVariables(value: unknown): Variables[] {
  if (typeof value === 'string') {
    try {
      return /^\s*[[{]/.test(value) ? collectMaskableVariables(JSON.parse(value)) : []
    } catch {
      return []
    }
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    /^(?:env|headers)$/.test(name) && typeof inner === 'object' && inner !== null
      ? [inner]
      : collectMaskableVariables(inner),
  )
}
