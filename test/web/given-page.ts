/** A page of somebody's own at the address of a server: its script is bundled as its developer would. */
import { build } from 'esbuild'
import type { BrowserContext } from 'playwright-core'

/** `script` and `style` are at `page.js` and `page.css` beside it. */
export type GivenPage = { html: string; script: string; style?: string; headers?: Record<string, string> }

/** Returns a script, bundled for a browser: a file, or a program with JSX. */
export async function bundlePage(script: { file: string } | { program: string }): Promise<string> {
  const made = await build({
    ...('file' in script
      ? { entryPoints: [script.file] }
      : { stdin: { contents: script.program, loader: 'tsx', resolveDir: process.cwd() } }),
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
    logLevel: 'error',
  })
  return made.outputFiles[0]?.text ?? ''
}

/** Serves it at `/own/` of the server. Whatever else the page loads comes from there. */
export async function servePage(
  context: BrowserContext,
  url: string,
  { html, script, style = '', headers }: GivenPage,
): Promise<void> {
  const files: Record<string, { body: string; contentType: string }> = {
    'page.js': { body: script, contentType: 'text/javascript' },
    'page.css': { body: style, contentType: 'text/css' },
  }
  await context.route(`${url}/own/*`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    const file = files[name] ?? { body: html, contentType: 'text/html; charset=utf-8' }
    return route.fulfill({ ...file, headers: { ...headers } })
  })
}
