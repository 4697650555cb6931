import { metrics } from '@opentelemetry/api';
import { shared } from '../platform/registry';

/** A number of this process that is read whenever somebody measures, such as the streams that are open. */
export function addGauge(name: string, description: string, read: () => number): void {
  shared(`gauge:${name}`, () => {
    const gauge = metrics.getMeter('parley').createObservableGauge(name, { description });
    gauge.addCallback((result) => result.observe(read()));
    return gauge;
  });
}
