import { metrics } from '@opentelemetry/api';
import { processSingleton } from '../platform/singleton';

/** A number of this process that is read whenever somebody measures, such as the streams that are open. */
export function addGauge(name: string, description: string, read: () => number): void {
  processSingleton(`gauge:${name}`, () => {
    const gauge = metrics.getMeter('parley').createObservableGauge(name, { description });
    gauge.addCallback((result) => result.observe(read()));
    return gauge;
  });
}
