/** `man kedge`, made at build time from the tables that `--help` is made from. */
import { CLI_COMMANDS_WITH_SUBCOMMANDS } from '../protocol/command-table/all-commands.js'
import type { Flag } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { ENVIRONMENT_VARIABLE_HELP, EXIT_CODE_HELP, HELP_GROUP_TITLES } from './help.js'

/** No date: the same sources make the same bytes. */
export function manPage(version: string, flags: readonly Flag[] = FLAGS): string {
  const groups = Object.entries(HELP_GROUP_TITLES).map(([group, title]) => section(title, ofGroup(flags, group)))
  const others = flags.filter(({ group }) => group === undefined)
  return `${[
    `.TH KEDGE 1 "" "Kedge ${plain(version)}" "User Commands"`,
    '.SH NAME\nkedge \\- an open agent runtime',
    '.SH SYNOPSIS\n.B kedge\n[\\fIoptions\\fR] [\\fIprompt\\fR]\n.br\n.B kedge \\-p\n[\\fIoptions\\fR] \\fIprompt\\fR\n.br',
    '.B kedge\n\\fIcommand\\fR [\\fIarguments\\fR]',
    `.SH DESCRIPTION\n${text('On a terminal, starts a conversation in this folder. With -p, prints one answer; the prompt and standard input are sent together. Permission rules and modes decide what tools can do. With -p, calls that need approval are denied.')}`,
    `.SH COMMANDS\n${CLI_COMMANDS_WITH_SUBCOMMANDS.map(({ name, help }) => item(`kedge ${name}`, help)).join('\n')}`,
    ...groups,
    ...(others.length > 0 ? [section('For programs', others)] : []),
    `.SH ENVIRONMENT\n${ENVIRONMENT_VARIABLE_HELP.map(([name, help]) => item(name, help)).join('\n')}`,
    `.SH FILES\n${[
      item('~/.claude/settings.json', 'your settings; a project has .claude/settings.json'),
      item('~/.claude/projects', 'sessions, one file each'),
      item('CLAUDE.md', 'instructions of a folder'),
    ].join('\n')}`,
    `.SH EXIT STATUS\n${EXIT_CODE_HELP.map(([code, help]) => item(code, help)).join('\n')}`,
    `.SH SEE ALSO\n${text('kedge doctor checks your setup. kedge COMMAND --help shows the options of a command. The package has its pages in docs/.')}`,
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
