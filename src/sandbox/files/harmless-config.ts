/** Configurations of version control that run nothing: every line is one of those known to be harmless. */
import { parseRiskyGitSettings } from '../../platform/git-settings.js'

/** Nothing but settings that name no program. It may be the clone of a folder, and fetch what is missing in it later. */
export function isHarmlessGitConfig(text: string): boolean {
  const { odd, hooksPath, worktree, helper } = parseRiskyGitSettings(text)
  return [odd, hooksPath, worktree, helper].every((one) => one === undefined)
}

/** Where it was cloned from, and who commits. */
export function isHarmlessMercurialConfig(text: string): boolean {
  return everyLine(text, (section, _, key, value) => {
    if (section === 'ui') return key === 'username'
    return section === 'paths' && !/^\s*(?:ssh:|.*::)/.test(value)
  })
}

type Judge = (section: string, name: string | undefined, key: string, value: string) => boolean

/** A line that is not understood is not harmless: one that continues in the next, or a section spelled the old way. */
function everyLine(text: string, judge: Judge): boolean {
  let section = ''
  let name: string | undefined
  return text.split(/\r?\n/).every((line) => {
    const header = /^\s*\[([\w-]+)(?:\s+"([^"\\]*)")?\]\s*(.*)$/.exec(line)
    if (header) [, section = '', name] = [header[0], header[1]?.toLowerCase(), header[2]]
    const rest = header ? (header[3] ?? '') : line
    if (/^\s*(?:[#;].*)?$/.test(rest)) return true
    const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? []
    return key !== undefined && !value.endsWith('\\') && judge(section, name, key.toLowerCase(), value)
  })
}
