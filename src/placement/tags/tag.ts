// Defines what a tag in a document asks for: a field where the tag stands.
import type { FieldType } from '../../api/contract/fields.ts';

export type TagDialect = 'documenso' | 'docuseal';

/** Who fills a field in: the number of a recipient from 1, or a role that a recipient is given. Undefined: the only one. */
export type TagHolder = { number: number } | { role: string } | undefined;

export type Tag = {
  kind: 'tag';
  dialect: TagDialect;
  type: FieldType;
  holder: TagHolder;
  /** With the names of the contract: `label`, `is_required`, … */
  properties: Record<string, unknown>;
  /** In points, where the tag says so. */
  width?: number | undefined;
  height?: number | undefined;
};

/** A tag that says something which no field can have. `problem` is what is wrong, as the end of a sentence about the tag. */
export type RefusedTag = { kind: 'refused'; problem: string };

/** `other`: a text in double braces that is no tag of these dialects. */
export type ReadTag = Tag | RefusedTag | { kind: 'other' };

/** Refuses what no field could be: a value that is none of the options, limits that nothing is within. */
export function refuseNonsense({ type, properties }: Tag): RefusedTag | undefined {
  const { options, value, readonly, min_value: least, max_value: most } = properties;
  const isChoice = (type === 'select' || type === 'radio') && Array.isArray(options);
  if (isChoice && value !== undefined && !options.includes(String(value)))
    return refuseTag(`has the value "${value}", which is none of its options`);
  if (readonly === true && value === undefined) return refuseTag('is read-only, but has no value');
  if (Number(least) > Number(most))
    return refuseTag(`has the least value ${least} above the greatest ${most}`);
  return undefined;
}

export const refuseTag = (problem: string): RefusedTag => ({ kind: 'refused', problem });
