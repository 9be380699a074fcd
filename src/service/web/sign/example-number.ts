// Finds a number that a field accepts, for the sentence that asks for one.
import type { Field } from '../../domain/transaction.ts';

const USUAL = '1500.50';
/** As many as the rule for numbers takes (domain/values.ts). */
const MOST_DECIMALS = 10;

/** A plain number within the limits of the field, with as few decimals as it takes. */
export function exampleNumber({
  min_value: min,
  max_value: max,
}: Pick<Field, 'min_value' | 'max_value'>): string {
  const fits = (number: number) => (min === null || number >= min) && (max === null || number <= max);
  if (fits(Number(USUAL))) return USUAL;
  const wanted = wantedNumber(min, max);
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals += 1) {
    const unit = 10 ** decimals;
    const found = [Math.floor(wanted * unit) / unit, Math.ceil(wanted * unit) / unit].find(fits);
    if (found !== undefined) return found.toFixed(decimals);
  }
  return `${min ?? max}`;
}

/** In the middle; with one limit, well away from it. */
function wantedNumber(min: number | null, max: number | null): number {
  if (min !== null && max !== null) return min + (max - min) / 2;
  if (min !== null) return min + Math.abs(min) / 2;
  return (max ?? 0) - Math.abs(max ?? 0) / 2;
}
