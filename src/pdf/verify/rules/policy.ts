// The policy: the rules that decide what may follow a signature, in the order in which they are asked. A file is unchanged where no rule objects.
import { annotations } from './annotations.ts';
import { catalog } from './catalog.ts';
import { danglingReferences } from './dangling-references.ts';
import { entryPoint } from './entry-point.ts';
import { fieldTree } from './field-tree.ts';
import { filledFields } from './filled-fields.ts';
import { formDefaults } from './form-defaults.ts';
import { metadata } from './metadata.ts';
import { newSignatureFields } from './new-signature-fields.ts';
import { notes } from './notes.ts';
import { pageContent } from './page-content.ts';
import { pageTree } from './page-tree.ts';
import { readableObjects } from './readable-objects.ts';
import { resurrectedObjects } from './resurrected-objects.ts';
import type { DiffRule, RuleDescription, SaveRule } from './rule.ts';
import { saveSyntax } from './save-syntax.ts';
import { signedFields } from './signed-fields.ts';
import { strayBytes } from './stray-bytes.ts';
import { structureTree } from './structure-tree.ts';
import { trailerEntries } from './trailer-entries.ts';
import { unchangedAppearance } from './unchanged-appearance.ts';
import { unexplainedObjects } from './unexplained-objects.ts';
import { validationData } from './validation-data.ts';

/** How later saves are written. The first objection ends it: readers may see other objects than those that would be compared. */
export const SAVE_RULES: readonly SaveRule[] = [
  strayBytes,
  entryPoint,
  resurrectedObjects,
  danglingReferences,
  saveSyntax,
  trailerEntries,
];

/** Which objects differ, each judged by what it is for. */
export const OBJECT_RULES: readonly DiffRule[] = [
  readableObjects,
  // The document
  catalog,
  metadata,
  validationData,
  // The form
  formDefaults,
  fieldTree,
  filledFields,
  signedFields,
  newSignatureFields,
  // The pages
  pageTree,
  pageContent,
  annotations,
  notes,
  // The tags
  structureTree,
  // Everything else
  unexplainedObjects,
];

/** What pages show, where an object that a page draws can have changed. */
export const PAGE_RULES: readonly RuleDescription[] = [unchangedAppearance];

export const RULES: readonly RuleDescription[] = [...SAVE_RULES, ...OBJECT_RULES, ...PAGE_RULES];

export const ruleNamed = (name: string | undefined): RuleDescription | undefined =>
  RULES.find((rule) => rule.name === name);
