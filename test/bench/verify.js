// Measures `esign verify` compared with pdfsig, on a file that openssl signed: one of 10 MB, the same with a page that was saved again, and a thousand small ones
// in one call; and of a file that the sandbox sealed, by processor time, compared with `esign --version`.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { median } from './median.js';
import { inTurn, outputOf, ratioToOther, sendContract, withHome, withoutCertificates } from './start-up.js';

const FILES = 1000;
const PAGES = 200;
const MIB = 1024 * 1024;
const esign = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const ENVIRONMENT = withoutCertificates({ ESIGN_HOME: join(tmpdir(), 'esign-bench-verify') });

export const verifyLarge = () => beside((file) => file);

/** Measures a file whose first page is drawn as it was signed and as it is now. */
export const verifyDrawn = () => beside((file) => Buffer.concat([file, saveAgain(file)]));

const beside = (changed) =>
  withFolder((folder, sign) => {
    if (spawnSync('pdfsig', ['-v']).error) return 'not measured: pdfsig (poppler-utils) is not installed';
    const file = join(folder, 'large.pdf');
    writeFileSync(file, changed(sign((10 * MIB) / PAGES)));
    const verify = [process.execPath, esign, 'verify', file, '--trust', join(folder, 'cert.pem')];
    return ratioToOther({ words: ['pdfsig', file], env: ENVIRONMENT }, { words: verify, env: ENVIRONMENT });
  });

/** Writes what a process used to its error output when it ends: processor time in seconds, and memory in MB. */
const USAGE =
  'data:text/javascript,process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();process.stderr.write("usage "+(u+s)/1e6+" "+m/1024)})';

/** Measures files of up to 10 MB that are made to keep a verifier busy: the most that one of them takes. */
export const verifyHostile = () =>
  withFolder((folder, sign) => {
    const signed = sign(50);
    const files = [
      saveStream(signed, '5 obj '.repeat((9 * MIB) / 6)),
      saveStream(signed, 'trailer '.repeat((9 * MIB) / 8)),
      saveFreeNumbers(signed, 450_000),
    ];
    const used = files.map((file) => {
      const path = join(folder, 'hostile.pdf');
      writeFileSync(path, file);
      const words = ['--import', USAGE, esign, 'verify', path, '--trust', join(folder, 'cert.pem')];
      const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      const [, seconds, megabytes] = /usage (\S+) (\S+)/.exec(stderr) ?? [];
      return { seconds: Number(seconds), megabytes: Number(megabytes) };
    });
    const [seconds, megabytes] = ['seconds', 'megabytes'].map((unit) =>
      Math.max(...used.map((file) => file[unit])),
    );
    return `${seconds.toFixed(1)} s of processor time, ${megabytes.toFixed(0)} MB`;
  });

export const verifyMany = () =>
  withFolder((folder, sign) => {
    const bytes = sign(50);
    const files = Array.from({ length: FILES }, (_, index) => join(folder, `${index}.pdf`));
    for (const file of files) writeFileSync(file, bytes);
    const words = [esign, 'verify', ...files, '--trust', join(folder, 'cert.pem')];
    const ms = median(Array.from({ length: 3 }, () => timeOf(process.execPath, words)));
    return `${Math.round(FILES / (ms / 1000))} files/s (${Math.round(bytes.length / 1024)} kB each)`;
  });

export const verifySealed = () =>
  withSealed(([file], env) => {
    const [version, verify] = mediansOf(['--version'], ['verify', file], env);
    return `${(verify / version).toFixed(2)}   (${verify.toFixed(0)} ÷ ${version.toFixed(0)} ms of processor time)`;
  });

const MORE = 5;

export const verifyMore = () =>
  withSealed((files, env) => {
    const [single, all] = mediansOf(['verify', files[0]], ['verify', ...files], env);
    return `${((all - single) / MORE).toFixed(0)} ms of processor time`;
  });

