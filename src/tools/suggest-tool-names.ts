/** Which tool a model may mean that calls one there is not, by what other programs call theirs. Loaded when that happens. */
import { isSimilarWord } from './similar-words.js'

/** Sentences for the model. */
export function suggestToolNames(name: string, names: readonly string[]): string {
  const meant = guess(name, names)
  return `${meant === undefined ? '' : `Did you mean ${meant}? `}Tools: ${listed(names)}.`
}

const MAX_NAMES = 40

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown
}

/** What other programs call it, in small letters and without anything between the words. */
const GUESSES: Readonly<Record<string, string>> = {
  Read: 'readfile viewfile openfile view cat readmanyfiles notebookread',
  Write: 'writefile createfile writetofile savefile newfile',
  Edit: 'editfile strreplace strreplaceeditor strreplacebasededittool replace replaceinfile searchreplace applypatch applydiff patch multiedit',
  NotebookEdit: 'editnotebook',
  Bash: 'shell sh exec execute run runcommand runshell runshellcommand runterminalcmd executecommand terminal localshell powershell cmd',
  Glob: 'ls listdir listdirectory listfiles findfiles filesearch find searchfiles findfile',
  Grep: 'search searchtext searchfilecontent grepsearch codebasesearch codesearch ripgrep rg searchcode',
  WebFetch: 'fetch fetchurl webfetch readurl browser openurl httpget urlfetch',
  WebSearch: 'searchweb google googlesearch googlewebsearch internetsearch',
  TodoWrite: 'todo todos updateplan writetodos updatetodos todoread',
  Task: 'agent subagent dispatchagent delegate spawnagent newtask',
  TaskOutput: 'getoutput readoutput bashoutput taskresult',
  TaskStop: 'kill killtask stoptask killprocess killshell',
  AskUserQuestion: 'askuser ask askfollowupquestion question',
}

function guess(name: string, names: readonly string[]): string | undefined {
  const plain = bare(name)
  if (plain === '') return undefined
  const known = Object.entries(GUESSES).find(([, words]) => words.split(' ').includes(plain))?.[0]
  if (known !== undefined && names.includes(known)) return known
  return (
    names.find((one) => bare(one) === plain) ??
    names.find((one) => one.startsWith('mcp__') && bare(one.slice(one.lastIndexOf('__'))) === plain) ??
    names.find((one) => isSimilarWord(bare(one), plain))
  )
}

function bare(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}
