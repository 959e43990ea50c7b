/** A page of somebody's own at the address of a server: its script is bundled as its developer would. */
import { build } from 'esbuild'
import type { BrowserContext } from 'playwright-core'

export type GivenPage = { html: string; script: string; headers?: Record<string, string> }

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
  { html, script, headers }: GivenPage,
): Promise<void> {
  await context.route(`${url}/own/*`, (route) => {
    const isScript = new URL(route.request().url()).pathname.endsWith('.js')
    const contentType = isScript ? 'text/javascript' : 'text/html; charset=utf-8'
    return route.fulfill({ body: isScript ? script : html, contentType, headers: { ...headers } })
  })
}
