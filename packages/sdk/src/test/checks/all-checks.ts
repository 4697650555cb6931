import type { Check } from '../check.js';
import { cardChecks } from './card-checks.js';
import { cartChecks } from './cart-checks.js';
import { capabilityChecks, versionChecks } from './claim-checks.js';
import { errorChecks, unknownCancel } from './error-checks.js';
import { exampleChecks } from './example-checks.js';
import { limitChecks, messageChecks, streamingChecks } from './message-checks.js';
import { cancelChecks, fileChecks, questionChecks } from './turn-checks.js';

/** All checks, in the order in which they run and are reported. */
export const CHECKS: readonly Check[] = [
  ...cardChecks,
  ...messageChecks,
  ...exampleChecks,
  ...streamingChecks,
  ...cancelChecks,
  unknownCancel,
  ...questionChecks,
  ...fileChecks,
  ...errorChecks,
  ...limitChecks,
  ...versionChecks,
  ...capabilityChecks,
  ...cartChecks,
];
