# Installs the executable of esign for Windows:
#   irm https://github.com/esign-cli/esign/releases/latest/download/install.ps1 | iex
# $env:VERSION = '1.2.0'           installs that version instead of the newest one
# $env:ESIGN_INSTALL_DIR = 'DIR'   installs to DIR instead of %LOCALAPPDATA%\Programs\esign
# $env:ESIGN_INSTALL_CHECKSUM = 'HASH'   installs only if checksums.txt itself has this SHA-256, which pins a release
# Nothing is installed unless the archive has the hash that checksums.txt of the release gives. It never asks for an administrator.
function Install-Esign {
  $ErrorActionPreference = 'Stop'
  # The progress bar of Windows PowerShell makes downloads several times slower.
  $ProgressPreference = 'SilentlyContinue'
  $base = if ($env:ESIGN_INSTALL_BASE) { $env:ESIGN_INSTALL_BASE } else { 'https://github.com/esign-cli/esign/releases' }
  $folder = if ($env:ESIGN_INSTALL_DIR) { $env:ESIGN_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\esign' }
  $version = "$env:VERSION" -replace '^v', ''
  if ($version -notmatch '^[0-9A-Za-z.-]*$') { throw "esign was not installed: VERSION=$env:VERSION is not a version. A version looks like 1.2.0." }
  # Windows on ARM runs it as well.
  if (-not [Environment]::Is64BitOperatingSystem) { throw 'esign was not installed: there is no executable for a Windows of 32 bits.' }
  $target = 'windows-x64'
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

  $scratch = Join-Path ([IO.Path]::GetTempPath()) ("esign-" + [Guid]::NewGuid())
  New-Item -ItemType Directory -Path $scratch | Out-Null
  try {
    $release = if ($version) { "$base/download/v$version" } else { "$base/latest/download" }
    $checksums = Join-Path $scratch 'checksums.txt'
    try { Invoke-WebRequest -UseBasicParsing -Uri "$release/checksums.txt" -OutFile $checksums }
    catch { throw "esign was not installed: $release/checksums.txt could not be downloaded, so nothing can be checked. $_" }
    $pinned = "$env:ESIGN_INSTALL_CHECKSUM".ToLowerInvariant()
    if ($pinned -and (Get-FileHash -Algorithm SHA256 -Path $checksums).Hash.ToLowerInvariant() -cne $pinned) {
      throw "esign was not installed: $release/checksums.txt does not have the SHA-256 $pinned. The pinned hash is that of one version: set both, or neither."
    }
    $lines = @(Get-Content $checksums | Where-Object { $_ -cmatch "^[0-9a-f]{64}  esign-v[0-9A-Za-z.-]+-$target\.zip$" })
    if ($lines.Count -ne 1) { throw "esign was not installed: checksums.txt has $($lines.Count) lines for $target instead of one." }
    $hash, $archive = $lines[0] -split '  '
    $found = $archive -replace '^esign-v', '' -replace "-$target\.zip$", ''
    if ($version -and $version -ne $found) { throw "esign was not installed: checksums.txt of version $version names version $found." }

    Write-Host "Downloading esign $found for $target."
    $zip = Join-Path $scratch $archive
    try { Invoke-WebRequest -UseBasicParsing -Uri "$base/download/v$found/$archive" -OutFile $zip }
    catch { throw "esign was not installed: $base/download/v$found/$archive could not be downloaded completely. $_" }
    $actual = (Get-FileHash -Algorithm SHA256 -Path $zip).Hash.ToLowerInvariant()
    if ($actual -cne $hash) {
      throw "esign was not installed: the download is not what checksums.txt says (downloaded $actual, expected $hash). Run this again; if it stays, report it: https://github.com/esign-cli/esign/issues"
    }

    Expand-Archive -Path $zip -DestinationPath $scratch
    $program = Join-Path $scratch 'esign.exe'
    if ((& $program --version) -ne $found) { throw 'esign was not installed: the executable does not run on this system.' }
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    $installed = Join-Path $folder 'esign.exe'
    # A program that runs cannot be replaced on Windows, but it can be renamed.
    Get-ChildItem -Path $folder -Filter 'esign.exe.old-*' | Remove-Item -Force -ErrorAction SilentlyContinue
    if (Test-Path $installed) { Rename-Item $installed ('esign.exe.old-' + [Guid]::NewGuid()) }
    Move-Item $program $installed
    Write-Host "esign $found is in $installed"

    $path = [Environment]::GetEnvironmentVariable('Path', 'User')
    if (($path -split ';') -notcontains $folder) {
      Write-Host 'PATH does not have this directory. Add it:'
      Write-Host "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$folder', 'User')"
    }
    Write-Host "To remove it: Remove-Item -Recurse '$folder'"
  }
  finally {
    Remove-Item -Recurse -Force $scratch -ErrorAction SilentlyContinue
  }
}

# The last line, so that a script that was cut off does nothing.
Install-Esign
