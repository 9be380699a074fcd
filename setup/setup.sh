#!/usr/bin/env bash
# The step of setup/action.yml, and the first one of action.yml. Reads INPUT_VERSION and INPUT_CHECKSUM.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

version=${INPUT_VERSION#v}
if [ -z "$version" ]; then version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/../package.json"); fi
case $version in
  '' | *[!0-9A-Za-z.-]*)
    echo "::error title=esign::\"${version//[^ -~]/}\" is not a version. Set \`version\` to one such as 1.2.0."
    exit 1
    ;;
esac

folder=$RUNNER_TEMP/esign-$version/bin
export VERSION=$version ESIGN_INSTALL_DIR=$folder ESIGN_INSTALL_CHECKSUM=${INPUT_CHECKSUM:-}
if [ "${RUNNER_OS:-}" = Windows ]; then
  pwsh -NoProfile -File "$here/../scripts/install.ps1"
else
  sh "$here/../scripts/install.sh"
fi
echo "$folder" >>"$GITHUB_PATH"
echo "version=$version" >>"$GITHUB_OUTPUT"
