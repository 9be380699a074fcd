// Puts together the style of the signing pages: the sheet of the dashboard, the faces of typed signatures, and what pages of documents need.
import DASHBOARD from '../style.css';
import SIGNING from './style.css';

/** @param faces the addresses of the faces for typed signatures, by name */
export const signStyle = (faces: ReadonlyMap<string, string>): string =>
  [DASHBOARD, ...[...faces].map(faceRules), SIGNING].join('\n');

const faceRules = ([name, path]: readonly [string, string]): string =>
  `@font-face { font-family: "${name}"; src: url("${path}"); font-display: block; }
.${name} { font-family: "${name}", cursive; }`;
