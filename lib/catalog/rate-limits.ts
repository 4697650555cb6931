import type { TokenBucketRule } from '../limits';

/** Maximum registrations and previews per user. Each fetches from a third-party server at the user's request. */
export const REGISTRATION_LIMIT: TokenBucketRule = {
  name: 'agent registrations',
  burst: 600,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Maximum lint requests per user. Editors send one after each change. */
export const LINT_LIMIT: TokenBucketRule = {
  name: 'card checks',
  burst: 300,
  perMinute: 240,
  onDatabaseDown: 'count-here',
};

/** Maximum invitations per user. Each sends an email to an address that the user chose. */
export const INVITATION_LIMIT: TokenBucketRule = {
  name: 'invitations',
  burst: 20,
  perMinute: 0.5,
  onDatabaseDown: 'refuse',
};

/** Maximum agent lists that are read per user. Each may cause 20 fetches. */
export const IMPORT_LIMIT: TokenBucketRule = {
  name: 'imports',
  burst: 20,
  perMinute: 4,
  onDatabaseDown: 'count-here',
};
