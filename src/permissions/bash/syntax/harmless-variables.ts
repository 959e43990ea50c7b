/** Variables that are set outside of the command line and whose value is neither a secret nor code. */
const HARMLESS =
  /^(?:[?#$!@*_0-9-]|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|RANDOM|SECONDS|LINENO|E?UID|PPID|OSTYPE|SHLVL|COLUMNS|LINES|TERM|LANG|LC_[A-Z]+|NODE_ENV|CI|TZ|PATH)$/

/** May its value be shown? How a name is spelled proves nothing: any other variable may hold a secret. */
export function isVariableSafeToShow(name: string): boolean {
  return HARMLESS.test(name)
}
