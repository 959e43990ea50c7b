// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** Other ways to write a command, or to run it as part of something else. None may be judged milder than the command itself. */

export type Rewrite = {
  name: string
  /** Undefined where it does not apply. */
  apply(command: string): string | undefined
  /** Every word of the command stays in sight, so that what is denied stays denied. Otherwise it asks at least. */
  visible: boolean
}

/** Around any command, newlines keep comments and here-documents inside. */
const AROUND: Record<string, string> = {
  subshell: '(\n@\n)',
  group: '{\n@\n}',
  'twice a subshell': '( (\n@\n) )',
  'newlines around': '\n\n@\n\n',
  'after a list': 'true && {\n@\n}',
  'after an alternative': 'false || {\n@\n}',
  'before a list': '{\n@\n} && true',
  'between others': 'true; {\n@\n}; true',
  'in the background': '{\n@\n} &',
  'in the background, waited for': '{\n@\n} & wait',
  negated: '! {\n@\n}',
  timed: 'time {\n@\n}',
  'timed the other way': 'time -p {\n@\n}',
  'to a pipe': '{\n@\n} | cat',
  'to a pipe with its errors': '{\n@\n} |& cat',
  'from a pipe': 'echo | {\n@\n}',
  'errors to nowhere': '{\n@\n} 2>/dev/null',
  'output with its errors': '{\n@\n} 2>&1',
  'output to nowhere': '{\n@\n} &>/dev/null',
  'input from nowhere': '{\n@\n} </dev/null',
  'input from a file': '{\n@\n} < a.txt',
  'input from text': '{\n@\n} <<< x',
  'input from a document': '{\n@\n} <<E_O_F\nx\nE_O_F',
  'a new descriptor': '{\n@\n} 3>&1',
  'if as a test': 'if\n@\nthen true; fi',
  'if as a body': 'if true; then\n@\nfi',
  'else as a body': 'if false; then true; else\n@\nfi',
  'elif as a test': 'if false; then true; elif\n@\nthen true; fi',
  'while as a test': 'while\n@\ndo break; done',
  'while as a body': 'while true; do\n@\nbreak; done',
  'until as a test': 'until\n@\ndo break; done',
  'for as a body': 'for i in 1 2; do\n@\ndone',
  'counting for as a body': 'for ((i=0; i<1; i++)); do\n@\ndone',
  'case as a body': 'case x in\nx)\n@\n;; esac',
  'case with a bracket': 'case x in (*)\n@\n;; esac',
  'select as a body': 'select i in a; do\n@\nbreak; done',
  'a test before': '[[ -n x ]] && {\n@\n}',
  'another test before': '[ -f a.txt ] && {\n@\n}',
  'a function': 'f() {\n@\n}; f',
  'another function': 'function f {\n@\n}; f',
  'a function of a subshell': 'f() (\n@\n); f',
  coprocess: 'coproc {\n@\n}',
  substitution: 'echo $(\n@\n)',
  'substitution in quotes': 'echo "x $(\n@\n) y"',
  'substitution as a value': 'x=$(\n@\n)',
  'substitution as a value for one': 'x=$(\n@\n) true',
  'substitution in a list': 'for i in $(\n@\n); do echo $i; done',
  'substitution as a case': 'case $(\n@\n) in *) ;; esac',
  'substitution in a test': '[[ $(\n@\n) ]]',
  'substitution as a default': 'echo ${x:-$(\n@\n)}',
  'substitution as a quoted default': 'echo "${x:=$(\n@\n)}"',
  'substitution in arithmetic': 'echo $((1 + $(\n@\n)))',
  'substitution as a subscript': 'a[$(\n@\n)]=1',
  'substitution in an array': 'x=($(\n@\n))',
  'substitution as input': 'cat <<< "$(\n@\n)"',
  'substitution in a document': 'cat <<E_O_F\n$(\n@\n)\nE_O_F',
  'substitution as a target': 'cat > "$(\n@\n)"',
  'process as a file': 'cat <(\n@\n)',
  'process as input': 'cat < <(\n@\n)',
  'process as output': 'echo x > >(\n@\n)',
  'two processes': 'diff <(\n@\n) <(ls)',
  'with another path': 'PATH=.; {\n@\n}',
  'after a definition': 'ls() { true; }; {\n@\n}',
  'after an alias': 'alias ls=cat\n@',
  'after a trap': "trap 'true' EXIT\n@",
  'after a sourced file': '. ./a.txt\n@',
  'written to a file': '{\n@\n} > out.txt',
  'appended to a file': '{\n@\n} >> out.txt',
  'written with its errors': '{\n@\n} &> out.txt',
  'written elsewhere': '{\n@\n} > /out/x',
  'written to somewhere': '{\n@\n} > "$target"',
}

/** In front of one simple command. */
const BEFORE = [
  ...[
    'sudo',
    'sudo -u root --',
    'env',
    'env A=1',
    'env -i',
    'timeout 5',
    'timeout -k 1 5',
    'nice',
    'nice -n 5',
    'nohup',
    'stdbuf -oL',
  ],
  ...[
    'time',
    'time -p',
    'command',
    'command -p',
    'builtin',
    'exec',
    'xargs',
    'xargs -n1',
    'setsid',
    'ionice -c3',
    'flock /tmp/l',
  ],
  ...[
    'watch -n1',
    'doas',
    'chroot /',
    'busybox',
    'strace',
    'unshare',
    'parallel',
    'npx',
    'docker exec c',
    'coproc',
    '!',
  ],
  ...[
    'A=1',
    'LANG=C',
    'PATH=.',
    'LD_PRELOAD=./x.so',
    'IFS=x',
    'BASH_ENV=x',
    '>/dev/null',
    '2>&1',
    '<a.txt',
    '>out.txt',
    'find . -exec',
  ],
  ...['timeout 5 env nice', 'nohup nice -n 1 timeout 5', 'A=1 B=2', 'time nice', 'command command'],
]

