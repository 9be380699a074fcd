// The scripts that make a shell call `esign __complete`. They are the same for every version of the command tree. They never
// evaluate a typed word or an answered value: words go out as environment variables, values come back as lines.
import type { Shell } from './answer.ts';

const HEAD = (
  how: string,
) => `# TAB for esign, by \`esign completion ${how}\`. What may stand at the cursor is asked of esign itself.
# Nothing that is typed or answered is ever evaluated: words go out as environment, values come back as lines.`;

/** For Bash 3.2 and later; needs nothing else. Bash itself completes names of files. */
const BASH = `${HEAD('bash')}

_esign_complete() {
  local out line about only='' kind='' typed=\${COMP_LINE-}
  COMPREPLY=()
  out=$(
    ESIGN_COMPLETE_LINE="\${typed:0:\${COMP_POINT:-0}}" ESIGN_COMPLETE_BREAKS="\${COMP_WORDBREAKS-}" \\
      command esign __complete bash 2>/dev/null </dev/null
  ) || return 0
  while IFS= read -r line; do
    if [ -z "$kind" ]; then
      kind=$line
      continue
    fi
    only=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    # A list for the eye says what each is.
    case \${COMP_TYPE-} in
      33 | 63 | 64) COMPREPLY[\${#COMPREPLY[@]}]="$only\${about:+  ($about)}" ;;
      *) COMPREPLY[\${#COMPREPLY[@]}]=$only ;;
    esac
  done <<EOF
$out
EOF
  # What goes into the line is the value alone.
  [ "\${#COMPREPLY[@]}" -ne 1 ] || COMPREPLY[0]=$only
  # Bash 3.2 has no compopt: it offers files where there is nothing else.
  case $kind in
    files) ;;
    folders) compopt +o default -o dirnames 2>/dev/null || : ;;
    *) compopt +o default -o nosort 2>/dev/null || compopt +o default 2>/dev/null || : ;;
  esac
  return 0
}

complete -o default -F _esign_complete esign
`;

/** Works as a file of fpath, and as a script that is sourced before or after compinit. */
const ZSH = `#compdef esign
${HEAD('zsh')}

_esign() {
  local out line kind
  local -a values shown rest
  local -i width=0
  # What is typed goes out with its quotes taken off; a line end in a word would look like another word.
  local -a typed=("\${(@)\${(@Q)words[1,CURRENT-1]}//$'\\n'/ }")
  out=$(
    ESIGN_COMPLETE_WORDS="\${(pj:\\n:)typed}" ESIGN_COMPLETE_CURRENT="\${\${(Q)PREFIX}//$'\\n'/ }" \\
      command esign __complete zsh 2>/dev/null </dev/null
  ) || return 1
  rest=("\${(@f)out}")
  kind=\${rest[1]-}
  rest=("\${(@)rest[2,-1]}")
  for line in "\${(@)rest}"; do
    values+=("\${line%%$'\\t'*}")
    ((\${#values[-1]} > width)) && width=\${#values[-1]}
  done
  for line in "\${(@)rest}"; do
    shown+=("\${(r:width:)\${line%%$'\\t'*}}\${\${line#*$'\\t'}:+  -- \${line#*$'\\t'}}")
  done
  # --profile=acme: what is completed is what stands behind the sign.
  [[ $kind == *inline ]] && compset -P 1 '*='
  case $kind in
    files*) _files ;;
    folders*) _files -/ ;;
    *) ((\${#values})) && compadd -V esign -l -d shown -a -- values ;;
  esac
}

if [[ \${funcstack[1]-} == _esign ]]; then
  _esign "$@"
elif ((\${+functions[compdef]})); then
  compdef _esign esign
else
  # compinit has not run yet: at some prompt it will have.
  _esign_register() {
    ((\${+functions[compdef]})) || return 0
    compdef _esign esign
    add-zsh-hook -d precmd _esign_register
  }
  autoload -Uz add-zsh-hook
  add-zsh-hook precmd _esign_register
fi
`;

const FISH = `${HEAD('fish')}

function __esign_complete
    command --query esign; or return
    set -lx ESIGN_COMPLETE_WORDS (string replace --all \\n ' ' -- (commandline -opc) | string join \\n | string collect)
    set -lx ESIGN_COMPLETE_CURRENT (string replace --all \\n ' ' -- (commandline -ct) | string collect)
    set -l lines (command esign __complete fish 2>/dev/null </dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case files
            # As for a command that nobody completes: files, with the quotes, ~ and = that fish knows about.
            complete -C "'' "(commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\\n' $lines
    end
end

complete -c esign -f -k -a '(__esign_complete)'
`;

const POWERSHELL = `${HEAD('powershell')}

Register-ArgumentCompleter -Native -CommandName esign -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
            $text = if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
            $text -replace '[\\r\\n]+', ' '
        })
    $current = ($wordToComplete -replace '^[''"]', '') -replace '[\\r\\n]+', ' '
    $saved = $env:ESIGN_COMPLETE_WORDS, $env:ESIGN_COMPLETE_CURRENT, [Console]::OutputEncoding
    try {
        $env:ESIGN_COMPLETE_WORDS = $words -join "\`n"
        $env:ESIGN_COMPLETE_CURRENT = $current
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $lines = @(& (Get-Command -CommandType Application, ExternalScript esign)[0] __complete powershell 2>$null)
    } catch {
        $lines = @()
    } finally {
        $env:ESIGN_COMPLETE_WORDS, $env:ESIGN_COMPLETE_CURRENT, [Console]::OutputEncoding = $saved
    }
    # With nothing answered, PowerShell offers files by itself.
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        $text = if ($value -match '^[\\w./@+=:-]+$') { $value } else { "'" + ($value -replace "'", "''") + "'" }
        $tip = if ($about) { $about } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
    }
}
`;

export const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

/** The name of the file that each shell looks for. */
export const COMPLETION_FILES: Record<string, string> = {
  'esign.bash': BASH,
  _esign: ZSH,
  'esign.fish': FISH,
  'esign.ps1': POWERSHELL,
};
