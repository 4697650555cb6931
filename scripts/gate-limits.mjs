import { median } from '../bench/lib/compare.mjs';

/** The least margin, as a share of the recorded value. */
const MIN_MARGIN = 0.1;

/**
 * Returns the record of several runs of the gate: the median of a ratio, and the margin, which is 1.5 times the largest
 * distance of a run above the median, but at least a tenth of the median.
 *
 * @param {number[]} ratios one per run
 * @returns {{ recorded: number, margin: number, lowest: number, highest: number }}
 */
export function recordedOf(ratios) {
  const recorded = median(ratios);
  const highest = Math.max(...ratios);
  const margin = Math.max(1.5 * (highest - recorded), MIN_MARGIN * recorded);
  const round = (value) => Number(value.toFixed(3));
  return {
    recorded: round(recorded),
    margin: round(margin),
    lowest: round(Math.min(...ratios)),
    highest: round(highest),
  };
}

/**
 * Returns the ratio above which the gate fails.
 *
 * @param {{ recorded: number, margin: number }} each
 * @returns {number}
 */
export const limitOf = ({ recorded, margin }) => recorded + margin;
