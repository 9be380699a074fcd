# TAB for esign, by `esign completion fish`. What may stand at the cursor is asked of esign itself.
# Nothing that is typed or answered is ever evaluated: words go out as environment, values come back as lines.

function __esign_complete
    command --query esign; or return
    set -lx ESIGN_COMPLETE_WORDS (string replace --all \n ' ' -- (commandline -opc) | string join \n | string collect)
    set -lx ESIGN_COMPLETE_CURRENT (string replace --all \n ' ' -- (commandline -ct) | string collect)
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
            printf '%s\n' $lines
    end
end

complete -c esign -f -k -a '(__esign_complete)'
