# SPDX-License-Identifier: Apache-2.0
# Completion of tocsin's commands, options and files for bash: what the program itself says that there is.
_tocsin() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} run=${COMP_WORDS[0]} words= \
    command=${COMP_WORDS[1]}
  case $command in trace | table | log | graph) [[ $COMP_CWORD -gt 2 ]] && command+=" ${COMP_WORDS[2]}" ;; esac
  if [[ $COMP_CWORD == 1 ]]; then
    words="$("$run" help | sed -n 's/^  tocsin \([a-z]*\).*/\1/p') help --version"
  elif [[ $COMP_CWORD == 2 && $command =~ ^(trace|table|log|graph)$ ]]; then
    words=$("$run" help "$command" | sed -n "s/^  tocsin $command \([a-z]*\).*/\1/p")
  elif [[ $word == -* ]]; then
    # shellcheck disable=SC2086
    words="$("$run" help $command | sed -n 's/^  \(--[a-z-]*\) .*/\1/p') --help"
  elif [[ $before == -* ]]; then
    # the values that an option may have, "model|rtl|both"
    # shellcheck disable=SC2086
    words=$("$run" help $command | sed -n "s/^  $before \([a-z]*|[a-z|]*\) .*/\1/p" | tr '|' ' ')
    # those that stand one by one below the options
    # shellcheck disable=SC2086
    [[ $before =~ ^--(variant|tree)$ && ! $words ]] &&
      words=$("$run" help $command | sed -n "s/^  $before \([a-zT][a-zA-Z0-9]*\) .*/\1/p")
    [[ $before == --backend ]] && words='model rtl uio vfio fpga'
  elif [[ $COMP_CWORD == 2 && $command =~ ^(run|fig)$ ]]; then
    words="$("$run" "$command" --list | sed 's/^ *\([a-z]*\) .*/\1/') --list"
  fi
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _tocsin tocsin
