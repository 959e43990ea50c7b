// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** What bash is given for a command line. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { loadShellParser } from './parse-command.js'

const parse = await loadShellParser()

async function printed(table: Readonly<Record<string, string | undefined>>): Promise<void> {
  const found = Object.keys(table).map((line) => [line, parse(line).printed])
  assert.deepEqual(Object.fromEntries(found), table)
}

test('words that are known stand in quotes, or bare where nothing in them means anything', () =>
  printed({
    'ls -la src/': 'ls -la src/',
    'echo "a b" c\\ d': "echo 'a b' 'c d'",
    "git commit -m 'it'\"'\"'s'": "git commit -m 'it'\\''s'",
    "echo $'a\\tb' $'\\x41'": "echo 'a\tb' A",
    '\\if x': "'if' x",
    "'a=b' x": "'a=b' x",
    "'x'[0]=y z": "'x'[0]=y z",
    'find . -exec ls {} \\;': "find . -exec ls '{}' ';'",
    'echo a{b,c}d {1..3}': 'echo abd acd 1 2 3',
    'echo ~/x ~': 'echo ~/x ~',
    "echo '~/x' a~": "echo '~/x' 'a~'",
  }))

test('what is only known at run time stands in one certain form', () =>
  printed({
    'echo $x"$y z"${w}': 'echo ${x}"${y} z"${w}',
    'echo `ls \\`pwd\\``': 'echo $(ls $(pwd))',
    'echo $(( 1+$(wc -l <a) ))': 'echo $(( 1 + $(wc -l < a) ))',
    'echo "${x:-a b}" ${x%.ts} ${x//\\//_} ${#x}': 'echo "${x:-a b}" ${x%.ts} ${x//\\//_} ${#x}',
    'diff <(ls a) <(ls b)': 'diff <(ls a) <(ls b)',
    'ls *.[ch] a?': 'ls *.[ch] a?',
  }))

test('separators are explicit, comments are gone, and commands stay on their lines', () =>
  printed({
    'a # b\n\nc & d': 'a; \n\nc & d',
    'a;\\\nb & \\\nc': 'a; \\\nb & \\\nc',
    'a "b\nc"; d\ne': "a 'b\nc'; d; \ne",
    'if a; then b; else c; fi': 'if a; then b; else c; fi',
    'for f in *.ts; do\n  echo $f\ndone': 'for f in *.ts; do \necho ${f}; done',
    'case $x in a|b) c;; *) d; esac': 'case ${x} in (a | b) c; ;; (*) d; ;; esac',
    '(a; b) 2>&1 | c >d': '( a; b; ) 2>&1 | c > d',
    '[[ -f a && $b =~ ^c+$ ]]': '[[ -f a && ${b} =~ ^c+$ ]]',
    'f() { a; }; time -p ! b': 'f () { a; }; time -p ! b',
    'x=1 y=~/a:~/b z= w=(a "b c") c': "x=1 y=~/a:~/b z= w=(a 'b c') c",
  }))

test('here-documents end with a name of ours, which is in none of their lines', () =>
  printed({
    'cat <<E\na $x \\$y\nE\nls': 'cat <<KEDGE_END\na ${x} \\$y\nKEDGE_END\nls',
    'cat <<E; ls\na\nE\nls': "cat <<'KEDGE_END'; ls\na\nKEDGE_END\nls",
    'cat <<E; ls; \\\nls\na\nE\nls': "cat <<'KEDGE_END'; ls; ls\na\nKEDGE_END\n\nls",
    "cat <<'E' | wc\n$(ls)\nE": "cat <<'KEDGE_END' | wc\n$(ls)\nKEDGE_END\n",
    'cat <<E\na \\$y\nE': "cat <<'KEDGE_END'\na $y\nKEDGE_END\n",
    'cat <<"E"\nKEDGE_END\nE': "cat <<'KEDGE_END_1'\nKEDGE_END\nKEDGE_END_1\n",
    'cat <<-E\n\ta\n\tE': "cat <<-'KEDGE_END'\n\ta\nKEDGE_END\n",
  }))

test('what bash might read in another way has no text, and asks in every mode', () =>
  printed(
    Object.fromEntries(
      [
        'cat <(ls)# ; touch x',
        'echo $(cat <(ls)# ; touch x)',
        'cat a=~/x',
        'echo x=<(ls)',
        't(es',
        'a\n; b',
        'echo ${ ls; }',
        'echo $[ 1',
        'cat <<E\nx',
        'echo "${x:-"a"}"',
        'cat <<E "a\nb"\nx\nE',
      ].map((line) => [line, undefined]),
    ),
  ))

test('the text of a text is that text, and bash takes it for a script', () => {
  for (const line of [
    'for f in a "b c" $(ls); do echo "$f" | sed s/a/b/ > "$f.x" && break; done; cat <<E\n${x:-y}\nE',
    'while IFS= read -r l; do case $l in a*) echo "${l#a}";; esac; done < <(ls -1 2>/dev/null)',
    'x=$((2*(3+4))); until [ $x -gt 20 ]; do ((x++)); done; { echo $x; } >&2',
  ]) {
    const text = parse(line).printed ?? assert.fail(line)
    assert.equal(parse(text).printed?.trim(), text.trim())
    assert.equal(spawnSync('bash', ['-n', '-c', text]).status, 0)
  }
})

