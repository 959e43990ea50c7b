/** Attempts to get out by mounts and namespaces, the network, other processes, and the kernel. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { CALL, callSucceeds, contentOf, type Escape, exists, HARM, perl, planted, VARIES, visited } from './escape.js'
import type { Stage } from './stage.js'

const control = 'works'
const forRoot = 'works for root'
const NEW_USER = 0x10000000

export const MOUNT_ESCAPES: Escape[] = [
  {
    name: 'remount the root folder',
    script: 'mount -o remount,rw / && echo ESCAPED; mount -o remount,bind,rw / && echo ESCAPED',
    control: HARM,
  },
  {
    name: 'bind an outside folder',
    script: 'mkdir m; mount --bind "$OUT" m && echo x > m/planted',
    escaped: planted,
    control: HARM,
  },
  {
    name: 'mount by system call',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.mount}, "none", "$ENV{PROJECT}", "tmpfs", 0, 0)`),
    control: HARM,
  },
  {
    name: 'unmount a protection',
    script: 'umount -l .git/hooks; echo x > .git/hooks/pre-commit',
    escaped: exists('project/.git/hooks/pre-commit'),
    control,
  },
  {
    name: 'change the root folder',
    needs: ['perl'],
    script: perl('print "ESCAPED\\n" if chroot("/proc/$ENV{VICTIM}/root") or chroot("/proc/1/root") or chroot("/")'),
    control: forRoot,
  },
  {
    name: 'a user namespace by unshare',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.unshare}, ${NEW_USER})`),
    control,
  },
  {
    name: 'a user namespace by clone',
    needs: ['perl'],
    script: perl(`my $pid = syscall(${CALL.clone}, ${NEW_USER + 17}, 0, 0, 0, 0); print "ESCAPED\\n" if $pid > 0`),
    control,
  },
  {
    name: 'a user namespace by clone3',
    needs: ['perl'],
    script: perl(
      `my $pid = syscall(435, my $options = pack("Q8", ${NEW_USER}, 0, 0, 0, 17, 0, 0, 0), 64); print "ESCAPED\\n" if $pid > 0`,
    ),
    control,
  },
  {
    name: 'join the namespaces of others',
    needs: ['perl'],
    script: perl(`
      for my $pid ($ENV{VICTIM}, 1) { for my $kind (qw(user mnt pid net)) {
        open(N, "<", "/proc/$pid/ns/$kind") or next;
        print "ESCAPED\\n" if syscall(${CALL.setns}, fileno(N), 0) == 0;
      } }`),
    control: forRoot,
  },
  {
    name: 'make a device',
    script: 'mknod disk b 259 0 && echo ESCAPED; mknod memory c 1 1 && echo ESCAPED',
    control: HARM,
  },
  {
    name: 'devices of the machine',
    script: `for d in mem kmem port kmsg sda vda nvme0n1 loop0 loop-control kvm fuse vsock net/tun uinput snd/timer; do
      [ -e /dev/$d ] && echo ESCAPED; done`,
    control: VARIES,
  },
]

export const NETWORK_ESCAPES: Escape[] = [
  { name: 'TCP', script: 'exec 7<>"/dev/tcp/127.0.0.1/$TCP"', escaped: visited('tcp'), control },
  {
    name: 'TCP over IPv6',
    needs: ['perl', 'ipv6'],
    script: perl(`use Socket qw(:all); socket(S, AF_INET6, SOCK_STREAM, 0) or die;
      connect(S, pack_sockaddr_in6($ENV{TCP}, inet_pton(AF_INET6, "::ffff:127.0.0.1")))`),
    escaped: visited('tcp'),
    control,
  },
  {
    name: 'the addresses of the machine',
    script: `"$NODE" -e 'for (const { address } of Object.values(os.networkInterfaces()).flat())
      net.connect(process.env.TCP, address).on("error", () => {}).setTimeout(500, function () { this.destroy() })'`,
    escaped: visited('tcp'),
    control,
  },
  { name: 'UDP', script: 'echo x > "/dev/udp/127.0.0.1/$UDP"', escaped: visited('udp'), control },
  {
    name: 'DNS',
    script: `"$NODE" -e 'const resolver = new dns.Resolver({ timeout: 200, tries: 1 })
      resolver.setServers(["127.0.0.1:" + process.env.UDP]); resolver.resolve("secret.example", () => {})'`,
    escaped: visited('udp'),
    control,
  },
  {
    name: 'a raw socket',
    needs: ['perl'],
    script: perl('use Socket; print "ESCAPED\\n" if socket(S, AF_INET, SOCK_RAW, 1)'),
    control: forRoot,
  },
  {
    name: 'a packet socket',
    needs: ['perl'],
    script: perl('print "ESCAPED\\n" if socket(S, 17, 3, 0x0300)'),
    control: forRoot,
  },
  {
    name: 'a unix socket',
    needs: ['perl'],
    script: perl('use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un("$ENV{OUT}/socket"))'),
    escaped: visited('unix'),
    control,
  },
  {
    name: 'a unix socket that is not in the list',
    needs: ['perl'],
    prepare: (stage) => stage.listenAt(stage.at('outside/other')),
    settings: { network: { allowUnixSockets: ['/nonexistent'] } },
    script: perl(`use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or print "ESCAPED";
      connect(S, pack_sockaddr_un("$ENV{OUT}/other"))`),
    escaped: visited('unix'),
    control,
  },
  {
    name: 'the socket of a service in /run',
    needs: ['perl', 'started as root'],
    settings: { network: { allowUnixSockets: ['/nonexistent'] } },
    script: perl(`use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or print "ESCAPED";
      connect(S, pack_sockaddr_un($ENV{SERVICE}))`),
    escaped: visited('service'),
    control,
  },
  {
    name: 'an abstract unix socket',
    needs: ['perl'],
    settings: { network: { allowAllUnixSockets: true } },
    script: perl(`use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or print "ESCAPED";
      connect(S, pack("S", AF_UNIX) . $_) for "\\0$ENV{ABSTRACT}", pack("a108", "\\0$ENV{ABSTRACT}")`),
    escaped: visited('abstract'),
    control,
  },
  {
    name: 'a pair of sockets to be sent elsewhere',
    needs: ['perl'],
    script: perl('use Socket; print "ESCAPED\\n" if socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0)'),
    control,
  },
  {
    name: 'a socket to the hypervisor',
    needs: ['perl'],
    script: perl('print "ESCAPED\\n" if socket(S, 40, 1, 0)'),
    control: VARIES,
  },
  {
    name: 'a socket of the kernel’s ciphers',
    needs: ['perl'],
    script: perl('print "ESCAPED\\n" if socket(S, 38, 5, 0)'),
    control: VARIES,
  },
]

export const PROCESS_ESCAPES: Escape[] = [
  { name: 'signal an outside process', script: 'kill -KILL "$VICTIM"', escaped: victimIsGone, control },
  {
    name: 'trace an outside process',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.ptrace}, 16, $ENV{VICTIM} + 0, 0, 0)`),
    control,
  },
  { name: 'see outside processes', script: '[ -e "/proc/$VICTIM" ] && echo ESCAPED', control },
  {
    name: 'outlive the command',
    script: `setsid nohup sh -c 'trap "" TERM HUP; while :; do date +%N > alive; sleep 0.02; done' > /dev/null 2>&1 &
      while ! [ -s alive ]; do sleep 0.02; done`,
    escaped: stillWrites,
    control: { untried: 'the runner ends it there' },
  },
  {
    name: 'a setuid program',
    needs: ['started as root', 'perl'],
    script: `"$SETUID" -e 'print "ESCAPED\\n" if $< != $>'`,
    control,
  },
  {
    name: 'become another user',
    needs: ['setpriv'],
    script: 'setpriv --reuid 12345 --clear-groups sh -c "id -u" | grep -q 12345 && echo ESCAPED',
    control: forRoot,
  },
  {
    name: 'type into the terminal',
    needs: ['script', 'perl'],
    terminal: true,
    script: perl('print "terminal\\n" if -t STDIN; my $key = "x"; print "ESCAPED\\n" if ioctl(STDIN, 0x5412, $key)'),
    control: { untried: 'new kernels refuse it to everybody' },
  },
  {
    name: 'open the terminal of the agent',
    needs: ['script'],
    terminal: true,
    script: 'echo x > /dev/tty && echo ESCAPED',
    control,
  },
  {
    name: 'shared memory of System V',
    needs: ['perl'],
    prepare: ({ victim }) => void spawnSync('perl', ['-e', `shmget(${victim.pid}, 64, 01600) or die`]),
    cleanUp: ({ victim }) => void spawnSync('perl', ['-e', `shmctl(shmget(${victim.pid}, 0, 0), 0, 0)`]),
    script: perl('print "ESCAPED\\n" if defined shmget($ENV{VICTIM} + 0, 0, 0)'),
    control,
  },
  {
    name: 'shared memory as a file',
    prepare: (stage) => writeFileSync(sharedFile(stage), 'original'),
    cleanUp: (stage) => rmSync(sharedFile(stage), { force: true }),
    script: 'echo x > "/dev/shm/kedge-$VICTIM"',
    escaped: (stage) => contentOf(sharedFile(stage)) !== 'original',
    control,
  },
]

export const KERNEL_ESCAPES: Escape[] = [
  {
    name: 'settings of the kernel',
    script: `for f in /proc/sys/kernel/core_pattern /proc/sys/vm/overcommit_memory /proc/sys/fs/binfmt_misc/register; do
      cat $f > /dev/null && cat $f > $f && echo ESCAPED; done`,
    control: HARM,
  },
  {
    name: 'control groups',
    script: 'mkdir /sys/fs/cgroup/escaped && echo ESCAPED; echo $$ > /sys/fs/cgroup/cgroup.procs && echo ESCAPED',
    control: HARM,
  },
  {
    name: 'files of the kernel',
    script: '[ -n "$(find /sys /proc/sys -type f -writable | head -n 1)" ] && echo ESCAPED',
    control: forRoot,
  },
  { name: 'the system request key', script: 'echo h > /proc/sysrq-trigger && echo ESCAPED', control: HARM },
  {
    name: 'the name of the machine',
    script: 'f=/proc/sys/kernel/hostname; cat $f > $f && echo ESCAPED',
    control: HARM,
  },
  {
    name: 'the keyring',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.addKey}, "user", "kedge-canary", "x", 1, -1)`),
    control: VARIES,
  },
  {
    name: 'calls no filter sees (io_uring)',
    needs: ['perl'],
    script: callSucceeds('syscall(425, 1, my $options = "\\0" x 120)'),
    control: VARIES,
  },
  {
    name: 'programs in the kernel (bpf)',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.bpf}, 0, my $options = pack("I4", 2, 4, 4, 1) . "\\0" x 112, 128)`),
    control: VARIES,
  },
  {
    name: 'performance counters',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.perf}, my $options = pack("I2Q", 1, 112, 0) . "\\0" x 96, 0, -1, -1, 0)`),
    control: VARIES,
  },
  {
    name: 'page faults (userfaultfd)',
    needs: ['perl'],
    script: callSucceeds(`syscall(${CALL.userfaultfd}, 1)`),
    control: VARIES,
  },
]

async function victimIsGone({ victim }: Stage): Promise<boolean> {
  for (let turn = 0; turn < 10 && !isKilled(victim); turn++) await new Promise((r) => setTimeout(r, 5))
  return isKilled(victim)
}

/** Also when the machine is so busy that the victim has not had a moment to die in. */
function isKilled({ pid, signalCode }: Stage['victim']): boolean {
  if (signalCode !== null) return true
  const status = contentOf(`/proc/${pid}/status`)
  const waiting = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].map(([, mask]) => BigInt(`0x${mask}`))
  return /^State:\s+[ZX]/m.test(status) || waiting.some((mask) => (mask & SIGKILL) !== 0n)
}
const SIGKILL = 1n << 8n

async function stillWrites(stage: Stage): Promise<boolean> {
  const before = contentOf(stage.at('project/alive'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  return contentOf(stage.at('project/alive')) !== before
}

function sharedFile(stage: Stage): string {
  return `/dev/shm/kedge-${stage.victim.pid}`
}
