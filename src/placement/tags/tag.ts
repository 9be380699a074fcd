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

export const refuseTag = (problem: string): RefusedTag => ({ kind: 'refused', problem });
