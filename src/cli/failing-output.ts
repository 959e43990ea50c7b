/** What becomes of output that can't be written: it is said and counts as a failure. */
import { printToStderr } from './terminal-output.js'

/** Runs a command that prints as it goes. A reader that left early, as in `--help | head`, has seen enough. */
export async function runWithOutputCheck(command: () => Promise<number>): Promise<number> {
  let problem: Error | undefined
  process.stdout.on('error', (error) => {
    problem ??= error
  })
  const code = await command()
  // Streams tell of their errors a little later.
  await new Promise((resolve) => setImmediate(resolve))
  if (!problem || codeOf(problem) === 'EPIPE') return code
  reportLostOutput(problem)
  return 1
}

/** Says that output is missing, and why. */
export function reportLostOutput(error: Error): void {
  const code = codeOf(error)
  const why = code === 'EPIPE' ? 'its reader is gone (EPIPE)' : error.message
  const full = code === 'ENOSPC' ? '\nFix: free some space on the disk you print to.' : ''
  printToStderr(`Error: the output could not be written: ${why}${full}\n`)
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}
