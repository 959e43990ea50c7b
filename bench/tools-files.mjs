// What Read and Edit cost on large files, against a floor: the same bytes read, or written and renamed, with node:fs alone.
import { spawn } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transpile } from '../scripts/transpile.mjs'

const MB = 1024 * 1024
const LINE = 'a line of text as programs have it, 64 characters with its end.\n'

/** Read of ten lines in the middle of a large file: medians in ms, and how far memory grew for it in a new process. */
export async function measureRead(rounds = 15, megabytes = 50) {
  return inFolder(async ({ context, readTool }) => {
    const path = join(context.cwd, 'large.txt')
    await writeFile(path, LINE.repeat((megabytes * MB) / LINE.length))
    const input = { file_path: path, offset: (megabytes * MB) / LINE.length / 2, limit: 10 }
    const times = await taking(rounds, {
      tool: async () => succeeded(await readTool.execute(input, context)),
      floor: () => readFile(path),
    })
    return {
      rounds,
      ...times,
      toolGrowthMb: await growth(`await readTool.execute(${JSON.stringify(input)}, context)`),
      floorGrowthMb: await growth(`await readFile(${JSON.stringify(path)})`),
    }
  })
}

/** One changed line in the middle of a large file, check and work as a session has them: medians in ms. */
export async function measureEdit(rounds = 15, megabytes = 5) {
  return inFolder(async ({ context, readTool, editTool }) => {
    const path = join(context.cwd, 'large.txt')
    const half = LINE.repeat((megabytes * MB) / LINE.length / 2)
    const content = `${half}odd\n${half}`
    await writeFile(path, content)
    succeeded(await readTool.execute({ file_path: path, limit: 1 }, context))
    let words = ['odd', 'even']
    const edit = async () => {
      const input = { file_path: path, old_string: words[0], new_string: words[1], replace_all: false }
      words = words.toReversed()
      const refused = await editTool.check(input, context)
      if (refused !== undefined) throw new Error(refused)
      succeeded(await editTool.execute(input, context))
    }
    const plain = async () => {
      await writeFile(`${path}.tmp`, content)
      await rename(`${path}.tmp`, `${path}.copy`)
    }
    return { rounds, ...(await taking(rounds, { tool: edit, floor: plain })) }
  })
}

async function inFolder(work) {
  await transpile()
  const { createTestContext } = await import('../.build/src/tools/test-context.js')
  const { readTool } = await import('../.build/src/tools/read/read.js')
  const { editTool } = await import('../.build/src/tools/edit/edit.js')
  const { context, dispose } = await createTestContext()
  try {
    return await work({ context, readTool, editTool })
  } finally {
    await dispose()
  }
}

/** The two take turns, after one round that does not count. */
async function taking(rounds, { tool, floor }) {
  const times = { tool: [], floor: [] }
  for (let i = 0; i <= rounds; i += 1) {
    times.tool.push(await timed(tool))
    times.floor.push(await timed(floor))
  }
  const toolMs = median(times.tool.slice(1))
  const floorMs = median(times.floor.slice(1))
  return { toolMs, floorMs, ratio: toolMs / floorMs }
}

/** Peak memory after the work minus memory before it, in MB. The modules are loaded before. */
async function growth(work) {
  const root = new URL('../.build/src/tools/', import.meta.url)
  const code = `
    import { readFile } from 'node:fs/promises'
    import { createTestContext } from '${root}test-context.js'
    import { readTool } from '${root}read/read.js'
    const { context, dispose } = await createTestContext()
    await import('node:crypto')
    const before = process.memoryUsage().rss
    ${work}
    process.send(process.resourceUsage().maxRSS * 1024 - before)
    await dispose()
    process.disconnect()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const bytes = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (exit) => reject(new Error(`the measured process ended with ${exit}`)))
  })
  return bytes / MB
}

function succeeded(outcome) {
  if (!outcome.ok) throw new Error(outcome.error)
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
