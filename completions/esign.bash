# TAB for esign, by `esign completion bash`. What may stand at the cursor is asked of esign itself.
# Nothing that is typed or answered is ever evaluated: words go out as environment, values come back as lines.

_esign_complete() {
  local out line about only='' kind='' typed=${COMP_LINE-}
  COMPREPLY=()
  out=$(
    ESIGN_COMPLETE_LINE="${typed:0:${COMP_POINT:-0}}" ESIGN_COMPLETE_BREAKS="${COMP_WORDBREAKS-}" \
      command esign __complete bash 2>/dev/null </dev/null
  ) || return 0
  while IFS= read -r line; do
    if [ -z "$kind" ]; then
      kind=$line
      continue
    fi
    only=${line%%$'\t'*}
    about=${line#*$'\t'}
    # A list for the eye says what each is.
    case ${COMP_TYPE-} in
      33 | 63 | 64) COMPREPLY[${#COMPREPLY[@]}]="$only${about:+  ($about)}" ;;
      *) COMPREPLY[${#COMPREPLY[@]}]=$only ;;
    esac
  done <<EOF
$out
EOF
  # What goes into the line is the value alone.
  [ "${#COMPREPLY[@]}" -ne 1 ] || COMPREPLY[0]=$only
  # Bash 3.2 has no compopt: it offers files where there is nothing else.
  case $kind in
    files) ;;
    folders) compopt +o default -o dirnames 2>/dev/null || : ;;
    *) compopt +o default -o nosort 2>/dev/null || compopt +o default 2>/dev/null || : ;;
  esac
  return 0
}

complete -o default -F _esign_complete esign
