import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitBashCandidatePaths, windowsVariable } from './git-bash.js'

test('the Bash of the Git on the PATH comes first, then that of the usual folders', () => {
  const env = {
    Path: 'C:\\tools;D:\\Git\\cmd;.;D:\\Git\\mingw64\\bin',
    ProgramFiles: 'C:\\Program Files',
    LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
  }
  assert.deepEqual(gitBashCandidatePaths(env), [
    'D:\\Git\\bin\\bash.exe',
    'D:\\Git\\usr\\bin\\bash.exe',
    'C:\\Program Files\\Git\\bin\\bash.exe',
    'C:\\Program Files\\Git\\usr\\bin\\bash.exe',
    'C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\bin\\bash.exe',
    'C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\usr\\bin\\bash.exe',
  ])
})

test('never that of the subsystem for Linux, nor one that a relative folder leads to', () => {
  const env = {
    PATH: 'C:\\Windows\\System32;C:\\WINDOWS\\bin;C:\\Users\\ada\\AppData\\Local\\Microsoft\\WindowsApps\\bin;bin;\\bin;..\\Git\\bin',
  }
  assert.deepEqual(gitBashCandidatePaths(env), [])
})

test('a variable is found in whatever case it is written', () => {
  assert.equal(windowsVariable({ Path: 'a' }, 'PATH'), 'a')
  assert.equal(windowsVariable({}, 'PATH'), undefined)
})
