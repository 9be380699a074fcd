// Defines what a rule about later saves is. A rule says in one sentence what it allows, names the paragraph that this follows from, and finds out of two
// versions of a file which objects it explains, which changes these are, and what it objects to. It changes nothing that another rule reads.
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import type { Change, DiffContext } from '../changes/diff-context.ts';
import type { ChangeFaultCode } from '../findings.ts';

export type Objection<Code extends ChangeFaultCode = ChangeFaultCode> = {
  code: Code;
  /** This object is at fault. */
  object?: number;
  /** This byte is at fault. */
  at?: number;
  details?: ObjectionDetails;
};

/** The sentence about an objection is made of these texts. */
export type ObjectionDetails = Record<string, string>;

export type Finding<Code extends ChangeFaultCode = ChangeFaultCode> =
  /** These objects may differ: the rule has judged them by what they are for. */
  | { explained: readonly number[] }
  | { change: Change }
  /** With `isFinal`, what the rules below this one compare does not exist. */
  | { objection: Objection<Code>; isFinal?: true };

/** People read this of a rule; `codes` are those of all faults that it raises. */
export type RuleDescription = {
  name: string;
  /** The sentence says what may follow a signature. */
  allows: string;
  /** The rule follows from this paragraph. */
  source: string;
  codes: readonly ChangeFaultCode[];
};

/** The saves follow the version that a signature covers, which ends at the byte `end`. */
export type LaterSaves = { file: PdfFile; signed: PdfView; end: number };

/** This kind of rule judges how later saves are written. */
export type SaveRule<Code extends ChangeFaultCode = ChangeFaultCode> = RuleDescription & {
  codes: readonly Code[];
  judge(saves: LaterSaves): Objection<NoInfer<Code>> | undefined;
};

/** The rules above a rule have found this. */
export type Findings = { explained: ReadonlySet<number>; objections: number };

/** This kind of rule judges the objects that differ between two versions. */
export type DiffRule<Code extends ChangeFaultCode = ChangeFaultCode> = RuleDescription & {
  codes: readonly Code[];
  judge(context: DiffContext, above: Findings): Iterable<Finding<NoInfer<Code>>>;
};

export const defineSaveRule = <const Code extends ChangeFaultCode>(rule: SaveRule<Code>): SaveRule<Code> =>
  rule;

export const defineRule = <const Code extends ChangeFaultCode>(rule: DiffRule<Code>): DiffRule<Code> => rule;

export const objection = <const Code extends ChangeFaultCode>(
  code: Code,
  object?: number,
  details?: ObjectionDetails,
): { objection: Objection<Code> } => ({
  objection: { code, ...(object !== undefined && { object }), ...(details && { details: details }) },
});

/** Readers may understand this place differently; `part` is the part of a file that it belongs to. */
export type Irregularity = { at: number; part: string; object?: number };

export function irregular(irregularity: Irregularity | undefined): Objection<'update_irregular'> | undefined {
  if (!irregularity) return undefined;
  const { part, ...place } = irregularity;
  return { code: 'update_irregular', ...place, details: { part } };
}
