import { hubPort } from '../hub';
import { deliverMandates, findOrdersOfTasks, notifyParties, onAgentMessage, paymentsPort } from '../payments';
import { requirePorts } from '../platform/runtime/port';
import { hubAgentCalls, hubRuns, replayPaymentEvents, sendOnBehalfOf, streamTaskEvents, tasksPort } from '../tasks';

/**
 * Connects each domain with the operations of higher domains that it calls.
 * @throws {Error} if a domain declares a port that nothing connects
 */
export function connectPorts(): void {
  hubPort.connect({ runs: hubRuns, agents: hubAgentCalls });
  tasksPort.connect({
    onPaymentEvent: (event) => onAgentMessage(event, new Date()),
    findOrders: findOrdersOfTasks,
  });
  paymentsPort.connect({
    deliver: (order, options) => deliverMandates(order, { ...options, send: sendOnBehalfOf, replayPaymentEvents }),
    notify: (order, announcement, options) => notifyParties(order, announcement, { ...options, send: sendOnBehalfOf }),
    readTaskEvents: streamTaskEvents,
  });
  requirePorts();
}
