/** What becomes of output that can't be written: a full disk is said and counts as a failure, a reader that left does not. */
import { tell } from './terminal-output.js'

/** Runs a command that prints as it goes. */
export async function withOutputChecked(command: () => Promise<number>): Promise<number> {
  let problem: Error | undefined
  process.stdout.on('error', (error) => {
    problem ??= error
  })
  const code = await command()
  // Streams tell of their errors a little later.
  await new Promise((resolve) => setImmediate(resolve))
  return problem && complain(problem) ? 1 : code
}

/** Says why nothing is printed. False when there is nobody to print for, as in `| head`. */
export function complain(error: Error): boolean {
  if ('code' in error && error.code === 'EPIPE') return false
  const full = 'code' in error && error.code === 'ENOSPC' ? '\nFix: free some space on the disk you print to.' : ''
  tell(`Error: the output could not be written: ${error.message}${full}\n`)
  return true
}
