#!/bin/sh
# Two machines in one, for an MPI job: sh two-machines.sh COMMAND ARGUMENT...
#
# The command runs on the machine "river" (10.77.0.1). A cable joins it to the machine "lake" (10.77.0.2). Each has its own network,
# name, boot id, processes, /dev/shm and TMPDIR; the other files are the same, as on a cluster. An mpirun of Open MPI or MPICH finds an agent in
# its environment that starts programs on the other machine, as ssh does elsewhere:
#
#   sh two-machines.sh mpirun -n 4 --host river:2,lake:2 node program.js
#
# With COBRE_SAME_BOOT=1 both have the boot id of this machine, as containers of one machine do.
#
# Everything ends with the command. Processes of it that are still running ten seconds later are listed on stderr, and the exit code
# is then 99. Exit code 77: this cannot be had here, because it needs root and iproute2.
set -u
job=

# How many tenths of a second the processes of a command may take to end after it.
PATIENCE=100

make_machine() {
  hostname "$1" &&
    mount --make-rprivate / &&
    mount -t proc proc /proc &&
    mount -t sysfs sysfs /sys &&
    mount -t tmpfs tmpfs /dev/shm &&
    mount -t tmpfs tmpfs "$TMPDIR" &&
    mount --bind "$folder/hosts" /etc/hosts &&
    ip link set lo up &&
    own_boot_id
}

own_boot_id() {
  [ "${COBRE_SAME_BOOT-0}" = 1 ] && return
  cat /proc/sys/kernel/random/uuid >"$TMPDIR/boot_id" &&
    mount --bind "$TMPDIR/boot_id" /proc/sys/kernel/random/boot_id
}

# Runs a part of this script in namespaces of its own, which end with it.
apart() {
  exec unshare --net --uts --mount --pid --ipc --fork --kill-child sh "$0" "$@"
}

# What runs on both machines, except for this shell, the other machine's first process and what this function runs itself.
others() {
  for process in /proc/[0-9]*; do
    case ${process#/proc/} in 1 | $$ | "$starter" | "$lake") continue ;; esac
    program=$(readlink "$process/exe") && echo "${process#/proc/} $program"
  done | grep -v -e '/readlink$' -e '/sleep$' -e '/\(da\|ba\)\?sh$' -e /grep$
}

case ${COBRE_TWO_MACHINES-} in
"")
  command -v ip >/dev/null && unshare --net --uts --mount --pid --ipc --fork true 2>/dev/null || exit 77
  folder=$(mktemp -d) || exit 77
  trap '[ -n "$job" ] && kill -KILL "$job" 2>/dev/null; rm -rf "$folder"' EXIT
  trap 'exit 143' HUP INT TERM
  printf '127.0.0.1 localhost\n10.77.0.1 river\n10.77.0.2 lake\n' >"$folder/hosts"
  mkdir "$folder/tmp"
  mkfifo "$folder/ready"
  cat >"$folder/agent" <<'AGENT'
#!/bin/sh
# agent [OPTION]... HOST COMMAND...
while case $1 in -*) true ;; *) false ;; esac; do shift; done
shift
exec nsenter --target "$(cat "${0%/*}/lake")" --net --uts --mount --pid --ipc -- sh -c "$*"
AGENT
  chmod +x "$folder/agent"
  export folder TMPDIR="$folder/tmp"
  export OMPI_MCA_plm_rsh_agent="$folder/agent" PRTE_MCA_plm_ssh_agent="$folder/agent"
  export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC="$folder/agent"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  (export COBRE_TWO_MACHINES=river && apart "$@") &
  job=$!
  wait "$job"
  code=$?
  job=
  exit "$code"
  ;;
river)
  make_machine river || exit 77
  (export COBRE_TWO_MACHINES=lake && apart) &
  starter=$!
  read -r answer <"$folder/ready"
  [ "$answer" = lake ] || exit 77
  lake=$(tr -d ' ' <"/proc/$starter/task/$starter/children")
  echo "$lake" >"$folder/lake"
  ip link add cable type veth peer name cable netns "$lake" &&
    ip address add 10.77.0.1/24 dev cable &&
    ip link set cable up &&
    nsenter --target "$lake" --net ip address add 10.77.0.2/24 dev cable &&
    nsenter --target "$lake" --net ip link set cable up || exit 77
  # The kernel says a moment later that a cable carries; some libraries do not use it before.
  until nsenter --target "$lake" --net --mount cat /sys/class/net/cable/operstate | grep -q up &&
    grep -q up /sys/class/net/cable/operstate; do sleep 0.02; done
  unset COBRE_TWO_MACHINES
  "$@"
  code=$?
  while [ -n "$(others)" ] && [ "$PATIENCE" -gt 0 ]; do
    PATIENCE=$((PATIENCE - 1))
    sleep 0.1
  done
  left=$(others)
  [ -z "$left" ] && exit "$code"
  echo "still running: $left" >&2
  exit 99
  ;;
lake)
  make_machine lake && answer=lake || answer=none
  echo "$answer" >"$folder/ready"
  exec sleep 3600
  ;;
esac