/** Behind one simple command. */
const AFTER = [
  '# and more',
  ';',
  '&',
  '2>&1',
  '2>/dev/null',
  '>/dev/null',
  '</dev/null',
  '> out.txt',
  '>> /out/x',
  '<<< x',
  '| cat',
  '|| true',
  '&& true',
  '; true',
]

const first = (change: (word: string) => string) => (command: string) =>
  isSimple(command) ? command.replace(/^[\w./-]+/, change) : undefined
const each = (change: (word: string) => string) => (command: string) =>
  isSimple(command) ? command.split(' ').map(change).join(' ') : undefined

const SPELLED: [string, (command: string) => string | undefined, boolean][] = [
  ['first word in double quotes', first((word) => `"${word}"`), true],
  ['first word in single quotes', first((word) => `'${word}'`), true],
  ['first word escaped', first((word) => `\\${word}`), true],
  ['first word with empty quotes', first((word) => `${word.slice(0, 1)}''${word.slice(1)}`), true],
  ['first word in pieces', first((word) => [...word].map((char) => `"${char}"`).join('')), true],
  [
    'first word by codes',
    first((word) => `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('')}'`),
    true,
  ],
  ['first word over two lines', first((word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`), true],
  ['first word by its path', first((word) => (word.includes('/') ? word : `/bin/${word}`)), true],
  ['first word in braces', first((word) => `{${word},}`), true],
  ['first word translated', first((word) => `$"${word}"`), false],
  ['first word by a variable', first((word) => `$y${word}`), false],
  ['first word by substitution', first((word) => `$(echo ${word})`), false],
  ['first word by default', first((word) => `\${y:-${word}}`), false],
  ['first word by a class', first((word) => `[${word.slice(0, 1)}]${word.slice(1)}`), false],
  ['words in double quotes', each((word) => `"${word}"`), true],
  ['words in single quotes', each((word) => `'${word}'`), true],
  ['words escaped', each((word) => word.replace(/[a-z]/g, '\\$&')), true],
  ['words over lines', (command) => (isSimple(command) ? command.replaceAll(' ', ' \\\n') : undefined), true],
  ['words with tabs', (command) => (isSimple(command) ? command.replaceAll(' ', '\t') : undefined), true],
  ['words with blanks', (command) => (isSimple(command) ? ` ${command.replaceAll(' ', '  ')} ` : undefined), true],
  [
    'all in braces',
    (command) =>
      isSimple(command) && command.includes(' ') && !/[,{}]/.test(command)
        ? `{${command.split(' ').join(',')}}`
        : undefined,
    true,
  ],
  ['evaluated', (command) => `eval ${quote(command)}`, true],
  ['evaluated in words', (command) => (isSimple(command) ? `eval ${command}` : undefined), true],
  ['by another bash', (command) => `bash -c ${quote(command)}`, true],
  ['by a shell with options', (command) => `sh -ec ${quote(command)}`, true],
  ['by a shell of another user', (command) => `sudo sh -c ${quote(command)}`, true],
  ['by a shell that is recorded', (command) => `script -qc ${quote(command)}`, true],
  ['in a trap', (command) => `trap ${quote(command)} EXIT`, true],
  ['fed to a shell', (command) => `bash <<< ${quote(command)}`, false],
  ['piped to a shell', (command) => `echo ${quote(command)} | sh`, false],
  ['sourced from a process', (command) => `source <(echo ${quote(command)})`, false],
  ['in backquotes', (command) => (/[`\\$'"\n]/.test(command) ? undefined : `echo \`${command}\``), true],
  ['in quoted backquotes', (command) => (/[`\\$'"\n]/.test(command) ? undefined : `echo "\`${command}\`"`), true],
]

export const REWRITES: readonly Rewrite[] = [
  ...Object.entries(AROUND).map(([name, text]) => ({
    name,
    apply: (command: string) => text.replace('@', () => command),
    visible: true,
  })),
  ...BEFORE.map((words) => ({
    name: `before: ${words}`,
    apply: (command: string) =>
      isSimple(command) ? `${words} ${command}${words.startsWith('find') ? ' \\;' : ''}` : undefined,
    visible: !/^(?:IFS|builtin)/.test(words),
  })),
  ...AFTER.map((text) => ({
    name: `after: ${text}`,
    apply: (command: string) => (isSimple(command) ? `${command} ${text}` : undefined),
    visible: true,
  })),
  ...SPELLED.map(([name, apply, visible]) => ({ name, apply, visible })),
]

/** Plain words and nothing else. */
function isSimple(command: string): boolean {
  return (
    /^[a-z][\w./-]*(?: [\w./:@=+%-]+)*$/.test(command) &&
    !/^(?:if|for|while|until|case|select|function|time|coproc|then|do|in|done|fi|esac)(?: |$)/.test(command)
  )
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
