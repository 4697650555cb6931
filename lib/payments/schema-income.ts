/**
 * Why a seller's money is not available yet: buyers may still ask for a refund, the seller is new, a buyer disputes the
 * sale, or a detail of the seller is missing.
 */
export const HOLD_REASONS = ['refund_window', 'new_seller', 'dispute', 'missing_detail'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];
