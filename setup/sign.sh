#!/usr/bin/env bash
# The second step of action.yml: has files signed, waits, and verifies what comes back. Reads INPUT_* and the variables ESIGN_* of the job.
set -euo pipefail

# Reads the lines of an input into the array `lines`, without empty ones.
read_lines() {
  lines=()
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [ -n "$line" ]; then lines+=("$line"); fi
  done <<<"$1"
}

# Adds an option for each line of an input.
add() {
  read_lines "$2"
  local value
  for value in ${lines[@]+"${lines[@]}"}; do words+=("$1=$value"); done
}

# Adds an option with an input as it is, lines included.
add_whole() {
  if [ -n "$2" ]; then words+=("$1=$2"); fi
}

words=()
add --to "$INPUT_TO"
add --field "$INPUT_FIELD"
add_whole --name "$INPUT_NAME"
add_whole --message "$INPUT_MESSAGE"
add_whole --expires "$INPUT_EXPIRES"
read_lines "$INPUT_FILE"
esign tx send "${words[@]}" --wait "--timeout=$INPUT_TIMEOUT" "--download=$INPUT_DIRECTORY" -- ${lines[@]+"${lines[@]}"}

trust=()
if [ -n "$INPUT_TRUST" ]; then
  printf '%s\n' "$INPUT_TRUST" >"$RUNNER_TEMP/esign-root.pem"
  trust=("--trust=$RUNNER_TEMP/esign-root.pem")
fi
# In a job, esign writes outputs of its own for each command; those of the transaction stay.
ESIGN_ACTIONS=0 esign verify ${trust[@]+"${trust[@]}"} -- "$INPUT_DIRECTORY"/*.sealed.pdf
