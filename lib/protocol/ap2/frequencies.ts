/**
 * The frequencies of an open mandate: at most one use per period. With `ON_DEMAND`, only the other constraints limit
 * its use.
 */
export const FREQUENCIES = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
