// Serves the files that pages load: the script of the signing pages, that of the editor of fields, and the faces of typed signatures.
// Their addresses contain a hash of their content, so that a browser may cache them. The style stands in the page itself.
import { readFileSync } from 'node:fs';
import type { Reply } from '../../../api/transport.ts';
import { sha256Of } from '../../../common/sha256.ts';
import { facesFor, fontBytesOf } from '../../../pdf/fonts/faces.ts';
import DASHBOARD from '../dashboard/style.css';
import SIGNING from './style.css';

type File = { path: string; mediaType: string; bytes: Uint8Array };

const STATIC_PREFIX = '/sign/static/';

const fileOf = (name: string, mediaType: string, bytes: Uint8Array): File => {
  const hash = sha256Of(bytes).slice(0, 16);
  return { path: `${STATIC_PREFIX}${hash}-${name}`, mediaType, bytes };
};

/** The script is built beside the program; a service that runs from its sources finds it there as well. */
const SCRIPT = fileOf('sign.js', 'text/javascript; charset=utf-8', readBuilt('sign-page.js'));

export const SCRIPT_PATH = SCRIPT.path;

const EDITOR_SCRIPT = fileOf('edit.js', 'text/javascript; charset=utf-8', readBuilt('edit-page.js'));

export const EDITOR_SCRIPT_PATH = EDITOR_SCRIPT.path;

const FONTS = (['handwriting', 'script'] as const).map((family) => {
  const [face] = facesFor({ family });
  if (!face) throw new Error(`There is no font for ${family}.`);
  return { family, file: fileOf(`${face.name}.ttf`, 'font/ttf', fontBytesOf(face)) };
});

/** The faces for typed signatures stand by the name that a signature keeps of its face. */
export const FACE_PATHS: ReadonlyMap<string, string> = new Map(
  FONTS.map(({ family, file }) => [family, file.path]),
);

const FILES = new Map(
  [SCRIPT, EDITOR_SCRIPT, ...FONTS.map(({ file }) => file)].map((file) => [file.path, file]),
);

export function staticFile(path: string): Reply | undefined {
  const file = FILES.get(path);
  return (
    file && {
      status: 200,
      headers: {
        'content-type': file.mediaType,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      },
      body: file.bytes,
    }
  );
}

function readBuilt(name: string): Uint8Array {
  for (const place of [`./${name}`, `../../../../dist/${name}`]) {
    try {
      return readFileSync(new URL(place, import.meta.url));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} was not built.`);
}

/** @param faces the addresses of the faces for typed signatures, by name */
export const signStyle = (faces: ReadonlyMap<string, string>): string =>
  [DASHBOARD, ...[...faces].map(faceRules), SIGNING].join('\n');

const faceRules = ([name, path]: readonly [string, string]): string =>
  `@font-face { font-family: "${name}"; src: url("${path}"); font-display: block; }
.${name} { font-family: "${name}", cursive; }`;
