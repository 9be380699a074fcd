# TAB for esign, by `esign completion powershell`. What may stand at the cursor is asked of esign itself.
# Nothing that is typed or answered is ever evaluated: words go out as environment, values come back as lines.

Register-ArgumentCompleter -Native -CommandName esign -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
            $text = if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
            $text -replace '[\r\n]+', ' '
        })
    $current = ($wordToComplete -replace '^[''"]', '') -replace '[\r\n]+', ' '
    $saved = $env:ESIGN_COMPLETE_WORDS, $env:ESIGN_COMPLETE_CURRENT, [Console]::OutputEncoding
    try {
        $env:ESIGN_COMPLETE_WORDS = $words -join "`n"
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
        $value, $about = $_ -split "`t", 2
        $text = if ($value -match '^[\w./@+=:-]+$') { $value } else { "'" + ($value -replace "'", "''") + "'" }
        $tip = if ($about) { $about } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
    }
}