test('how a variable is spelled does not make it harmless: the line has to have set it', () => {
  const reveals = (line: string) => parse(line).revealing
  for (const line of [
    'echo $jwt',
    'jwt=1 true; echo $jwt',
    '(jwt=1); echo $jwt',
    'true && jwt=1; echo $jwt',
    'jwt+=1; echo $jwt',
  ])
    assert.equal(reveals(line), true, line)
  for (const line of [
    'jwt=1; echo $jwt',
    'for f in a; do echo $f; done',
    'while read -r l; do echo $l; done',
    'export a=1; echo $a',
    'a=1 && echo ${a}',
  ])
    assert.equal(reveals(line), false, line)
})

test('a home folder stays one, whatever follows it', () =>
  printed({
    "cat ~/'a b' ~+/'a b'": "cat ~/'a b' ~+/'a b'",
    'cat ~/a\r': "cat ~/'a\r'",
    'cat ~/a\\ b': "cat ~/'a b'",
    'x=~/"a b":c cat': 'x=~/"a b":c cat',
    'x=~/"a b":~/c cat': undefined,
  }))

test('what bash reads in another way than it looks is not printed', () =>
  printed({
    'echo $a{b,c}': undefined,
    'echo {$a,b}c': undefined,
    'echo $a\\\nb': undefined,
    'echo "$a\\\nb"': undefined,
    'x=$a\\\nb ls': undefined,
    'cat <<E\n$a\\\nb\nE': undefined,
    'echo $((ls); ls)': undefined,
    '((ls); ls)': undefined,
    'coproc ls': undefined,
    'echo $(cat <<E\nx\nE\nls a; ls b)': undefined,
    'echo $(cat <<E; ls\nx\nE\n)': undefined,
    'echo $(time ls)': undefined,
    'cat <<E\n$(ls\nE': undefined,
    'cat <<E\n`\nE': undefined,
    'cat <(ls)2>a': undefined,
    'cat > >(ls)2>a': undefined,
    'ls >&[-': undefined,
    'tee 0>(ls)': undefined,
    'echo \'0>(ls)\' "0>(ls)" 0\\>\\(ls\\)': "echo '0>(ls)' '0>(ls)' '0>(ls)'",
    'unset x> {x}>&1': undefined,
    'ls >&2-': 'ls >&2-',
    'rev {\f-,a}': undefined,
    'rev {a,b}{\v,2} a\r': undefined,
    '{ ls; } > >(ls)2>a': undefined,
    'cat <(x=(\\`a\\`))': undefined,
    'echo $(x=(a\\ b))': undefined,
    '{ ls; }2>a': undefined,
    'declare x={a,b}': undefined,
    'time -\\- ls': undefined,
    '(time)': undefined,
    'echo {a}b,c}': undefined,
    'echo $((1 + $(case a in (a) echo 2;; esac)))': undefined,
    '((1 + $(case a in (a) echo 2;; esac)))': undefined,
    'echo ${x:}': undefined,
    'echo "${x: }"': undefined,
    'echo >&\\-n': undefined,
    '> a=(b c)': undefined,
    'cat <<< a=(b c)': undefined,
    'x=(a b)`ls`': undefined,
    'x=(<(ls) a)"b"': undefined,
    'x=(a b)': 'x=(a b)',
    'ls | time cat': undefined,
    'ls |\n# a\ntime -p X=a': undefined,
    'ls && time cat': 'ls && time cat',
    'ls $(cat a)$': undefined,
    'ls a$ $(cat a)': "ls 'a$' $(cat a)",
    'echo a(b)': undefined,
    'echo a (b)': undefined,
    'declare x=(a)b': undefined,
    '[[ \\-e -eq a ]]': "[[ '-e' -eq a ]]",
    '[[ -e a ]]': '[[ -e a ]]',
    'echo {a,b}} x{a,b}y,c}': "echo 'a}' 'b}' 'xay,c}' 'xby,c}'",
    'set -f;\\\n&> a': undefined,
    'echo "`ls "a"`"': undefined,
    'echo {\u0001"a",b}': undefined,
    'echo $(shopt -s expand_aliases\nalias ls=x\nls)': undefined,
    'echo ${x:\v1}': undefined,
    'echo ${a}{b,c} "$a"{b,c} {a,b}$c': 'echo ${a}b ${a}c "${a}"b "${a}"c a${c} b${c}',
    '( (ls); ls)': '( ( ls; ); ls; )',
  }))

test('words that bash joins are not printed as two', () =>
  printed({
    'ls > $>(cat)': undefined,
    'cat {\\\nfd}<a': undefined,
    'cat 2\\\n>a': undefined,
    'echo ${y:-~/a}': undefined,
    'echo `rev !(a)`': undefined,
    'cat<a>b 2>c': 'cat < a > b 2> c',
    'grep foo$ a': "grep 'foo$' a",
  }))
