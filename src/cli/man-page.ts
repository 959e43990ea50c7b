/** `man kedge`, made at build time of the tables that `--help` is made of. */
import type { Flag } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { HELP_TITLES } from './help.js'
import { SUBCOMMANDS } from './subcommands.js'

/** No date: the same sources make the same bytes. */
export function manPage(version: string, flags: readonly Flag[] = FLAGS): string {
  const groups = Object.entries(HELP_TITLES).map(([group, title]) => section(title, ofGroup(flags, group)))
  const others = flags.filter(({ group }) => group === undefined)
  return `${[
    `.TH KEDGE 1 "" "Kedge ${plain(version)}" "User Commands"`,
    '.SH NAME\nkedge \\- an open agent runtime',
    '.SH SYNOPSIS\n.B kedge\n[\\fIoptions\\fR] [\\fIprompt\\fR]\n.br\n.B kedge \\-p\n[\\fIoptions\\fR] \\fIprompt\\fR\n.br',
    '.B kedge\n\\fIcommand\\fR [\\fIarguments\\fR]',
    `.SH DESCRIPTION\n${text('Without a prompt, on a terminal: a conversation in this folder. With -p: asks once and prints the answer; standard input goes along. What a tool may do is decided by permission rules and modes; what nobody allowed is refused.')}`,
    `.SH COMMANDS\n${SUBCOMMANDS.map(({ name, help }) => item(`kedge ${name}`, help)).join('\n')}`,
    ...groups,
    ...(others.length > 0 ? [section('For programs', others)] : []),
    `.SH ENVIRONMENT\n${[
      item('ANTHROPIC_API_KEY', 'an API key of the Anthropic console'),
      item('ANTHROPIC_AUTH_TOKEN', 'a bearer token, for gateways'),
      item('ANTHROPIC_BASE_URL', 'another endpoint that speaks the Messages API'),
      item('CLAUDE_CONFIG_DIR', 'where settings and sessions are, instead of ~/.claude'),
    ].join('\n')}`,
    `.SH FILES\n${[
      item('~/.claude/settings.json', 'your settings; those of a project are in .claude/settings.json'),
      item('~/.claude/projects', 'sessions, one file each'),
      item('CLAUDE.md', 'instructions of a folder'),
    ].join('\n')}`,
    `.SH EXIT STATUS\n${[
      item('0', 'the last turn ended without an error'),
      item('1', 'it ended with an error, or the command line was wrong'),
      item('129, 130, 143', 'it was ended by SIGHUP, SIGINT, SIGTERM'),
    ].join('\n')}`,
    `.SH SEE ALSO\n${text('The pages in docs/ of the package; kedge doctor for what is wrong with a set-up.')}`,
  ].join('\n')}\n`
}

function ofGroup(flags: readonly Flag[], group: string): Flag[] {
  return flags.filter((flag) => flag.group === group)
}

function section(title: string, flags: readonly Flag[]): string {
  const items = flags.map(({ name, short, value, optional, help }) => {
    const argument = value === undefined ? '' : ` ${optional ? `[${value}]` : value}`
    return item(`${short === undefined ? '' : `-${short}, `}--${name}${argument}`, help)
  })
  return `.SH ${title.toUpperCase()}\n${items.join('\n')}`
}

function item(term: string, about: string): string {
  return `.TP\n.B ${plain(term)}\n${text(about)}`
}

/** A line that begins with a dot or a quote would be a request of roff. */
function text(about: string): string {
  return plain(about).replace(/^(?=[.'])/gm, '\\&')
}

function plain(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', "'").replaceAll('…', '...')
}
