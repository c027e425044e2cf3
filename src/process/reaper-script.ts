// The lifeline, as a POSIX shell script: it must outlive plait by moments, wherever plait is installed, and do nothing else until
// then. It is a text and not a file, so that there is nothing to find at run time.
//
// Its arguments are the run's marker, the folder of its worktrees, and which processes live when it starts. It reads from plait
// which more do (`watch`, `forget`), then `bye`. If the pipe ends without a `bye`, plait is gone, and whatever carries the marker is ended: TERM, half a second,
// KILL, and again until nothing is found twice in a row.
//
// Markers are compared exactly: the run r1 must not end the processes of r12. grep finds those that come into question (one
// process for all of /proc), tr and grep tell which are meant. A pid is believed only with its start time.

/** Without /proc the environment is what ps shows of it, and there are no start times: then only the marker counts. */
export const REAPER_SCRIPT = String.raw`
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
variable=PLAIT_RUN=$1 folder=$2
shift 2

watched=" $*"
while IFS=' ' read -r word process; do
  case $word in
    bye) exit 0 ;;
    watch) watched="$watched $process" ;;
    forget)
      others=
      for one in $watched; do [ "$one" = "$process" ] || others="$others $one"; done
      watched=$others ;;
  esac
done

# Sets parent, group, terminal and start of a process, from the fields after its name. False if it does not live.
look_at() {
  start=
  IFS= read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  set -- $\{stat##*") "}
  parent=$2 group=$3 terminal=$5 start=$\{20}
  [ "$1" != Z ]
}

own_start=0
if look_at $$; then own_start=$start; fi

carriers() {
  if [ "$own_start" = 0 ]; then
    ps -axEww -o pid=,command= 2>/dev/null || ps -axww -o pid=,command= 2>/dev/null
    return
  fi
  printf '%s\n' /proc/[0-9]*/environ | xargs grep -l -s -F -- "$variable" | while IFS= read -r file; do
    tr '\000' '\n' 2>/dev/null <"$file" | grep -q -x -F -- "$variable" || continue
    pid=$\{file#/proc/}
    echo "$\{pid%/environ}"
  done
}

# The list is whole before it is looked at: else those who look would be in it.
with_marker() {
  list=$(carriers)
  if [ "$own_start" != 0 ]; then echo "$list"; return; fi
  echo "$list" | while read -r pid rest; do
    case " $rest " in *" $variable "*) echo "$pid" ;; esac
  done
}

# Orphans without a terminal that work in the worktrees and are younger than this script.
in_folder() {
  [ -n "$folder" ] && [ "$own_start" != 0 ] || return 0
  printf '%s\n' /proc/[0-9]*/cwd | xargs ls -l 2>/dev/null | while IFS= read -r line; do
    case "$line " in *" -> $folder/"* | *" -> $folder "*) ;; *) continue ;; esac
    pid=$\{line%% -> *}
    pid=$\{pid%/cwd}
    pid=$\{pid##*/}
    look_at "$pid" && [ "$terminal" = 0 ] && [ "$start" -ge "$own_start" ] || continue
    name=
    [ "$parent" = 1 ] || IFS= read -r name 2>/dev/null <"/proc/$parent/comm"
    if [ "$parent" = 1 ] || [ "$name" = systemd ]; then echo "$pid"; fi
  done
}

# Groups of watched processes that have living members. A group may outlive its leader, and no pid comes again while its group
# lives: only if the leader's pid is somebody else's by now, so is the group.
groups() {
  numbers=
  for one in $watched; do
    look_at "$\{one%%:*}"
    if [ -z "$start" ] || [ "ticks:$start" = "$\{one#*:}" ]; then numbers="$numbers $\{one%%:*}"; fi
  done
  [ -n "$numbers" ] && [ "$own_start" != 0 ] || return 0
  living=
  for file in /proc/[0-9]*/stat; do
    pid=$\{file#/proc/}
    look_at "$\{pid%/stat}" || continue
    case "$numbers " in *" $group "*) ;; *) continue ;; esac
    case "$living " in *" -$group "*) ;; *) living="$living -$group" ;; esac
  done
  echo "$living"
}

# Signals everybody, and says whether there was anybody.
all() {
  found=1
  for pid in $(groups) $(with_marker) $(in_folder); do
    if [ "$pid" != $$ ] && [ "$pid" != 1 ] && kill -s "$1" -- "$pid" 2>/dev/null; then found=0; fi
  done
  return $found
}

nap() { sleep 0.1 2>/dev/null || sleep 1; }

round=0 empty=0
while [ $round -lt 100 ] && [ $empty -lt 2 ]; do
  signal=0
  if [ $round -eq 0 ]; then signal=TERM; elif [ $round -ge 5 ]; then signal=KILL; fi
  if all $signal; then empty=0; else empty=$((empty + 1)); fi
  [ $empty -ge 2 ] || nap
  round=$((round + 1))
done
exit 0
`.replaceAll("$\\{", "${"); // which would end a piece of the template
