import { useFormat } from '../../ui/display/format';

/** A share as a percentage, rounded down, so that 100% means every check. */
export function useUptimeText(): (share: number) => string {
  const format = useFormat();
  return (share) => format.number(Math.floor(share * 10_000) / 10_000, { style: 'percent', maximumFractionDigits: 2 });
}
