import { type Counter, metrics } from '@opentelemetry/api';
import { once } from '../platform/runtime/once';

/** The concierge's decision on a message, and the user's override. */
interface RoutingOutcome {
  outcome: 'rule' | 'model' | 'person' | 'executor' | 'follow-up' | 'asked';
  /** `not-first`: the user chose another agent than the first one; `changed`: the user requested another agent. */
  override?: 'not-first' | 'changed';
}

interface Counters {
  routed: Counter;
  overridden: Counter;
}

const counters = once((): Counters => {
  const meter = metrics.getMeter('parley');
  return {
    routed: meter.createCounter('concierge.messages', {
      description: 'Messages that the concierge routed or asked about',
    }),
    overridden: meter.createCounter('concierge.overrides', { description: 'Choices that the user changed' }),
  };
});

/** Counts a decision of the concierge. */
export function countRouting({ outcome, override }: RoutingOutcome): void {
  counters().routed.add(1, { outcome });
  if (override) counters().overridden.add(1, { override });
}
