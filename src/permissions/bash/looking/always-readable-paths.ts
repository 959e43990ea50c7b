/** Files and folders of the system that every user can read and that hold no secret. */

import type { PathLocation } from '../../path-finder.js'
import { wordList } from '../../word-list.js'
import { knowledgeOf } from '../programs/program-table.js'
import { type SimpleCommand, wordValueAt } from '../syntax/syntax.js'
import { stripCommandWrappers } from './unwrapped-command.js'

/** What the system is, and what the machine has. */
const FILES = new Set(
  wordList(`
    /etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version /etc/alpine-release /etc/redhat-release
    /etc/fedora-release /etc/system-release /etc/centos-release /etc/rocky-release /etc/arch-release /etc/issue /etc/timezone
    /etc/shells /proc/cpuinfo /proc/meminfo /proc/version /proc/loadavg /proc/uptime
  `),
)

/** Only what is right in them, by name. */
const FOLDERS = new Set(
  wordList('/tmp /var/tmp /usr /usr/bin /usr/lib /usr/local /usr/local/bin /usr/share /opt /bin /sbin /lib'),
)

/** Under all of its names: a link to such a file has to be one itself. */
export function isAlwaysReadablePath(
  { lexical, real, via = [] }: PathLocation,
  command: SimpleCommand | undefined,
): boolean {
  const names = [lexical, real ?? '', ...via]
  if (names.every((name) => FILES.has(name))) return true
  const words = command ? stripCommandWrappers(command).words : []
  const lists = knowledgeOf(wordValueAt(words, 0))?.looks?.onlyNames?.(words)
  return lists === true && names.every((name) => FOLDERS.has(name))
}
