#!/bin/sh
# Installs the executable of esign for Linux and macOS:
#   curl -fsSL https://github.com/esign-cli/esign/releases/latest/download/install.sh | sh
# VERSION=1.2.0           installs that version instead of the newest one
# ESIGN_INSTALL_DIR=DIR   installs to DIR instead of ~/.local/bin
# ESIGN_INSTALL_CHECKSUM=HASH   installs only if checksums.txt itself has this SHA-256, which pins a release
# Nothing is installed unless the archive has the hash that checksums.txt of the release gives. It never asks for root.
set -eu

fail() {
  printf 'esign was not installed: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '%s\n' "$line" >&2; done
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

by_npm='Where Node 20.19 or newer is installed, esign runs from its npm package: https://github.com/esign-cli/esign/blob/main/docs/install.md'

find_target() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no executable for $(uname -s)." 'On Windows, use install.ps1.' "$by_npm" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    arm64 | aarch64) processor=arm64 ;;
    *) fail "there is no executable for the processor $(uname -m)." "$by_npm" ;;
  esac
  if [ $system = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then processor=arm64; fi
  if [ $system = linux ]; then
    loader=/lib64/ld-linux-x86-64.so.2
    if [ $processor = arm64 ]; then loader=/lib/ld-linux-aarch64.so.1; fi
    [ -e $loader ] || fail "this system has no GNU C library ($loader is missing; Alpine Linux, for example, has another one)." "$by_npm"
  fi
  target=$system-$processor
}

# Only HTTPS, also after a redirect, unless the base itself is another one.
download() {
  if has curl; then
    case $base in
      https://*) curl --proto '=https' --tlsv1.2 -fsSL -o "$2" "$1" ;;
      *) curl -fsSL -o "$2" "$1" ;;
    esac
  else
    wget -q -O "$2" "$1"
  fi
}

hash_of() {
  if has sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  fi
}

main() {
  base=${ESIGN_INSTALL_BASE:-https://github.com/esign-cli/esign/releases}
  folder=${ESIGN_INSTALL_DIR:-}
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail 'HOME is not set.' 'Set ESIGN_INSTALL_DIR to the directory that esign shall be in.'
    folder=$HOME/.local/bin
  fi
  version=${VERSION:-}
  version=${version#v}
  case $version in
    *[!0-9A-Za-z.-]*) fail "VERSION=$VERSION is not a version." 'A version looks like 1.2.0.' ;;
  esac
  find_target
  has curl || has wget || fail 'neither curl nor wget is there to download it.' 'Install one of them, and run this again.'
  has sha256sum || has shasum || has openssl ||
    fail 'none of sha256sum, shasum and openssl is there to check the download.' 'Install one of them, and run this again.'
  for tool in tar gzip mktemp; do has $tool || fail "$tool is missing." 'Install it, and run this again.'; done

  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  if [ -n "$version" ]; then release=$base/download/v$version; else release=$base/latest/download; fi
  download "$release/checksums.txt" "$scratch/checksums.txt" ||
    fail "$release/checksums.txt could not be downloaded, so nothing can be checked." \
      'Check the network and the version; the releases are at https://github.com/esign-cli/esign/releases'
  pinned=$(printf %s "${ESIGN_INSTALL_CHECKSUM:-}" | sed 'y/ABCDEF/abcdef/')
  [ -z "$pinned" ] || [ "$(hash_of "$scratch/checksums.txt")" = "$pinned" ] ||
    fail "$release/checksums.txt does not have the SHA-256 $pinned." \
      'The pinned hash is that of checksums.txt of one version: set both, or neither.'
  wanted=$(sed -n -E "s/^([0-9a-f]{64})  (esign-v[0-9A-Za-z.-]+-$target\.tar\.gz)\$/\1 \2/p" "$scratch/checksums.txt")
  case $wanted in
    '') fail "checksums.txt has no line for $target." 'Try again later, or install another version with VERSION=1.2.0.' ;;
    *"
"*) fail "checksums.txt has several lines for $target." 'Please report it: https://github.com/esign-cli/esign/issues' ;;
  esac
  hash=${wanted%% *}
  archive=${wanted#* }
  found=${archive#esign-v}
  found=${found%-"$target".tar.gz}
  [ "${version:-$found}" = "$found" ] ||
    fail "checksums.txt of version $version names version $found." 'Please report it: https://github.com/esign-cli/esign/issues'

  printf 'Downloading esign %s for %s.\n' "$found" "$target"
  download "$base/download/v$found/$archive" "$scratch/$archive" ||
    fail "$base/download/v$found/$archive could not be downloaded completely." 'Run this again.'
  actual=$(hash_of "$scratch/$archive") || fail 'the hash of the download could not be computed.'
  [ "$actual" = "$hash" ] ||
    fail "the download is not what checksums.txt says." "  downloaded  $actual" "  expected    $hash" \
      'Run this again; if it stays, the download was changed on its way, or the release was: https://github.com/esign-cli/esign/issues'

  tar -xzf "$scratch/$archive" -C "$scratch" || fail 'the archive could not be unpacked.' 'Is the disk full?'
  [ "$("$scratch/esign" --version)" = "$found" ] ||
    fail 'the executable does not run on this system.' "It is kept nowhere. $by_npm"
  [ ! -d "$folder/esign" ] ||
    fail "$folder/esign is a directory." 'Set ESIGN_INSTALL_DIR to another directory, or move that one away.'
  mkdir -p "$folder" || fail "$folder cannot be made." 'Set ESIGN_INSTALL_DIR to a directory of your own.'
  # A file beside it and a rename: an esign that runs meanwhile stays whole, and the file is never incomplete.
  if ! { cp "$scratch/esign" "$folder/.esign-$$" && chmod 755 "$folder/.esign-$$" && mv -f "$folder/.esign-$$" "$folder/esign"; }; then
    rm -f "$folder/.esign-$$"
    fail "$folder/esign cannot be written." 'Set ESIGN_INSTALL_DIR to a directory of your own.'
  fi
  printf 'esign %s is in %s\n' "$found" "$folder/esign"
  case :${PATH:-}: in
    *:"$folder":*) ;;
    *) printf 'PATH does not have this directory. Add it: export PATH="%s:$PATH"\n' "$folder" ;;
  esac
  printf 'To remove it: rm %s\n' "$folder/esign"
}

# The last line, so that a script that was cut off does nothing.
main
