// Lets the timestamp authority be unavailable on purpose, as a fault of the sandbox says.
import type { SandboxFaults } from '../sandbox/faults.ts';
import type { SealingSource } from './sealing-source.ts';

export const withTimestampFaults =
  (source: SealingSource, { strikeSending }: Pick<SandboxFaults, 'strikeSending'>): SealingSource =>
  async (company) => {
    const sealing = await source(company);
    const { timestamps } = sealing;
    if (!timestamps) return sealing;
    return {
      ...sealing,
      timestamps: {
        ...timestamps,
        async timestamp(imprint) {
          if (!(await strikeSending(['timestamps-unavailable'], 'a timestamp')))
            return timestamps.timestamp(imprint);
          const { SealingUnavailable } = await import('../../pdf/sign/sealing-unavailable.ts');
          throw new SealingUnavailable(
            'timestamps',
            'The timestamp authority is unavailable on purpose, because of the fault timestamps-unavailable.',
            'To remove the faults of the sandbox, run `esign sandbox faults clear`.',
          );
        },
      },
    };
  };
