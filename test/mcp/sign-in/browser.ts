/** As much of a browser as a person needs to sign in: cookies, redirects, and forms that are filled in and sent. */

export type Visited = { url: string; status: number; text: string }

/** `stopAt`: an address that is not asked for, because the browser is on another machine. */
export async function visit(address: string, stopAt?: string): Promise<Visited> {
  const jar = new Map<string, string>()
  let url = address
  let body: URLSearchParams | undefined
  for (let step = 0; step < 30; step += 1) {
    if (stopAt !== undefined && url.startsWith(stopAt)) return { url, status: 0, text: '' }
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    const text = await response.text()
    body = undefined
    if (location !== null) {
      url = new URL(location, url).href
      continue
    }
    const [, head = '', fields = ''] = /<form([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/.exec(text) ?? []
    const action = /action="([^"]+)"/.exec(head)?.[1]
    if (action === undefined) return { url, status: response.status, text }
    url = new URL(action, url).href
    body = new URLSearchParams()
    for (const [input] of fields.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]+)"/.exec(input)?.[1]
      if (name !== undefined) body.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? 'ada')
    }
  }
  throw new Error(`the sign-in has no end: ${url}`)
}
