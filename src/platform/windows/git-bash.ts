/** Where Bash is on Windows: that of Git, never the one of the subsystem for Linux, which sees other files under other names. */

import { win32 } from 'node:path'
import { trimTrailingCharacters } from '../trim-end.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Windows takes `Path` and `PATH` for one; an object that was copied does not. */
export function windowsVariable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase())
  return key === undefined ? undefined : env[key]
}

/** Beside each `git` of the PATH, then where Git is installed by default; the first that is there is taken. */
export function gitBashCandidatePaths(env: Environment): string[] {
  const folders = (windowsVariable(env, 'PATH') ?? '')
    .split(';')
    .filter((folder) => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder))
  const roots = folders.flatMap((folder) => {
    const plain = trimTrailingCharacters(win32.normalize(folder), '\\')
    // `…\Git\cmd`, `…\Git\bin`, `…\Git\usr\bin`, `…\Git\mingw64\bin`
    const [, root] = /^(.*)\\(?:cmd|bin|usr\\bin|mingw(?:32|64)\\bin)$/i.exec(plain) ?? []
    return root === undefined || isOfWindows(root) ? [] : [root.replace(/\\(?:usr|mingw(?:32|64))$/i, '')]
  })
  const usual = [
    ...['ProgramW6432', 'ProgramFiles', 'ProgramFiles(x86)'].map((name) => windowsVariable(env, name)),
    joined(windowsVariable(env, 'LOCALAPPDATA'), 'Programs'),
  ]
  const installed = usual.flatMap((folder) => (folder === undefined ? [] : [win32.join(folder, 'Git')]))
  return [...new Set([...roots, ...installed])].flatMap((root) => [
    win32.join(root, 'bin', 'bash.exe'),
    win32.join(root, 'usr', 'bin', 'bash.exe'),
  ])
}

function isOfWindows(folder: string): boolean {
  return /\\(?:windows|system32|syswow64|sysnative|windowsapps)(?:\\|$)/i.test(folder)
}

function joined(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : win32.join(folder, name)
}
