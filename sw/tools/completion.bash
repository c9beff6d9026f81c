# SPDX-License-Identifier: Apache-2.0
# Completion of tocsin's commands, options and files for bash.
_tocsin() {
  local word=${COMP_WORDS[COMP_CWORD]} words
  case $COMP_CWORD:${COMP_WORDS[1]} in
    1:*) words='run fig replay trace table log regs top peek help --version' ;;
    2:trace) words='show stat diff' ;;
    2:table | 2:log) words=dump ;;
    2:run) words='dht counter checkpoint getlog sort launch accumulate reduce allreduce --list' ;;
    2:fig) words='insert loss checkpoint dirty getlog launch accumulate allreduce --list' ;;
    *:fig) words='--json --help --backend --seed --out' ;;
    *:top | *:peek) words='--json --help --backend --path --ms --count --all' ;;
    *:run) words='--json --help --backend --seed --nodes --n --size --loss --variant --record --record-of --record-node --pcap' ;;
    *) [[ $word == -* ]] && words='--json --help --at --kind --from --count --log --all --on --program' ;;
  esac
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    --on) words='model rtl both' ;;
    --backend) words='model rtl uio vfio fpga' ;;
    --record-of) words='iommu node' ;;
    --variant) words='tocsin naive both' ;;
  esac
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _tocsin tocsin
