/** For programs that serve until they are told to end. */

/**
 * Returns a function to register what is closed at the end. The first SIGTERM or SIGINT closes what was opened last
 * and ends the program, the second does not wait for that. Called before anything is begun: one that is told to end
 * while it starts, or right after it said that it is there, ends in order, too.
 */
export function createShutdownRegistration(): (close: () => Promise<void>) => void {
  let putAway = async () => {}
  let isEnding = false
  const end = () => {
    if (isEnding) process.exit(1)
    isEnding = true
    void putAway().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return (close) => {
    putAway = close
  }
}
