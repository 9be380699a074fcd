// Writes what package managers need to install the executables of a release: a formula for Homebrew, a manifest for Scoop and the
// three for WinGet. All hashes come from checksums.txt.
const RELEASES = 'https://github.com/esign-cli/esign/releases';
const HOMEPAGE = 'https://github.com/esign-cli/esign';
const DESCRIPTION = 'Send, track and seal documents for signature, with a complete offline sandbox';
const WINGET = { id: 'EsignCli.Esign', schema: '1.10.0' };

/**
 * @param checksums text of checksums.txt
 * @returns texts by the names of files
 */
export function formulasOf(version, checksums) {
  const hashes = new Map(
    [...checksums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash, name]) => [name, hash]),
  );
  const archive = (target, ending) => {
    const name = `esign-v${version}-${target}.${ending}`;
    const hash = hashes.get(name);
    if (!hash) throw new Error(`checksums.txt has no line for ${name}.`);
    return { url: `${RELEASES}/download/v${version}/${name}`, hash };
  };
  const windows = archive('windows-x64', 'zip');
  return {
    'esign.rb': homebrew(version, (target) => archive(target, 'tar.gz')),
    'esign.scoop.json': scoop(version, windows),
    [`${WINGET.id}.yaml`]: winget(version, 'version', [['DefaultLocale', 'en-US']]),
    [`${WINGET.id}.installer.yaml`]: winget(version, 'installer', [
      ['InstallerType', 'zip'],
      ['NestedInstallerType', 'portable'],
      ['NestedInstallerFiles', '\n- RelativeFilePath: esign.exe\n  PortableCommandAlias: esign'],
      [
        'Installers',
        `\n- Architecture: x64\n  InstallerUrl: ${windows.url}\n  InstallerSha256: ${windows.hash.toUpperCase()}`,
      ],
    ]),
    [`${WINGET.id}.locale.en-US.yaml`]: winget(version, 'defaultLocale', [
      ['PackageLocale', 'en-US'],
      ['Publisher', 'esign'],
      ['PackageName', 'esign'],
      ['PackageUrl', HOMEPAGE],
      ['License', 'MIT'],
      ['ShortDescription', DESCRIPTION],
    ]),
  };
}

function homebrew(version, archive) {
  const system = (name, targets) =>
    [
      `  ${name} do`,
      ...Object.entries(targets).flatMap(([processor, target]) => {
        const { url, hash } = archive(target);
        return [`    ${processor} do`, `      url "${url}"`, `      sha256 "${hash}"`, '    end'];
      }),
      '  end',
    ].join('\n');
  return `class Esign < Formula
  desc "${DESCRIPTION.replace(/, with.*/, '')}"
  homepage "${HOMEPAGE}"
  version "${version}"
  license "MIT"

${system('on_macos', { on_arm: 'darwin-arm64', on_intel: 'darwin-x64' })}

${system('on_linux', { on_arm: 'linux-arm64', on_intel: 'linux-x64' })}

  def install
    bin.install "esign"
    generate_completions_from_executable(bin/"esign", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/esign --version").strip
  end
end
`;
}

function scoop(version, { url, hash }) {
  const manifest = {
    version,
    description: DESCRIPTION,
    homepage: HOMEPAGE,
    license: 'MIT',
    architecture: { '64bit': { url, hash } },
    bin: 'esign.exe',
    checkver: 'github',
    autoupdate: {
      architecture: { '64bit': { url: url.replaceAll(version, '$version') } },
      hash: { url: '$baseurl/checksums.txt' },
    },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function winget(version, type, entries) {
  const lines = [
    ['PackageIdentifier', WINGET.id],
    ['PackageVersion', version],
    ...entries,
    ['ManifestType', type],
    ['ManifestVersion', WINGET.schema],
  ];
  return [
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${WINGET.schema}.schema.json`,
    ...lines.map(([key, value]) => `${key}:${value.startsWith('\n') ? '' : ' '}${value}`),
    '',
  ].join('\n');
}
