/** Secrets in what people are shown of a session. */

const SHORTEST_SECRET = 8
const SECRET_NAME = /key|token|secret|password|passwd|credential|custom_headers/i

/** Keys of APIs, bearer tokens, and what the environment calls a key, token, secret or password. */
export function createMask(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value = '']) =>
    // A header is a name and a value.
    SECRET_NAME.test(name) ? [value, ...value.split(/[\s:]+/)] : [],
  )
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return (text) => maskPatterns(longestFirst.reduce((line, secret) => line.replaceAll(secret, '…'), text))
}

/** API keys and bearer tokens, masked wherever they turn up. */
function maskPatterns(text: string): string {
  return text.replace(/sk-ant-[\w-]+/g, 'sk-ant-…').replace(/(bearer )[\w.~+/-]+/gi, '$1…')
}
