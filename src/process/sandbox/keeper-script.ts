// The keeper, for programs without walls: it starts the program and stays its parent, as a "subreaper" (prctl 36). Whatever the
// program starts becomes a child of the keeper when its own parents end, whatever its session, folder or environment, so nothing
// gets away. Node cannot ask the kernel for that, perl can: git brings it along nearly everywhere.
//
//   INT, TERM     are for the program's group, which the keeper is in: it waits for the program
//   USR1          kill all of it now: what KILL is for other programs
//   USR2          plait is gone (prctl 1): end all of it
//
// On descriptor 3 it tells how the program ended, and whom it could not end.

export const KEEPER_SCRIPT = String.raw`
use strict;
my ($prctl, @argv) = @ARGV;
my $killing = 0;
$SIG{$_} = sub {} for qw(INT TERM HUP QUIT);
# At once: perl continues waitpid after a signal.
$SIG{USR1} = $SIG{ALRM} = sub { $killing = 1; kill 'KILL', family() };
$SIG{USR2} = sub { kill 'TERM', family(); alarm 1 };
open(my $status, '>&=', 3) or exit 125;
fcntl($status, 2, 1);
select((select($status), $| = 1)[0]);
if (syscall($prctl, 36, 1, 0, 0, 0) != 0) { print $status qq({"no-keeper":1}\n) }
syscall($prctl, 1, 12, 0, 0, 0);
my $main = fork();
if (!defined $main) { print $status qq({"errno":) . ($! + 0) . qq(}\n); exit 125 }
if ($main == 0) {
  $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP QUIT USR1 USR2 ALRM);
  no warnings;
  exec { $argv[0] } @argv;
  print $status qq({"errno":) . ($! + 0) . qq(}\n);
  exit 127;
}
# Its descendants, from one look at all processes.
sub family {
  my %children;
  opendir(my $proc, '/proc') or return;
  for my $pid (grep { /^\d+$/ } readdir $proc) {
    open(my $file, '<', "/proc/$pid/stat") or next;
    my $stat = <$file> // '';
    $stat =~ s/.*\) //s;
    my ($state, $parent) = split ' ', $stat;
    push @{$children{$parent}}, $pid if defined $parent && $state !~ /[ZX]/;
  }
  my @found = @{$children{$$} // []};
  for (my $i = 0; $i < @found; $i++) { push @found, @{$children{$found[$i]} // []} }
  return @found;
}
my $ended;
# Takes note of children that ended. False where none is left.
sub reap {
  while ((my $pid = waitpid(-1, 1)) != 0) {
    return 0 if $pid == -1;
    $ended = $? if $pid == $main;
  }
  return 1;
}
until (defined $ended) {
  my $pid = waitpid(-1, 0);
  last if $pid == -1;
  $ended = $? if $pid == $main;
}
if (defined $ended) {
  my $signal = $ended & 127;
  print $status $signal ? qq({"signal":$signal}\n) : '{"exit-code":' . ($ended >> 8) . "}\n";
}
my ($rounds, $left) = (0, 1);
my %asked;
while (($left = reap()) && $rounds < 200) {
  my $kill = $killing || $rounds >= 25;
  for my $pid (family()) {
    if ($kill) { kill 'KILL', $pid } elsif (!$asked{$pid}++) { kill 'TERM', $pid }
  }
  select(undef, undef, undef, $rounds < 4 ? 0.003 : 0.012);
  $rounds++;
}
if ($left) { my @left = family(); print $status '{"left":[' . join(',', @left) . "]}\n" if @left }
exit(defined $ended && !($ended & 127) ? $ended >> 8 : 137);
`;
