/**
 * What the starter runs. Perl, because a shell can't do it exactly: it has no `setsid`, can't tell `exit 143` from an end by SIGTERM,
 * makes what runs beside it deaf to SIGINT, and keeps no variable whose name it does not like.
 *
 * Asked on descriptor 3, in frames `length\n` and so many bytes, fields parted by NUL:
 *   start id folder output report entry count program arguments… NAME=value…
 *     (folder and outputs by their handles in the host; entry of a cgroup, or empty)
 *   reap pid
 * It answers in lines: `ready`, `started id pid` when the program runs, `refused id why` when nothing of it does, `over pid` when it
 * has ended, and only when told to reap, so that nobody else can have its number before the host knows: `ended pid code signal`.
 */
export const STARTER_SCRIPT = `
use strict;
use POSIX ();
my $host = $ARGV[1];
# Numbers mean the same to all three: to us, to the host, to the list of processes.
exit 1 unless readlink('/proc/self') eq $$ && getppid() == $host;
open(my $line, '+<&', 3) or exit 1;
# 3 is kept taken, so that nothing else gets the number that a child needs.
open(my $none, '<', '/dev/null') or exit 1;
POSIX::dup2(fileno($none), 3) or exit 1;
$SIG{$_} = 'IGNORE' for qw(HUP INT TERM PIPE);
# Only to be woken.
$SIG{CHLD} = sub { };
# Who has ended can be read, where the kernel knows pidfd_open.
sub watched { my $handle = syscall(434, $_[0] + 0, 0); return $handle > 0 ? $handle : 0 }

sub slurp { open(my $file, '<', $_[0]) or return ''; local $/; return scalar <$file> }
# What children inherit: a host that has changed since it started us starts them itself.
sub inherited {
  my ($pid) = @_;
  my @status = grep { /^(Umask|Uid|Gid|Groups|CapInh|CapBnd|CapAmb|NoNewPrivs|Seccomp\\w*):/ } split /^/, slurp("/proc/$pid/status");
  return join '', @status, slurp("/proc/$pid/limits"), slurp("/proc/$pid/cgroup"), getpriority(0, $pid);
}
my $own = inherited($$);
sub tell_host { syswrite($line, "@_\\n") or exit 1 }

sub opened {
  # Without a reader it fails, where a plain open would wait for one for ever.
  sysopen(my $pipe, $_[0], POSIX::O_WRONLY() | POSIX::O_NONBLOCK()) or return;
  return -p $pipe && fcntl($pipe, POSIX::F_SETFL(), 0) ? $pipe : undef;
}
sub become {
  my ($folder, $output, $report, $entry, $count, @rest) = @_;
  my @program = splice @rest, 0, $count;
  POSIX::setsid() > 0 or return;
  # Where that fails it is not enclosed, and followed.
  if ($entry ne '' && open(my $cgroup, '>', $entry)) { syswrite($cgroup, '0'); close $cgroup }
  chdir $folder or return;
  my $out = opened($output) or return;
  my $says = opened($report) or return;
  POSIX::dup2(fileno($out), $_) or return for 1, 2;
  POSIX::dup2(fileno($says), 3) or return;
  $SIG{$_} = 'DEFAULT' for qw(HUP INT TERM PIPE CHLD);
  %ENV = map { split /=/, $_, 2 } @rest;
  exec { $program[0] } @program;
}
sub start {
  pipe(my $hears, my $fails) or return;
  my $pid = fork;
  return unless defined $pid;
  if ($pid == 0) {
    become(@_);
    syswrite($fails, 'x');
    POSIX::_exit(127);
  }
  close $fails;
  # Ends when the program has taken over, which closes the other side.
  my $failed;
  do { $failed = sysread($hears, my $byte, 1) } until defined $failed;
  return $pid unless $failed;
  waitpid($pid, 0);
  return;
}

my %running;
my $buffer = '';
tell_host('ready');
for (;;) {
  my $ready = '';
  vec($ready, $_, 1) = 1 for fileno($line), grep { $_ } values %running;
  # A signal that comes just before we wait wakes nobody: so not for long, while there is somebody who can't be watched.
  my $limit = (grep { !$_ } values %running) ? 0.1 : undef;
  if (select($ready, undef, undef, $limit) > 0 && vec($ready, fileno($line), 1)) {
    my $got = sysread($line, $buffer, 65536, length $buffer);
    exit 0 unless $got || !defined $got && $! == POSIX::EINTR();
  }
  while ($buffer =~ /\\A(\\d+)\\n/ && length($buffer) >= $+[0] + $1) {
    my ($verb, $whom, @rest) = split /\\0/, substr($buffer, $+[0], $1), -1;
    substr($buffer, 0, $+[0] + $1) = '';
    if ($verb eq 'reap') {
      waitpid($whom, 0) == $whom or exit 1;
      tell_host('ended', $whom, $? >> 8, $? & 127);
    } elsif (inherited($host) ne $own) {
      tell_host('refused', $whom, 'changed');
    } else {
      my $pid = start(@rest);
      $running{$pid} = watched($pid) if $pid;
      tell_host($pid ? ('started', $whom, $pid) : ('refused', $whom, 'failed'));
    }
  }
  for my $pid (keys %running) {
    next unless slurp("/proc/$pid/stat") =~ /.*\\) [ZX] /s;
    my $handle = delete $running{$pid};
    POSIX::close($handle) if $handle;
    tell_host('over', $pid);
  }
}
`
