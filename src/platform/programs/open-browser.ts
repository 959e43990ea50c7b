/** Opens an address in the user's browser, where there is one. */
import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** Without a screen of its own, a machine has no browser that its user sees. */
export function hasBrowser(env: Environment, platform: NodeJS.Platform = process.platform): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI']) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'])
}

/** Resolves with whether a browser was started, as far as can be known. Only addresses of the web are opened. */
export function openBrowser(address: URL, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return Promise.resolve(false)
  const [command, ...args] =
    platform === 'darwin'
      ? ['open', address.href]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address.href]
        : ['xdg-open', address.href]
  return new Promise((resolve) => {
    const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
