// Predicts the remarks of the sandbox about files that it will convert. The sandbox is the same program on the same machine; of
// another service nothing is known.
import { remarkOf } from '../../../../api/contract/remarks.ts';
import { variable } from '../../../../config/environment.ts';
import type { Uses } from '../../../command/context.ts';
import type { Connection } from '../../../connection/connection.ts';
import type { LocalFile } from '../../../input/local-file.ts';
import type { Plan } from '../../../transactions/plan.ts';

/** Adds these remarks to the plan. @param files those of the plan, in their order */
export async function withForeseenRemarks(
  { process }: Uses<'process'>,
  plan: Plan,
  { isSandbox }: Pick<Connection, 'isSandbox'>,
  files: readonly LocalFile[],
): Promise<Plan> {
  if (!isSandbox || !files.some(({ type }) => type === 'docx')) return plan;
  const { findOffice } = await import('../../../../pdf/engine/office.ts');
  if (await findOffice(variable(process.environment.variables, 'ESIGN_SOFFICE'))) return plan;
  const approximate = remarkOf({ code: 'approximate_layout' });
  return {
    ...plan,
    files: plan.files.map((file, index) =>
      files[index]?.type === 'docx' ? { ...file, remarks: [...(file.remarks ?? []), approximate] } : file,
    ),
  };
}
