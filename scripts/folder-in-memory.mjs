// Where tests make their folders: in memory, where the machine has room for that. They come and go by the ten thousand, most with files
// that were synced, and a disk takes up to ten milliseconds to remove one of those while everybody else waits.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'

export const PLACE = '/dev/shm'
/** Ten times of what they were seen to need. In a container it is often 64 megabytes. */
const ROOM = 2 * 1024 ** 3

/** A folder that is gone when this process ends; undefined where there is no room. */
export function folderInMemory() {
  if (!hasRoom()) return undefined
  const folder = mkdtempSync(`${PLACE}/kt-`)
  // As /tmp is: some tests work as another user.
  chmodSync(folder, 0o1777)
  process.on('exit', () => remove(folder))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  return folder
}

/** Tests that were interrupted still write into it. An error here would be taken for one of theirs, and the run would not end. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    console.error(`${folder} is left behind: ${error.message}`)
  }
}

function hasRoom() {
  if (process.platform !== 'linux') return false
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === PLACE)
    // Some tests put programs there.
    if (mount?.[2] !== 'tmpfs' || mount[3]?.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(PLACE)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
