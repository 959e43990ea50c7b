/**
 * Runs one of our lazy programs in a thread of its own, with limits on time and memory: for libraries that take input of
 * strangers and know no limits themselves. What hostile input does to such a thread ends with it.
 */
import { findOwnProgram } from './own-program.js'

export type ThreadLimits = { maxMs: number; maxHeapMb: number }

export type ThreadOutcome<Answer> =
  | { ok: true; answer: Answer }
  /** `missing`: a file of the installation is not there. `late`: over a limit, or aborted. `failed`: the program threw. */
  | { ok: false; why: 'missing' | 'late' | 'failed' }

/** `program` is the name of a file in platform/, built into `lazy/`. `moved` buffers are gone here afterwards. */
export async function runInThread<Answer>(
  program: string,
  question: unknown,
  limits: ThreadLimits,
  signal: AbortSignal,
  moved: ArrayBuffer[] = [],
): Promise<ThreadOutcome<Answer>> {
  const path = findOwnProgram(program)
  if (path === undefined) return { ok: false, why: 'missing' }
  const { Worker } = await import('node:worker_threads')
  if (signal.aborted) return { ok: false, why: 'late' }
  const worker = new Worker(path, {
    workerData: question,
    transferList: moved,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb },
    // Nothing of the host's goes there, and nothing of its warnings comes out.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const stop = () => void worker.terminate()
  const deadline = setTimeout(stop, limits.maxMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<ThreadOutcome<Answer>>((resolve) => {
      // The program is ours, and answers with what its caller names.
      worker.once('message', (answer: unknown) => resolve({ ok: true, answer: answer as Answer }))
      worker.once('error', () => resolve({ ok: false, why: 'failed' }))
      worker.once('exit', () => resolve({ ok: false, why: 'late' }))
    })
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
