/**
 * The frequencies of an open mandate: at most one use per period; with `ON_DEMAND`, only its other constraints limit
 * the use.
 */
export const FREQUENCIES = ['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
