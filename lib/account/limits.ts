import { MINUTE_MS } from '../platform/time';

/** Timeout of the transaction that erases an account. Erasing a large history takes long. */
export const ERASE_TIMEOUT_MS = MINUTE_MS;

/** Maximum expired guests that are erased in one step. */
export const GUEST_ERASE_BATCH = 20;

/** Maximum entries per page of the activity list. */
export const ACTIVITY_PAGE_SIZE = 30;

/** Maximum audit log entries per query of an export. */
export const AUDIT_BATCH_SIZE = 200;
