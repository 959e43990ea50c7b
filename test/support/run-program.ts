/** Runs a program of the repository as a user would: with an empty home and no credentials. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { testOptions } from 'kedge/testing'

/** `left`: what it left in its folder for temporary files. */
export type RunProgram = {
  code: number | string | null | undefined
  stdout: string
  stderr: string
  left: string[]
}

export async function runProgram(file: string, more: Record<string, string> = {}): Promise<RunProgram> {
  await using options = testOptions({ env: () => more })
  const temporary = options.env['TMPDIR'] ?? ''
  const ended = await new Promise<Omit<RunProgram, 'left'>>((resolve) => {
    execFile(process.execPath, [file], { env: options.env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr })
    })
  })
  return { ...ended, left: readdirSync(temporary) }
}