function mediansOf(first, second, env) {
  const pairs = inTurn(
    ...[first, second].map((words) => ({ words: [process.execPath, esign, ...words], env })),
  );
  return [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
}

/** @param use receives files that a sandbox sealed, and the environment of that sandbox */
const withSealed = (use) =>
  withHome((env) => {
    const program = [process.execPath, esign];
    const files = Array.from({ length: MORE + 1 }, () => {
      const id = sendContract(program, env);
      outputOf([...program, 'sandbox', 'sign', id], env);
      outputOf([...program, 'tx', 'download', id, '-o', join(env.ESIGN_HOME, id)], env);
      return join(env.ESIGN_HOME, id, 'contract.sealed.pdf');
    });
    return use(files, env);
  });

function timeOf(program, words) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: ENVIRONMENT,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

/** @param use receives a folder with a certificate, and a function that signs a file whose pages have so many bytes */
function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    const openssl = (...words) =>
      execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const usage = ['-addext', 'keyUsage=digitalSignature', '-addext', 'basicConstraints=critical,CA:false'];
    openssl(
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=Bench'.split(
        ' ',
      ),
      ...usage,
    );
    const cms =
      'cms -sign -binary -md sha256 -cades -signer cert.pem -inkey key.pem -outform DER -in data'.split(' ');
    return use(folder, (sizeBytes) =>
      signFile(sizeBytes, (data) => {
        writeFileSync(join(folder, 'data'), data);
        return openssl(...cms);
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ROOM = 4000;
const FIRST_PAGE = 5;

const pageOf = (number, more = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Contents ${number + 1} 0 R${number === FIRST_PAGE ? '/Annots[3 0 R]' : ''}${more}>>`;

/** Appends a later save whose first page shows what it did, which is known only when it is drawn. */
function saveAgain(file) {
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 200))[1];
  const object = `${FIRST_PAGE} 0 obj\n${pageOf(FIRST_PAGE, '/Tabs/S')}\nendobj\n`;
  const place = `${String(file.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size ${FIRST_PAGE + PAGES * 2}/Root 1 0 R/Prev ${before}>>`;
  return Buffer.from(
    `${object}xref\n${FIRST_PAGE} 1\n${place}${trailer}\nstartxref\n${file.length + object.length}\n%%EOF\n`,
  );
}

/** Appends a save with an object and, at its end, a section. */
function saveObject(file, object, sectionAfter) {
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 200))[1];
  const section = sectionAfter(file.length, before);
  const at = file.length + object.length;
  return Buffer.concat([
    file,
    Buffer.from(object, 'latin1'),
    section,
    Buffer.from(`\nstartxref\n${at}\n%%EOF\n`),
  ]);
}

const HIGHEST = 1_900_000;

const saveStream = (file, content) =>
  saveObject(file, `${HIGHEST} 0 obj\n${streamOf(content)}\nendobj\n`, (start, before) =>
    Buffer.from(
      `xref\n${HIGHEST} 1\n${String(start).padStart(10, '0')} 00000 n \ntrailer\n<</Size ${HIGHEST + 1}/Root 1 0 R/Prev ${before}>>`,
    ),
  );

/** A packed table of numbers that are free, behind enough bytes that it may be that long. */
const saveFreeNumbers = (file, count) => {
  const padded = saveStream(file, ' '.repeat(7 * MIB));
  return saveObject(padded, '', (start, before) => {
    const rows = Buffer.alloc((count + 1) * 5);
    rows.writeUInt8(1, count * 5);
    rows.writeUInt32BE(start, count * 5 + 1);
    const data = deflateSync(rows);
    const head = `${HIGHEST + 1} 0 obj\n<</Type/XRef/Size ${HIGHEST + 2}/W[1 4 0]/Index[3000 ${count} ${HIGHEST + 1} 1]/Root 1 0 R/Prev ${before}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`;
    return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream\nendobj')]);
  });
};

const streamOf = (content) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;

function signFile(sizeBytes, sign) {
  const pages = Array.from({ length: PAGES }, (_, index) => FIRST_PAGE + index * 2);
  const text = Array.from(
    { length: 40 },
    (_, line) => `BT /F 4 Tf 9 ${190 - line * 4} Td (What both of them agreed upon, in line ${line}) Tj ET`,
  );
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[3 0 R]/SigFlags 3>>>>',
    `<</Type/Pages/Count ${PAGES}/Kids[${pages.map((number) => `${number} 0 R`).join(' ')}]>>`,
    '<</FT/Sig/T(Seal)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 5 0 R/V 4 0 R>>',
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20261121180000Z)/ByteRange[0 ${' '.repeat(33)}]/Contents<${'0'.repeat(ROOM * 2)}>>>`,
    ...pages.flatMap((number) => [
      pageOf(number),
      streamOf(
        number === FIRST_PAGE ? text.join('\n') : randomBytes(Math.floor(sizeBytes)).toString('latin1'),
      ),
    ]),
  ];
  const parts = [];
  const offsets = [];
  let at = 0;
  const add = (text) => {
    const part = Buffer.from(text, 'latin1');
    parts.push(part);
    at += part.length;
  };
  add('%PDF-1.7\n');
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(`${index + 1} 0 obj\n${object}\nendobj\n`);
  }
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
  );
  const out = Buffer.concat(parts);
  const gap = out.indexOf('/Contents<') + '/Contents'.length;
  const end = out.indexOf('>', gap) + 1;
  out.write(
    `${gap} ${end} ${out.length - end}`.padEnd(33),
    out.indexOf('/ByteRange[0 ') + '/ByteRange[0 '.length,
    'latin1',
  );
  const value = sign(Buffer.concat([out.subarray(0, gap), out.subarray(end)]));
  out.write(value.toString('hex'), gap + 1, 'latin1');
  return out;
}
