/** Leads a person at a command to the page of an authorization server, and reads the address that the browser ended at. */
import type { SignInLead } from '../../mcp/sign-in/lead-sign-in.js'
import { hasBrowser, openBrowser } from '../../platform/programs/open-browser.js'
import { print, printToStderr } from '../terminal-output.js'
import { readLines } from './input-lines.js'

export type SignInPrompterOptions = {
  /** The person is told the address, and opens it elsewhere. */
  noBrowser: boolean
  /** The command that signs in with a code. */
  deviceCommand: string
}

/** Shows the page, and reads what its user pastes. The same lines are read on after a paste that was wrong. */
export function createSignInPrompter(shown: string, choices: SignInPrompterOptions): SignInLead['show'] {
  let lines: ReturnType<typeof readLines> | undefined
  let next: AsyncIterator<string> | undefined
  return async ({ address, code, problem, offersDevice }, signal) => {
    if (problem === undefined) await showPage(shown, { address, ...(code === undefined ? {} : { code }) }, choices)
    else printToStderr(`${problem}\n`)
    const canPaste = code === undefined && (choices.noBrowser || process.stdin.isTTY)
    if (!canPaste) return new Promise<never>(() => {})
    if (!lines && offersDevice && choices.noBrowser)
      print(`To sign in with a short code instead, press Ctrl+C and run: ${choices.deviceCommand}\n\n`)
    if (!lines) print('If the browser can’t come back here, paste the address that it ended at:\n')
    lines ??= readLines()
    signal.addEventListener('abort', () => lines?.close(), { once: true })
    next ??= lines.all[Symbol.asyncIterator]()
    for (;;) {
      const line = await next.next()
      // Nothing more will be pasted: the browser may still come.
      if (line.done) return new Promise<never>(() => {})
      if (line.value.trim() !== '') return { pasted: line.value }
    }
  }
}

async function showPage(
  shown: string,
  { address, code }: { address: URL; code?: string },
  choices: SignInPrompterOptions,
): Promise<void> {
  const isOpened = !choices.noBrowser && hasBrowser(process.env) && (await openBrowser(address))
  const how = isOpened
    ? 'Sign in in your browser. If it did not open, use this address:'
    : code === undefined
      ? 'Open this address in a browser:'
      : 'Open this address in a browser, on any device:'
  const check = code === undefined ? '' : `The page asks for this code, or shows it: ${code}\n\nWaiting…\n`
  print(`Signing in to ${shown}. ${how}\n\n${address.href}\n\n${check}`)
}
